/** Sub-pipelines of a document as modules: with ports, parameters and a position in the palette. */

import type { Catalog } from "./catalog";
import { inputOf, outputOf } from "./catalog";
import { halves, nodeAt } from "./binds";
import { remembered } from "./lookup";
import type {
  Definition,
  DefinitionPort,
  ModuleSpec,
  ParameterSpec,
  PipelineDocument,
  PipelineParameter,
  PortSpec,
} from "./types";
import { t } from "./translate";

export const SUB_PIPELINES = t("Sub-pipelines");

/** Fields of every module that exists only in a document, not in a catalog. */
export const OF_DOCUMENT = {
  version: 1,
  description: "",
  icon: "workflow",
  keywords: [],
  parameters: [],
  distributed: false,
  stoppable: false,
  launches: false,
  takes_environment: false,
  bridges: null,
  libraries: [],
  starts_with: {},
  origin: "document",
} as const;

type Modules = ReadonlyMap<string, ModuleSpec>;

const none: readonly Definition[] = [];

const catalogs = remembered((base: Catalog) =>
  remembered((definitions: readonly Definition[]) => {
    const byId = new Map(base.byId);
    const own = modulesOf(definitions, byId);
    return { ...base, modules: [...base.modules, ...own], byId, base };
  }),
);

/** Return the catalog with the document's sub-pipelines; cached for the same catalog and
 * definitions. */
export function withOwnModules(catalog: Catalog, document: PipelineDocument): Catalog {
  const base = catalog.base ?? catalog;
  const { definitions = none } = document;
  return definitions.length ? catalogs(base)(definitions) : base;
}

/** Return the modules of the sub-pipelines, inner ones first; cyclic ones are skipped. */
function modulesOf(
  definitions: readonly Definition[],
  byId: Map<string, ModuleSpec>,
): ModuleSpec[] {
  const own: ModuleSpec[] = [];
  let waiting = [...definitions];
  for (let before = -1; waiting.length && waiting.length !== before;) {
    before = waiting.length;
    waiting = waiting.filter((definition) => {
      const needed = definition.nodes.filter((node) => node.module.startsWith("definition:"));
      const known = definitions.map((definition) => `definition:${definition.id}`);
      const isReady = needed.every((node) => byId.has(node.module) || !known.includes(node.module));
      if (!isReady) return true;
      const module = moduleOf(definition, definitions, byId);
      byId.set(module.id, module);
      own.push(module);
      return false;
    });
  }
  return own;
}

function moduleOf(
  definition: Definition,
  definitions: readonly Definition[],
  byId: Modules,
): ModuleSpec {
  const { nodes, inputs, outputs } = definition;
  const moduleAt = (path: string): ModuleSpec | undefined =>
    byId.get(nodeAt({ nodes, definitions }, path)?.module ?? "");
  return {
    ...OF_DOCUMENT,
    id: `definition:${definition.id}`,
    title: definition.title || definition.id,
    category: SUB_PIPELINES,
    summary:
      definition.description ||
      t("A sub-pipeline of {count:,} {count:node|nodes}.", { count: nodes.length }),
    description: definition.description,
    keywords: ["sub-pipeline"],
    inputs: inputs.flatMap((port) => portOf(port, inputOf, moduleAt(port.node))),
    outputs: outputs.flatMap((port) => portOf(port, outputOf, moduleAt(port.node))),
    parameters: definition.parameters.map((parameter) => {
      const [path, name] = halves(parameter.binds[0] ?? "");
      const inner = moduleAt(path)?.parameters.find(({ id }) => id === name);
      return parameterOf(parameter, inner);
    }),
  };
}

function portOf(
  port: DefinitionPort,
  find: (module: ModuleSpec, id: string) => PortSpec | undefined,
  module: ModuleSpec | undefined,
): readonly PortSpec[] {
  const inner = module && find(module, port.port);
  return inner ? [{ ...inner, id: port.id, title: port.title || inner.title }] : [];
}

function parameterOf(
  { id, type, title, description, default: initial }: PipelineParameter,
  inner: ParameterSpec | undefined,
): ParameterSpec {
  return {
    ...UNBOUND,
    type,
    ...inner,
    id,
    title: title || (inner?.title ?? id),
    help: description || (inner?.help ?? null),
    required: false,
    default: initial,
    group: "",
    folded: false,
    shown_when: [],
    follows: null,
  };
}

/** Fields that a parameter without binds lacks. */
const UNBOUND = {
  items: null,
  nullable: true,
  choices: null,
  suggestions: [],
  code: null,
  runs: false,
  from_data: false,
  tries: false,
  minimum: null,
  maximum: null,
  exclusive_minimum: null,
  exclusive_maximum: null,
  min_length: null,
  max_length: null,
  unit: "",
};
