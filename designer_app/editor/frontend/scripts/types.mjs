// Reads {hash, schema} from standard input and writes TypeScript types to standard output.
import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";
import prettier from "prettier";

const { hash, schema } = JSON.parse(readFileSync(0, "utf8"));
const banner = [
  "// Made by `python -m designer_app.schemas.typescript` from the models of Python: do not edit.",
  `// schema ${hash}`,
].join("\n");

/** Arrays are arrays: length bounds would become unions of tuples. */
function withoutBounds(value) {
  if (Array.isArray(value)) return value.map(withoutBounds);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "maxItems" && key !== "minItems")
      .map(([key, each]) => [key, withoutBounds(each)]),
  );
}

/** What a document holds is never changed in place. */
function readonly(text) {
  return text
    .replace(/^([ \t]*)(\w+\??|\[k: string\]): /gm, "$1readonly $2: ")
    .replace(/\b(\w+)\[\]/g, "readonly $1[]")
    .replace(
      /^[ \t]*\*[ \t]*\n[ \t]*\* This interface was referenced by[\s\S]*?\n(?=[ \t]*\*\/)/gm,
      "",
    );
}

schema.$defs.JsonValue = {
  description: "Anything that JSON can hold.",
  tsType: "null | boolean | number | string | JsonValue[] | { readonly [key: string]: JsonValue }",
};
const text = await compile(withoutBounds(schema), "EditorTypes", {
  additionalProperties: false,
  bannerComment: banner,
  format: false,
  unreachableDefinitions: false,
});
const options = await prettier.resolveConfig("src/graph/types.gen.ts");
process.stdout.write(await prettier.format(readonly(text), { ...options, parser: "typescript" }));
