// Reads {hash, schema, imports} from standard input and writes TypeScript types to standard output.
import { json } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";
import prettier from "prettier";

const options = await prettier.resolveConfig("src/graph/types.gen.ts");
const { hash, schema, imports } = await json(process.stdin);
const banner = [
  "// Made by `python -m designer_app.api.typescript` from the models of Python: do not edit.",
  `// schema ${hash}`,
  ...Object.entries(imports).map(
    ([address, names]) => `import type { ${names.join(", ")} } from "${address}";`,
  ),
].join("\n");

/** Arrays are arrays: length bounds would become unions of tuples. What is a tuple is one. */
function withoutBounds(value) {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (value === null || typeof value !== "object") return value;
  const { prefixItems, maxItems, minItems, ...rest } = value;
  const each = Object.entries(rest).map(([key, part]) => [key, withoutBounds(part)]);
  const bounds = prefixItems ? { items: withoutBounds(prefixItems), minItems, maxItems } : {};
  return { ...Object.fromEntries(each), ...bounds };
}

/** What the server tells is never changed in place. */
function readonly(text) {
  return text
    .replace(/^([ \t]*)("[^"\n]+"\??|\w+\??|\[k: string\]): /gm, "$1readonly $2: ")
    .replace(/\b(\w+)\[\](\[\])?/g, (_, name, twice) =>
      twice ? `readonly (readonly ${name}[])[]` : `readonly ${name}[]`,
    )
    .replace(/: (\([^()\n]*\)\[\])/g, ": readonly $1")
    .replace(/([:(|] ?)(\[\s*\w+(?:,\s*\w+)*\s*\])/g, "$1readonly $2");
}

/** Without the notes of where in the schema a type was found. */
function withoutOrigins(text) {
  const origin = "This interface was referenced by";
  return text
    .replace(new RegExp(`/\\*\\*\\s*\\* ${origin}[^/]*\\*/\\n`, "g"), "")
    .replace(
      new RegExp(`[ \\t]*\\*[ \\t]*\\n[ \\t]*\\* ${origin}[^/]*?\\n(?=[ \\t]*\\*/)`, "g"),
      "",
    );
}

/** Comments of one line, if they fit. */
function onOneLine(text) {
  return text.replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, (comment, indent, words) => {
    const line = `${indent}/** ${words} */`;
    return line.length <= options.printWidth ? line : comment;
  });
}

if (schema.$defs.JsonValue) {
  schema.$defs.JsonValue = {
    description: "Anything that JSON can hold.",
    tsType:
      "null | boolean | number | string | JsonValue[] | { readonly [key: string]: JsonValue }",
  };
}
const text = await compile(withoutBounds(schema), "EditorTypes", {
  additionalProperties: false,
  bannerComment: banner,
  format: false,
  unreachableDefinitions: true,
});
const formatted = await prettier.format(withoutOrigins(readonly(text)), {
  ...options,
  objectWrap: "collapse",
  parser: "typescript",
});
process.stdout.write(onOneLine(formatted));
