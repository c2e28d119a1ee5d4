/** Ports of a sub-pipeline, seen from within, as two modules. */

import { type Catalog, inputOf, outputOf } from "./catalog";
import { PREFIX, definitionIdOf } from "./definitions";
import { remembered } from "./lookup";
import { OF_DOCUMENT } from "./ownModules";
import type {
  Definition,
  DefinitionPort,
  ModuleSpec,
  PipelineDocument,
  PortSpec,
  PortTypeSpec,
} from "./types";
import { NEW_PORT } from "./paths";
import { t } from "./translate";

/** Type of the port that becomes a new port when it is linked. */
const ANY = t("Anything");

const known = remembered((catalog: Catalog) =>
  remembered((definitions: readonly Definition[]) =>
    remembered((definition: Definition) => withBoundary(catalog, definitions, definition)),
  ),
);

/** Return the catalog inside a definition: without modules that contain it, with those of its
 * ports. */
export function boundaryCatalog(
  catalog: Catalog,
  whole: PipelineDocument,
  definition: Definition,
): Catalog {
  return known(catalog)(whole.definitions ?? [])(definition);
}

function withBoundary(
  catalog: Catalog,
  definitions: readonly Definition[],
  definition: Definition,
): Catalog {
  const types = new Map([...catalog.types].map(([name, type]) => [name, alsoAny(type)]));
  const all = [...catalog.types.keys()];
  types.set(ANY, { name: ANY, colour: "grey", help: "", supertypes: all });
  const byId = new Map(catalog.byId);
  for (const module of [inputs(catalog, definition), outputs(catalog, definition)]) {
    byId.set(module.id, module);
  }
  const modules = catalog.modules.filter(({ id }) => !holds(definitions, id, definition.id));
  return { ...catalog, modules, byId, types, base: catalog.base ?? catalog };
}

function alsoAny(type: PortTypeSpec): PortTypeSpec {
  return { ...type, supertypes: [...type.supertypes, ANY] };
}

/** Return true if a module is a definition, or contains it at any level. */
export function holds(
  definitions: readonly Definition[],
  module: string,
  definition: string,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  const id = definitionIdOf(module);
  if (id === undefined || seen.has(id)) return false;
  if (id === definition) return true;
  const inner = definitions.find((definition) => definition.id === id)?.nodes ?? [];
  const met = new Set([...seen, id]);
  return inner.some((node) => holds(definitions, node.module, definition, met));
}

function inputs(catalog: Catalog, definition: Definition): ModuleSpec {
  const ports = definition.inputs.flatMap((port) => {
    const module = moduleAt(catalog, definition, port);
    const inner = module && inputOf(module, port.port);
    return inner ? [named(inner, port)] : [];
  });
  return boundary("sub_pipeline_inputs", t("Inputs"), [], [...ports, fresh(t("new input"))]);
}

function outputs(catalog: Catalog, definition: Definition): ModuleSpec {
  const ports = definition.outputs.flatMap((port) => {
    const module = moduleAt(catalog, definition, port);
    const inner = module && outputOf(module, port.port);
    return inner ? [named(inner, port)] : [];
  });
  return boundary("sub_pipeline_outputs", t("Outputs"), [...ports, fresh(t("new output"))], []);
}

function moduleAt(
  catalog: Catalog,
  definition: Definition,
  port: DefinitionPort,
): ModuleSpec | undefined {
  const node = definition.nodes.find((inner) => inner.id === port.node);
  return node && catalog.byId.get(node.module);
}

function named(inner: PortSpec, port: DefinitionPort): PortSpec {
  const label = port.title.toLowerCase() || inner.label;
  const title = port.title || inner.title;
  return { ...inner, id: port.id, title, label, share: null, optional: true };
}

function fresh(title: string): PortSpec {
  const description = t("Connect a wire here to add a port to the sub-pipeline.");
  return {
    id: NEW_PORT,
    title,
    type: ANY,
    optional: true,
    description,
    label: title.toLowerCase(),
    share: null,
    made_with: "",
  };
}

function boundary(
  id: string,
  title: string,
  taken: readonly PortSpec[],
  outputs: readonly PortSpec[],
): ModuleSpec {
  return {
    ...OF_DOCUMENT,
    id,
    title,
    category: PREFIX,
    summary: "",
    inputs: taken,
    outputs,
  };
}
