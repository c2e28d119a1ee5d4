/** The inside of a sub-pipeline as a separate document, whose nodes have their paths as ids. Its
 * ports belong to two nodes that only the canvas has: inputs and outputs. Edits of such a document
 * are stored in the definition, for every node that uses it. */

import { titleAmong } from "./titles";
import type { Catalog } from "./catalog";
import { definitionOf } from "./definitions";
import { newNode, nodeOf } from "./edits";
import { clearOfOthers } from "./layout/clearOfOthers";
import { makeSubPipeline } from "./subPipelines";
import { boundaryPlaces } from "./boundaryPlaces";
import { remembered } from "./lookup";
import { withOwnModules } from "./ownModules";
import { outerParameters } from "./outerBinds";
import { INPUTS, OUTPUTS, isBoundary, localName } from "./paths";
import { boundaryCatalog } from "./placeModules";
import { keptInside } from "./placeEdits";
import type {
  Definition,
  DefinitionPort,
  Group,
  Link,
  PipelineDocument,
  PipelineNode,
  PipelineParameter,
  Position,
  Size,
} from "./types";

/** Return the sub-pipeline at the path of a node. */
export function definitionAt(whole: PipelineDocument, place: string): Definition | undefined {
  let inside: Definition | undefined;
  for (const id of place.split("/")) {
    const node = (inside ?? whole).nodes.find((node) => node.id === id);
    inside = node && definitionOf(whole, node.module);
    if (!inside) return undefined;
  }
  return inside;
}

/** Return the place or its nearest existing parent; empty for the pipeline itself. */
export function nearestPlace(whole: PipelineDocument, place: string): string {
  let near = place;
  while (near && !definitionAt(whole, near))
    near = near.slice(0, Math.max(0, near.lastIndexOf("/")));
  return near;
}

/** Return the part of a document that a canvas of this size shows at a place. */
export function shownAt(whole: PipelineDocument, place: string, room?: Size): PipelineDocument {
  const definition = place ? definitionAt(whole, place) : undefined;
  if (!definition) return whole;
  const size = room ? `${room.width}x${room.height}` : "";
  const make = (): PipelineDocument => {
    const inside = insideOf(definition, place, room);
    const outer = outerParameters(whole, definition, place);
    const parameters = outer.length ? [...(inside.parameters ?? []), ...outer] : inside.parameters;
    return { ...whole, ...inside, ...(parameters && { parameters }) };
  };
  return once(whole, `${place} ${size}`, make);
}

/** Return the whole document after an edit of the part shown at a place. */
export function keptAt(
  whole: PipelineDocument,
  place: string,
  shown: PipelineDocument,
): PipelineDocument {
  const definition = place ? definitionAt(whole, place) : undefined;
  if (!definition) return shown;
  return keptInside({ whole, definition, place }, shown, (part) => originals.get(part));
}

/** Return the modules that may be added at a place, and those of its ports. */
export function catalogAt(offered: Catalog, whole: PipelineDocument, place: string): Catalog {
  const catalog = withOwnModules(offered, whole);
  const definition = place ? definitionAt(whole, place) : undefined;
  return definition ? boundaryCatalog(catalog, whole, definition) : catalog;
}

type Inside = Pick<PipelineDocument, "nodes" | "links" | "notes" | "groups" | "parameters">;

/** Originals of the shown parts of a definition. */
const originals = new WeakMap<object, object>();
const shown = new WeakMap<object, Map<string, object>>();

/** Computed once for each part and place: unchanged parts keep their identity. */
function once<Part extends object, Made extends object>(
  part: Part,
  prefix: string,
  make: (part: Part) => Made,
): Made {
  const known = shown.get(part) ?? new Map<string, object>();
  shown.set(part, known);
  const made = (known.get(prefix) as Made | undefined) ?? make(part);
  known.set(prefix, made);
  return made;
}

function insideOf(definition: Definition, place: string, room: Size | undefined): Inside {
  const prefix = `${place}/`;
  const [before, behind] = boundaryPlaces(definition, room);
  return once(definition, `${prefix} ${before.x} ${before.y} ${behind.x} ${behind.y}`, () => {
    const name = (id: string): string => `${prefix}${id}`;
    const nodes = definition.nodes.map((node) => pathed(node, prefix));
    return {
      nodes: [
        ...nodes,
        boundary(`${prefix}${INPUTS}`, before),
        boundary(`${prefix}${OUTPUTS}`, behind),
      ],
      links: [
        ...definition.links.map((link) => pathedLink(link, prefix)),
        ...definition.inputs.map((port) => inputLink(port, prefix)),
        ...definition.outputs.map((port) => outputLink(port, prefix)),
      ],
      notes: definition.notes ?? [],
      groups: (definition.groups ?? []).map((group): Group => ({
        ...group,
        nodes: group.nodes.map(name),
      })),
      parameters: definition.parameters.map((parameter): PipelineParameter => ({
        ...parameter,
        binds: parameter.binds.map(name),
      })),
    };
  });
}

function pathed(node: PipelineNode, prefix: string): PipelineNode {
  return once(node, prefix, () => {
    const made = { ...node, id: `${prefix}${node.id}` };
    originals.set(made, node);
    return made;
  });
}

function pathedLink(link: Link, prefix: string): Link {
  return once(link, prefix, () => {
    const made = {
      ...link,
      from: { ...link.from, node: `${prefix}${link.from.node}` },
      to: { ...link.to, node: `${prefix}${link.to.node}` },
    };
    originals.set(made, link);
    return made;
  });
}

function inputLink(port: DefinitionPort, prefix: string): Link {
  return once(port, `${prefix}${INPUTS}`, () => ({
    from: { node: `${prefix}${INPUTS}`, port: port.id },
    to: { node: `${prefix}${port.node}`, port: port.port },
  }));
}

function outputLink(port: DefinitionPort, prefix: string): Link {
  return once(port, `${prefix}${OUTPUTS}`, () => ({
    from: { node: `${prefix}${port.node}`, port: port.port },
    to: { node: `${prefix}${OUTPUTS}`, port: port.id },
  }));
}

function boundary(id: string, position: Position): PipelineNode {
  return newNode(id, `sub_pipeline_${localName(id).slice(1)}`, position);
}

/** Node of the document at any level: its path and parents. */
export interface PlacedNode {
  readonly path: string;
  readonly node: PipelineNode;
  /** Titles of the enclosing nodes, outermost first. */
  readonly around: readonly string[];
}

/** Maximum number of listed nodes, at all levels of nesting. */
const MOST = 5000;

/** Return every node of a document and of its sub-pipelines, in document order. */
export const everyNode = remembered((whole: PipelineDocument) =>
  remembered((catalog: Catalog): readonly PlacedNode[] => nodesIn(whole, catalog)),
);

function nodesIn(whole: PipelineDocument, catalog: Catalog): readonly PlacedNode[] {
  const nodesInside: PlacedNode[] = [];
  const visit = (
    nodes: readonly PipelineNode[],
    prefix: string,
    around: readonly string[],
    holding: readonly string[],
  ): void => {
    for (const node of nodes) {
      if (nodesInside.length >= MOST || isBoundary(node.id)) continue;
      const path = `${prefix}${node.id}`;
      nodesInside.push({ path, node: { ...node, id: path }, around });
      const definition = definitionOf(whole, node.module);
      if (!definition || holding.includes(definition.id)) continue;
      const title = node.title ?? catalog.byId.get(node.module)?.title ?? node.id;
      visit(definition.nodes, `${path}/`, [...around, title], [...holding, definition.id]);
    }
  };
  visit(whole.nodes, "", [], []);
  return nodesInside;
}

/** "Preparation / Split": title of a node with those of its parents. */
export function pathTitle(whole: PipelineDocument, catalog: Catalog, path: string): string {
  return titlesAlong(whole, catalog, path)
    .map(({ title }) => title)
    .join(" / ");
}

/** Return the titles along the path, for the breadcrumb. */
export function titlesAlong(
  whole: PipelineDocument,
  catalog: Catalog,
  place: string,
): readonly { readonly place: string; readonly title: string }[] {
  let nodes = whole.nodes;
  return place.split("/").map((id, level, ids) => {
    const node = nodes.find((node) => node.id === id);
    const definition = node && definitionOf(whole, node.module);
    const around = nodes;
    nodes = definition?.nodes ?? [];
    const title = node ? titleAmong(around, node, catalog) : id;
    return { place: ids.slice(0, level + 1).join("/"), title };
  });
}
/** Replace the selection by one node, placed where it covers no remaining node. */
export function subPipelineInPlace(
  document: PipelineDocument,
  catalog: Catalog,
  ids: readonly string[],
): PipelineDocument {
  const places = ids.map((id) => nodeOf(document, id).position);
  const made = makeSubPipeline(document, catalog, ids);
  return clearOfOthers(made, withOwnModules(catalog, made), places);
}

export { unpack } from "./subPipelines";
