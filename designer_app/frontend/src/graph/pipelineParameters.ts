/** Parameters of a pipeline or sub-pipeline: one value for parameters of several nodes. */

import { halves, nodeAt } from "./binds";
import { definitionOf } from "./definitions";
import { freshId } from "./edits";
import { findNode } from "./lookup";
import { isElsewhere } from "./outerBinds";
import { localName, placeAround } from "./paths";
import { everyNode } from "./places";
import type { Catalog } from "./catalog";
import type {
  Definition,
  JsonValue,
  ParameterSpec,
  PipelineDocument,
  PipelineNode,
  PipelineParameter,
} from "./types";

const MAX_TITLE = 200;
const MAX_TEXT = 20_000;

/** Return the parameter that sets a node's parameter; undefined if the node sets its own value. */
export function givenBy(
  document: PipelineDocument,
  node: string,
  name: string,
): PipelineParameter | undefined {
  return document.parameters?.find(
    ({ id, binds }) => binds.includes(`${node}.${name}`) && !isElsewhere(id),
  );
}

/** Add a pipeline parameter bound to a node's parameter, with its current value. */
export function makeParameter(
  document: PipelineDocument,
  id: string,
  spec: ParameterSpec,
  value: JsonValue,
): PipelineDocument {
  const parameters = document.parameters ?? [];
  const made: PipelineParameter = {
    id: freshName(parameters, id, spec.id),
    title: "",
    type: typeOf(spec),
    default: value,
    description: "",
    binds: [`${id}.${spec.id}`],
  };
  return { ...document, parameters: [...parameters, made] };
}

/** Bind a further parameter of a node to a pipeline parameter. */
export function bind(document: PipelineDocument, id: string, bound: string): PipelineDocument {
  const change = (parameter: PipelineParameter): PipelineParameter =>
    parameter.id === id ? { ...parameter, binds: [...parameter.binds, bound] } : parameter;
  return withParameters(document, change);
}

/** Return further node parameters that a parameter could set: of the same type, not bound yet. */
export function bindable(
  document: PipelineDocument,
  catalog: Catalog,
  { binds }: PipelineParameter,
): readonly string[] {
  const like = specAt(document, catalog, binds[0]);
  if (!like) return [];
  return everyNode(document)(catalog).flatMap(({ path, node }) =>
    (catalog.byId.get(node.module)?.parameters ?? [])
      .filter((spec) => isLike(spec, like) && hasOwnValue(document, path, spec.id))
      .map((spec) => `${path}.${spec.id}`),
  );
}

/** Return true if no parameter sets it, here or in a sub-pipeline that contains the node. */
function hasOwnValue(document: PipelineDocument, path: string, name: string): boolean {
  for (let around = placeAround(path); around; around = placeAround(around)) {
    const holder = nodeAt(document, around);
    const bind = `${path.slice(around.length + 1)}.${name}`;
    const inside = holder && definitionOf(document, holder.module);
    if (inside?.parameters.some(({ binds }) => binds.includes(bind))) return false;
  }
  return !givenBy(document, path, name);
}

/** Return true for parameters that accept the same values. */
export function isLike(spec: ParameterSpec, other: ParameterSpec): boolean {
  const { type, choices } = spec;
  return type === other.type && String(choices ?? "") === String(other.choices ?? "");
}

/** Return the places at which the value is executed as code: nodes and their parameters. */
export function placesOf(
  document: PipelineDocument,
  catalog: Catalog,
  { id, binds }: PipelineParameter,
): readonly (readonly [string, ...string[]])[] {
  return everyNode(document)(catalog).flatMap(({ node }) => {
    const running = catalog.byId.get(node.module)?.parameters.filter((spec) => spec.runs) ?? [];
    const isThere = ({ id: name }: ParameterSpec): boolean =>
      binds.includes(`${node.id}.${name}`) ||
      JSON.stringify(node.parameters[name] ?? null).includes(`parameters.${id}`);
    const names = running.filter(isThere).map((spec) => spec.id);
    return names.length > 0 ? [[node.id, ...names] as const] : [];
  });
}

/** Change the texts or the value of a parameter. */
export function changeParameter(
  document: PipelineDocument,
  id: string,
  changes: Partial<Pick<PipelineParameter, "title" | "description" | "default">>,
): PipelineDocument {
  const change = (parameter: PipelineParameter): PipelineParameter => {
    const after = { ...parameter, ...changes };
    const [title, description] = [after.title, after.description];
    return {
      ...after,
      title: title.slice(0, MAX_TITLE),
      description: description.slice(0, MAX_TEXT),
    };
  };
  return withParameters(document, (parameter) =>
    parameter.id === id ? change(parameter) : parameter,
  );
}

/** Remove a bind and leave the value at the node; a parameter without binds is removed. */
export function unbind(
  document: PipelineDocument,
  catalog: Catalog,
  node: string,
  name: string,
): PipelineDocument {
  const source = givenBy(document, node, name);
  if (!source) return document;
  const bind = `${node}.${name}`;
  const kept = (document.parameters ?? []).flatMap((parameter) => {
    if (parameter.id !== source.id) return [parameter];
    const binds = parameter.binds.filter((other) => other !== bind);
    return binds.length ? [{ ...parameter, binds }] : [];
  });
  return holding(withValue(document, catalog, `${node}.${name}`, source.default), kept);
}

/** Remove a parameter; each node keeps the value that it had. */
export function removeParameter(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
): PipelineDocument {
  const parameter = document.parameters?.find((candidate) => candidate.id === id);
  const without = (parameter?.binds ?? []).reduce(
    (changed, bind) => unbind(changed, catalog, ...halves(bind)),
    document,
  );
  const parameters = (without.parameters ?? []).filter((parameter) => parameter.id !== id);
  return holding(without, parameters);
}

/** Omit an empty list. */
function holding(
  document: PipelineDocument,
  parameters: readonly PipelineParameter[],
): PipelineDocument {
  const { parameters: before, ...rest } = document;
  return before && parameters.length ? { ...rest, parameters } : rest;
}

/** Return the node parameter at a bind, `node.parameter`. */
export function specAt(
  document: PipelineDocument,
  catalog: Catalog,
  bind = "",
): ParameterSpec | undefined {
  const [path, name] = halves(bind);
  const module = nodeAt(document, path)?.module ?? "";
  return catalog.byId.get(module)?.parameters.find((parameter) => parameter.id === name);
}

/** Change the texts or parts of a sub-pipeline. */
export function changeDefinition(
  document: PipelineDocument,
  id: string,
  changes: Partial<Omit<Definition, "id">>,
): PipelineDocument {
  const { definitions = [] } = document;
  return {
    ...document,
    definitions: definitions.map((definition) =>
      definition.id === id ? { ...definition, ...changes } : definition,
    ),
  };
}

function withParameters(
  document: PipelineDocument,
  change: (parameter: PipelineParameter) => PipelineParameter,
): PipelineDocument {
  return document.parameters
    ? { ...document, parameters: document.parameters.map(change) }
    : document;
}

/** Set the value at a node; for an inner node only at this place, by a parameter of the sub-
 * pipeline. */
function withValue(
  document: PipelineDocument,
  catalog: Catalog,
  bind: string,
  value: JsonValue,
): PipelineDocument {
  const [path, name] = halves(bind);
  const around = placeAround(path);
  const holder = findNode(document, path) ? undefined : nodeAt(document, around);
  const definition = holder && definitionOf(document, holder.module);
  if (!definition) return { ...document, nodes: settingIn(document.nodes, path, name, value) };
  const local = localName(path);
  if (isAlone(document, around)) {
    const nodes = settingIn(definition.nodes, local, name, value);
    return changeDefinition(document, definition.id, { nodes });
  }
  const made = {
    ...parameterFor(document, catalog, bind),
    id: freshName(definition.parameters, local, name),
    binds: [`${local}.${name}`],
  };
  const parameters = [...definition.parameters, made];
  const changed = changeDefinition(document, definition.id, { parameters });
  return withValue(changed, catalog, `${around}.${made.id}`, value);
}

/** Return a new pipeline parameter for a bind, with the current value of the node. */
function parameterFor(
  document: PipelineDocument,
  catalog: Catalog,
  bind: string,
): Pick<PipelineParameter, "title" | "type" | "default" | "description"> {
  const [path, name] = halves(bind);
  const node = nodeAt(document, path);
  const inner = node && definitionOf(document, node.module);
  const own = inner?.parameters.find(({ id }) => id === name);
  const spec = specAt(document, catalog, bind);
  const type = own?.type ?? (spec ? typeOf(spec) : "string");
  const present = [node?.parameters[name], own?.default, spec?.default];
  const value = present.find((candidate) => candidate !== undefined) ?? null;
  return { title: "", type, default: value, description: "" };
}

/** Return true if no other node shows the definition. */
function isAlone(document: PipelineDocument, place: string): boolean {
  const all = [document, ...(document.definitions ?? [])].flatMap(({ nodes }) => nodes);
  for (let around = place; around; around = placeAround(around)) {
    const module = nodeAt(document, around)?.module;
    if (all.filter((node) => node.module === module).length > 1) return false;
  }
  return true;
}

function settingIn(
  nodes: readonly PipelineNode[],
  id: string,
  name: string,
  value: JsonValue,
): readonly PipelineNode[] {
  return nodes.map((node) =>
    node.id === id ? { ...node, parameters: { ...node.parameters, [name]: value } } : node,
  );
}

/** Return the parameter's own name, prefixed by its node's if it is taken. */
function freshName(taken: readonly PipelineParameter[], id: string, name: string): string {
  if (taken.every((parameter) => parameter.id !== name)) return name;
  const node = localName(id)
    .replaceAll("-", "_")
    .replace(/^(?=\d)/, "_");
  return freshId(taken, `${node}_${name}`);
}

const TYPES: ReadonlySet<string> = new Set(["integer", "number", "boolean", "array", "object"]);

function typeOf({ type }: ParameterSpec): PipelineParameter["type"] {
  return TYPES.has(type) ? (type as PipelineParameter["type"]) : "string";
}
