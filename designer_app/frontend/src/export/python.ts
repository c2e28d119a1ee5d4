/** Node and its inputs as a Python script: one call for each module. */

import type { Catalog } from "../graph/catalog";
import { expanded, members } from "../graph/expansion";
import { endKey, findNode, linkAt, linksInto, nodesById } from "../graph/lookup";
import { order } from "../graph/traversal";
import type {
  Endpoint,
  JsonValue,
  ModuleSpec,
  PipelineDocument,
  PipelineNode,
} from "../graph/types";
import { sourceOf } from "../graph/disabledNodes";

interface Step {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
}

/** Return a script for a node and its inputs; empty for an unknown module. */
export function pythonOf(whole: PipelineDocument, catalog: Catalog, id: string): string {
  const document = expanded(whole);
  return scriptOf(document, catalog, members(document, id));
}

/** Return a complete script, which prints the outputs that no wanted node uses. */
function scriptOf(document: PipelineDocument, catalog: Catalog, wanted: readonly string[]): string {
  const steps = stepsTo(document, catalog, wanted);
  if (!steps.length) return "";
  const [ids, taken] = [new Set(wanted), takenBy(document, wanted)];
  const isOurs = steps.every(({ module }) => module.origin === "import");
  return [
    ...(isOurs ? BUILT_IN : OF_THE_WORKSPACE),
    ...steps.flatMap(({ node, module }) => callOf(node, module, document, catalog)),
    ...steps
      .filter(({ node }) => ids.has(node.id))
      .flatMap(({ node, module }) =>
        module.outputs.map((port) => ({ node: node.id, port: port.id })),
      )
      .filter((end) => !taken.has(endKey(end)))
      .map((end) => `print(${valueOf(end.node, end.port)})`),
    "",
  ].join("\n");
}

const BUILT_IN = [
  "from pathlib import Path",
  "",
  "from modules.catalog import builtin_catalog",
  "from modules.context import Context",
  "",
  "catalog = builtin_catalog()",
  'folder = Path("outputs")',
  "",
  "",
  "def run(module_id, node, inputs, **parameters):",
  "    module = catalog.get(module_id)",
  "    values = module.parameters_type(**parameters)",
  "    return module.run(inputs, values, Context(folder / node))",
  "",
  "",
];

/** Modules of the user, which are in files of the workspace. */
const OF_THE_WORKSPACE = [
  "from pathlib import Path",
  "",
  "from modules.context import Context",
  "from modules.loading import load_module",
  "from pipelines.session import WorkspaceSession",
  "from pipelines.workspace import Workspace",
  "",
  'catalog = WorkspaceSession(Workspace.at("workspace")).catalog',
  'folder = Path("outputs")',
  "",
  "",
  "def run(module_id, node, inputs, **parameters):",
  "    module = load_module(catalog.origin(module_id), module_id)",
  "    values = module.parameters_type(**parameters)",
  "    return module.run(inputs, values, Context(folder / node))",
  "",
  "",
];

/** Return the outputs that one of the nodes uses as an input. */
function takenBy(document: PipelineDocument, ids: readonly string[]): ReadonlySet<string> {
  return new Set(ids.flatMap((id) => linksInto(document, id).map(({ from }) => endKey(from))));
}

/** Return nodes and all their inputs, sources first; nothing if a module is unknown. */
function stepsTo(
  document: PipelineDocument,
  catalog: Catalog,
  ids: readonly string[],
): readonly Step[] {
  const needed = new Set<string>();
  const waiting = [...ids];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (needed.has(next)) continue;
    needed.add(next);
    const module = catalog.byId.get(findNode(document, next)?.module ?? "");
    if (!module) return [];
    waiting.push(...inputsOf(next, module, document, catalog).map(({ end }) => end.node));
  }
  const sorted = order(document) ?? [...nodesById(document).keys()];
  return sorted.flatMap((id) => {
    const node = findNode(document, id);
    const module = node && catalog.byId.get(node.module);
    return module && needed.has(id) ? [{ node, module }] : [];
  });
}

function callOf(
  node: PipelineNode,
  module: ModuleSpec,
  document: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const inputs = inputsOf(node.id, module, document, catalog).map(
    ({ port, end }) => `        ${JSON.stringify(port)}: ${valueOf(end.node, end.port)},`,
  );
  return [
    `${resultName(node.id)} = run(`,
    `    ${JSON.stringify(module.id)},`,
    `    ${JSON.stringify(node.id)},`,
    ...(inputs.length > 0 ? ["    {", ...inputs, "    },"] : ["    {},"]),
    ...parametersOf(node, document, module).map(
      ([name, value]) => `    ${name}=${pythonValue(value)},`,
    ),
    ")",
  ];
}

/** Return a value as Python source. */
export function pythonValue(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" || typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item)}`).join(", ")}}`;
}

interface Input {
  readonly port: string;
  readonly end: Endpoint;
}

/** Return the outputs linked to each input, skipping disabled nodes. */
function inputsOf(
  id: string,
  module: ModuleSpec,
  document: PipelineDocument,
  catalog: Catalog,
): readonly Input[] {
  return module.inputs.flatMap((port) => {
    const link = linkAt(document, { node: id, port: port.id });
    const end = link && sourceOf(link.from, document, catalog);
    return end && findNode(document, end.node) ? [{ port: port.id, end }] : [];
  });
}

function parametersOf(
  node: PipelineNode,
  document: PipelineDocument,
  module: ModuleSpec,
): readonly (readonly [string, JsonValue])[] {
  const values = new Map(Object.entries(node.parameters));
  const seed = document.settings.random_seed;
  const hasSeed = module.parameters.some((parameter) => parameter.id === "random_seed");
  if (seed !== null && hasSeed && !values.has("random_seed")) values.set("random_seed", seed);
  return [...values];
}

function valueOf(node: string, port: string): string {
  return `${resultName(node)}[${JSON.stringify(port)}]`;
}

/** Names that the script defines, and Python keywords, which ids may equal. */
const TAKEN = new Set(
  (
    "and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield " +
    "run print catalog folder"
  ).split(" "),
);

/** Return the node's id as a Python name; ids may start with a digit, contain hyphens or slashes,
 * or be a keyword. */
function resultName(id: string): string {
  const name = id.replaceAll("-", "_").replaceAll("/", "__");
  if (/^[0-9]/.test(name)) return `node_${name}`;
  return TAKEN.has(name) ? `${name}_` : name;
}
