/** Edits of a document: pure functions from one document to the next, with the cases of
 * `tests/cases/edits.json`. An edit that makes no sense throws `EditRefused`. Parts that do not
 * change keep their identity. */

import type { Catalog } from "./catalog";
import { findNode, nodesById, sameEnd } from "./lookup";
import { localName, placeAround } from "./paths";
import { EditRefused, UNKNOWN_MODULE, UNKNOWN_NODE, didYouMean, refuse } from "./problems";
import { mayLink, problemOfVerdict } from "./connections";
import { NO_MODULE, NO_NODE } from "./sentences/edits.gen";
import { about } from "./sentences/sentence";
import type {
  Endpoint,
  JsonValue,
  ModuleSpec,
  ParameterSpec,
  PipelineDocument,
  PipelineNode,
  Position,
  RunSettings,
  Settings,
} from "./types";

const MAX_ID_LENGTH = 64;

export const DEFAULT_RUN_SETTINGS: RunSettings = {
  target: null,
  node_count: 1,
  process_count_per_node: 1,
  regenerate_output: false,
  time_limit_minutes: 0,
  retries: 0,
};

/** Return `wanted`, or with the first of `_2`, `_3` ... that no item of the list has. */
export function freshId(taken: Iterable<{ readonly id: string }>, wanted: string): string {
  const ids = [...taken].map((part) => part.id);
  const known = new Set(ids.map(localName));
  const stem = localName(wanted).slice(0, MAX_ID_LENGTH);
  let free = stem;
  for (let number = 2; known.has(free); number += 1) {
    const ending = `_${number}`;
    free = stem.slice(0, MAX_ID_LENGTH - ending.length) + ending;
  }
  const place = placeAround(ids[0] ?? ""); // inside a sub-pipeline all ids have the path of its node
  return place ? `${place}/${free}` : free;
}

/** Return a node with default settings. */
export function newNode(id: string, module: string, position: Position): PipelineNode {
  return {
    id,
    module,
    version: 1,
    title: null,
    position,
    parameters: {},
    run_settings: DEFAULT_RUN_SETTINGS,
    comment: "",
    disabled: false,
  };
}

/** Add a node of the module at a position; its id is the module's or sub-pipeline's, made unique. */
export function addNode(
  document: PipelineDocument,
  catalog: Catalog,
  moduleId: string,
  x = 0,
  y = 0,
  parameters: { readonly [name: string]: JsonValue } = {},
): PipelineDocument {
  const module = moduleOf(catalog, moduleId);
  const id = freshId(document.nodes, moduleId.slice(moduleId.indexOf(":") + 1));
  const untouched = newNode(id, moduleId, { x, y });
  const node = { ...untouched, version: module.version, parameters };
  return { ...document, nodes: [...document.nodes, node] };
}

/** Return the initial parameters of a new node on this machine, if they differ from the defaults. */
export function startOf(catalog: Catalog, moduleId: string): PipelineNode["parameters"] {
  return catalog.byId.get(moduleId)?.starts_with ?? {};
}

/** Add a link; it replaces one that ended at the same input. */
export function connect(
  document: PipelineDocument,
  catalog: Catalog,
  from: Endpoint,
  to: Endpoint,
): PipelineDocument {
  const verdict = mayLink(document, catalog, from, to);
  if (!verdict.allowed) throw new EditRefused([problemOfVerdict(verdict, to)]);
  return { ...document, links: [...disconnect(document, to).links, { from, to }] };
}

/** Remove the link that ends at the input. */
export function disconnect(document: PipelineDocument, to: Endpoint): PipelineDocument {
  return { ...document, links: document.links.filter((link) => !sameEnd(link.to, to)) };
}

/** Replace the link that ended at an input by another: one end was dragged elsewhere. */
export function reconnect(
  document: PipelineDocument,
  catalog: Catalog,
  previousTo: Endpoint,
  from: Endpoint,
  to: Endpoint,
): PipelineDocument {
  return connect(disconnect(document, previousTo), catalog, from, to);
}

/** Set a value, which may be out of range: that is reported as a problem. A default is not
 * stored. */
export function setParameter(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
  name: string,
  value: JsonValue,
): PipelineDocument {
  const { parameters } = nodeOf(document, id);
  return compact(withNode(document, id, { parameters: { ...parameters, [name]: value } }), catalog);
}

/** Reset a parameter to its default. */
export function resetParameter(
  document: PipelineDocument,
  id: string,
  name: string,
): PipelineDocument {
  const entries = Object.entries(nodeOf(document, id).parameters);
  const kept = entries.filter(([key]) => key !== name);
  return withNode(document, id, { parameters: Object.fromEntries(kept) });
}

/** Set the title of a node; null is the module's title. The id stays. */
export function renameNode(
  document: PipelineDocument,
  id: string,
  title: string | null,
): PipelineDocument {
  return withNode(document, id, { title: title || null });
}

export function setComment(
  document: PipelineDocument,
  id: string,
  comment: string,
): PipelineDocument {
  return withNode(document, id, { comment });
}

/** Move nodes to other positions: id -> pixels. */
export function moveNodes(
  document: PipelineDocument,
  places: ReadonlyMap<string, Position>,
): PipelineDocument {
  for (const id of places.keys()) nodeOf(document, id);
  const nodes = document.nodes.map((node) => {
    const place = places.get(node.id);
    if (!place || (place.x === node.position.x && place.y === node.position.y)) return node;
    return { ...node, position: { x: place.x, y: place.y } };
  });
  return { ...document, nodes };
}

/** Change some of a node's run settings. */
export function setRunSettings(
  document: PipelineDocument,
  id: string,
  settings: Partial<RunSettings>,
): PipelineDocument {
  const present = nodeOf(document, id).run_settings;
  return withNode(document, id, { run_settings: compactSettings({ ...present, ...settings }) });
}

/** Remove optional settings that are not set: null, 0 or empty. */
function compactSettings(settings: RunSettings): RunSettings {
  const isSet = (value: unknown): boolean =>
    typeof value === "object" && value !== null ? Object.keys(value).length > 0 : !!value;
  const entries = Object.entries(settings);
  const kept = entries.filter(([name, value]) => name in DEFAULT_RUN_SETTINGS || isSet(value));
  return Object.fromEntries(kept) as unknown as RunSettings;
}

export function setDisabled(
  document: PipelineDocument,
  ids: Iterable<string>,
  disabled: boolean,
): PipelineDocument {
  let changed = document;
  for (const id of ids) changed = withNode(changed, id, { disabled });
  return changed;
}

/** Show nodes as their title bars only, or in full. */
export function setCollapsed(
  document: PipelineDocument,
  ids: Iterable<string>,
  collapsed: boolean,
): PipelineDocument {
  return withOptional(document, ids, "collapsed", collapsed || undefined);
}

/** Set the color of a node, or reset it to the color of its module. */
export function setColour(
  document: PipelineDocument,
  ids: Iterable<string>,
  color: string | null,
): PipelineDocument {
  return withOptional(document, ids, "color", color ?? undefined);
}

/** Pin nodes to a stored result, or unpin them. */
export function setPin(
  document: PipelineDocument,
  ids: Iterable<string>,
  pin: PipelineNode["pin"],
): PipelineDocument {
  return withOptional(document, ids, "pin", pin ?? undefined);
}

/** Set an optional field of nodes; without a value they do not have it. */
function withOptional<Field extends "collapsed" | "color" | "pin">(
  document: PipelineDocument,
  ids: Iterable<string>,
  field: Field,
  value: PipelineNode[Field] | undefined,
): PipelineDocument {
  const chosen = new Set(ids);
  for (const id of chosen) nodeOf(document, id);
  const nodes = document.nodes.map((node) => {
    if (!chosen.has(node.id)) return node;
    const { [field]: previous, ...plain } = node;
    if ((previous ?? undefined) === value) return node;
    return (value === undefined ? plain : { ...plain, [field]: value }) as PipelineNode;
  });
  return { ...document, nodes };
}

/** Upgrade a node to the installed version of its module; unknown parameters are dropped. */
export function upgradeNode(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
): PipelineDocument {
  const node = nodeOf(document, id);
  const module = moduleOf(catalog, node.module);
  const known = new Set(module.parameters.map((parameter) => parameter.id));
  const kept = Object.entries(node.parameters).filter(([name]) => known.has(name));
  return withNode(document, id, {
    version: module.version,
    parameters: Object.fromEntries(kept),
  });
}

/** Replace the module of a node. Parameters and links that the other module has, too, are kept; a
 * pinned result is not. */
export function replaceModule(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
  moduleId: string,
  parameters: PipelineNode["parameters"] = {},
): PipelineDocument {
  const module = moduleOf(catalog, moduleId);
  const known = new Set(module.parameters.map((parameter) => parameter.id));
  const kept = Object.entries(nodeOf(document, id).parameters).filter(([name]) => known.has(name));
  const changed = withNode(document, id, {
    module: moduleId,
    version: module.version,
    parameters: { ...Object.fromEntries(kept), ...parameters },
  });
  const inputs = new Set(module.inputs.map((port) => port.id));
  const outputs = new Set(module.outputs.map((port) => port.id));
  const unpinned = setPin(changed, [id], undefined);
  const links = document.links.filter(
    ({ from, to }) =>
      (from.node !== id || outputs.has(from.port)) && (to.node !== id || inputs.has(to.port)),
  );
  return compact({ ...unpinned, links }, catalog);
}

/** Change some of the pipeline's settings. */
export function setSettings(
  document: PipelineDocument,
  settings: Partial<Settings>,
): PipelineDocument {
  return { ...document, settings: { ...document.settings, ...settings } };
}

export function setName(document: PipelineDocument, name: string): PipelineDocument {
  return { ...document, name: name.slice(0, 200) };
}

export function setDescription(document: PipelineDocument, description: string): PipelineDocument {
  return { ...document, description: description.slice(0, 20_000) };
}

/** Return the ids of nodes that only the second document has. */
export function addedNodes(before: PipelineDocument, after: PipelineDocument): readonly string[] {
  const known = nodesById(before);
  return after.nodes.filter((node) => !known.has(node.id)).map((node) => node.id);
}

/** Return the document without parameters that equal their default. */
function compact(document: PipelineDocument, catalog: Catalog): PipelineDocument {
  return { ...document, nodes: document.nodes.map((node) => compactNode(node, catalog)) };
}

/** Compare as JSON, ignoring the order of keys. Identical objects cost nothing. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other || Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) || Array.isArray(other)) return sameList(one, other);
  const [left, right] = [one as Values, other as Values];
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]));
}

type Values = Readonly<Record<string, unknown>>;

function sameList(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) {
    if (!sameValue(one[place], other[place])) return false;
  }
  return true;
}

export function nodeOf(document: PipelineDocument, id: string): PipelineNode {
  const node = findNode(document, id);
  if (node) return node;
  const help = didYouMean(id, [...nodesById(document).keys()]);
  return refuse(UNKNOWN_NODE, about(NO_NODE, { name: id.slice(0, 100), help }));
}

export function moduleOf(catalog: Catalog, id: string): ModuleSpec {
  const module = catalog.byId.get(id);
  if (module) return module;
  const help = didYouMean(id, [...catalog.byId.keys()]);
  return refuse(UNKNOWN_MODULE, about(NO_MODULE, { module: id.slice(0, 100), help }));
}

function withNode(
  document: PipelineDocument,
  id: string,
  changes: Partial<PipelineNode>,
): PipelineDocument {
  const changed = { ...nodeOf(document, id), ...changes };
  return { ...document, nodes: document.nodes.map((node) => (node.id === id ? changed : node)) };
}

function compactNode(node: PipelineNode, catalog: Catalog): PipelineNode {
  const module = catalog.byId.get(node.module);
  if (!module) return node;
  const specs = new Map(module.parameters.map((parameter) => [parameter.id, parameter]));
  const entries = Object.entries(node.parameters);
  const kept = entries.filter(([name, value]) => !isDefault(specs.get(name), value));
  return kept.length === entries.length ? node : { ...node, parameters: Object.fromEntries(kept) };
}

function isDefault(spec: ParameterSpec | undefined, value: JsonValue): boolean {
  return spec !== undefined && !spec.required && sameValue(value, spec.default);
}
