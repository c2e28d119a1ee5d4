/** The sub-pipelines of a document as modules: with ports, parameters and a place in the palette. */

import type { Catalog } from "./catalog";
import { inputOf, outputOf } from "./catalog";
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

export const SUB_PIPELINES = "Sub-pipelines";

/** What every module has that no catalog holds, only a document. */
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

/** The catalog with the document's own sub-pipelines in it; the same one for the same of both. */
export function withOwnModules(catalog: Catalog, document: PipelineDocument): Catalog {
  const base = catalog.base ?? catalog;
  const { definitions = none } = document;
  return definitions.length ? catalogs(base)(definitions) : base;
}

/** One of each sub-pipeline, inner ones first; those in a circle are left out. */
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
      const known = definitions.map((each) => `definition:${each.id}`);
      const isReady = needed.every((node) => byId.has(node.module) || !known.includes(node.module));
      if (!isReady) return true;
      const module = moduleOf(definition, byId);
      byId.set(module.id, module);
      own.push(module);
      return false;
    });
  }
  return own;
}

function moduleOf(definition: Definition, byId: Modules): ModuleSpec {
  const title = definition.title || definition.id;
  const held = definition.nodes.length;
  return {
    ...OF_DOCUMENT,
    id: `definition:${definition.id}`,
    title,
    category: SUB_PIPELINES,
    summary:
      definition.description || `A sub-pipeline of ${held} ${held === 1 ? "node" : "nodes"}.`,
    description: definition.description,
    keywords: ["sub-pipeline"],
    inputs: definition.inputs.flatMap((port) => portOf(definition, port, inputOf, byId) ?? []),
    outputs: definition.outputs.flatMap((port) => portOf(definition, port, outputOf, byId) ?? []),
    parameters: definition.parameters.map((each) => parameterOf(definition, each, byId)),
  };
}

function portOf(
  definition: Definition,
  port: DefinitionPort,
  find: (module: ModuleSpec, id: string) => PortSpec | undefined,
  byId: Modules,
): PortSpec | undefined {
  const module = innerModule(definition, port.node, byId);
  const inner = module && find(module, port.port);
  return inner && { ...inner, id: port.id, title: port.title || inner.title };
}

function parameterOf(
  definition: Definition,
  parameter: PipelineParameter,
  byId: Modules,
): ParameterSpec {
  const [node = "", name] = parameter.binds[0]?.split(".") ?? [];
  const module = innerModule(definition, node, byId);
  const inner = module?.parameters.find((each) => each.id === name) ?? UNBOUND;
  return {
    ...inner,
    id: parameter.id,
    type: inner === UNBOUND ? parameter.type : inner.type,
    title: parameter.title || inner.title || parameter.id,
    help: parameter.description || inner.help,
    required: false,
    default: parameter.default,
    group: "",
    folded: false,
    shown_when: [],
    follows: null,
  };
}

function innerModule(definition: Definition, node: string, byId: Modules): ModuleSpec | undefined {
  const found = definition.nodes.find((each) => each.id === node);
  return found && byId.get(found.module);
}

const UNBOUND: ParameterSpec = {
  id: "",
  title: null,
  help: null,
  type: "string",
  items: null,
  nullable: true,
  required: false,
  default: null,
  choices: null,
  suggestions: [],
  code: null,
  runs: false,
  from_data: false,
  minimum: null,
  maximum: null,
  exclusive_minimum: null,
  exclusive_maximum: null,
  min_length: null,
  max_length: null,
  unit: "",
  group: "",
  folded: false,
  shown_when: [],
  follows: null,
};
