/** The Python that a node amounts to: its module called with its inputs and parameters. */

import type { Catalog } from "../graph/catalog";
import { findNode, linkAt } from "../graph/lookup";
import type { JsonValue, ModuleSpec, PipelineDocument, PipelineNode } from "../graph/types";
import { sourceOf } from "../graph/checks";

/** A few lines that run in a script of one's own; an empty text for an unknown module. */
export function pythonOf(document: PipelineDocument, catalog: Catalog, id: string): string {
  const node = findNode(document, id);
  const module = node && catalog.byId.get(node.module);
  if (!node || !module) return "";
  return [
    module.origin === "import"
      ? "from modules.catalog import builtin_catalog"
      : "from pathlib import Path\n\nfrom modules.catalog import load_catalog",
    "",
    module.origin === "import"
      ? "catalog = builtin_catalog()"
      : 'catalog = load_catalog(Path("workspace/modules"))',
    `module = catalog.get("${module.id}")`,
    `${resultName(node)} = module.run(`,
    `    ${inputsOf(node, module, document, catalog)},`,
    `    ${parametersOf(node, document, module)},`,
    "    context,",
    ")",
    ...module.outputs.map((port) => `# ${resultName(node)}["${port.id}"]: ${port.type}`),
    "",
  ].join("\n");
}

/** A value as Python writes it. */
export function pythonValue(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" || typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}: ${pythonValue(each)}`).join(", ")}}`;
}

function inputsOf(
  node: PipelineNode,
  module: ModuleSpec,
  document: PipelineDocument,
  catalog: Catalog,
): string {
  const lines = module.inputs.flatMap((port) => {
    const link = linkAt(document, { node: node.id, port: port.id });
    const end = link && sourceOf(link.from, document, catalog);
    const source = end && findNode(document, end.node);
    if (!end || !source) return [];
    return [`        "${port.id}": ${resultName(source)}["${end.port}"],`];
  });
  return lines.length ? `{\n${lines.join("\n")}\n    }` : "{}";
}

function parametersOf(node: PipelineNode, document: PipelineDocument, module: ModuleSpec): string {
  const values = new Map(Object.entries(node.parameters));
  const seed = document.settings.random_seed;
  const hasSeed = module.parameters.some((each) => each.id === "random_seed");
  if (seed !== null && hasSeed && !values.has("random_seed")) values.set("random_seed", seed);
  const lines = [...values].map(([name, value]) => `        ${name}=${pythonValue(value)},`);
  return lines.length
    ? `module.parameters_type(\n${lines.join("\n")}\n    )`
    : "module.parameters_type()";
}

/** The node's id as a name; ids may begin with a digit and hold hyphens. */
function resultName(node: PipelineNode): string {
  const name = node.id.replaceAll("-", "_");
  return /^[0-9]/.test(name) ? `node_${name}` : name;
}
