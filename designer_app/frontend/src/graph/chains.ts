/** Edits of fixes: one module on several links, or several modules before an input. */

import { type Catalog, fits, inputOf } from "./catalog";
import { addNode, connect, moduleOf, moveNodes, nodeOf, setParameter } from "./edits";
import { insertOnLink } from "./insertions";
import { portOf } from "./portOf";
import { linkAt, linksInto } from "./lookup";
import { PORT_TYPE_MISMATCH, refuse } from "./problems";
import { NONE_FITS_ON_LINK } from "./sentences/insertions.gen";
import { about } from "./sentences/sentence";
import { downstream } from "./traversal";
import type { Endpoint, JsonValue, PipelineDocument, Position } from "./types";

type Values = { readonly [key: string]: JsonValue };

/** Pixels from one column of nodes to the next, and from a node to the one below it. */
const COLUMN = 260;
const ROW = 150;

/** Insert one node on several links: its first input and output on the first link, and so on. */
export function insertAcross(
  document: PipelineDocument,
  catalog: Catalog,
  moduleId: string,
  node: string,
  ports: readonly string[],
): PipelineDocument {
  const module = moduleOf(catalog, moduleId);
  const place = nodeOf(document, node).position;
  const roomy = moveAway(document, node, COLUMN);
  const before = addNode(roomy, catalog, moduleId, place.x, place.y);
  const added = before.nodes.at(-1)?.id ?? "";
  return ports.reduce((edited, port, turn) => {
    const [entrance, exit] = [module.inputs[turn], module.outputs[turn]];
    const link = linkAt(document, { node, port });
    if (!entrance || !exit || !link) return edited;
    const entered = connect(edited, catalog, link.from, { node: added, port: entrance.id });
    return connect(entered, catalog, { node: added, port: exit.id }, { node, port });
  }, before);
}

/**
 * Insert the modules on the link that ends at `to`, and on the links of inputs of the same type; a
 * module that does not fit on them becomes an input of those that do.
 */
export function insertChain(
  document: PipelineDocument,
  catalog: Catalog,
  modules: readonly string[],
  to: Endpoint,
  parameters: Values = {},
): PipelineDocument {
  const { x, y } = nodeOf(document, to.node).position;
  const feeders: string[] = [];
  let [edited, columns] = [document, 0];
  for (const id of modules) {
    const left = x + columns * COLUMN;
    columns += 1;
    if (fitsOn(edited, catalog, id, to)) {
      siblings(edited, catalog, to).forEach((end, row) => {
        edited = insertOnLink(edited, catalog, id, end);
        const added = edited.nodes.at(-1)?.id ?? "";
        edited = moveNodes(edited, new Map([[added, { x: left, y: y + row * ROW }]]));
        edited = fed(edited, catalog, added, feeders);
      });
    } else {
      edited = addNode(edited, catalog, id, left, y - ROW);
      const feeder = edited.nodes.at(-1)?.id ?? "";
      feeders.push(feeder);
      edited = withParameters(edited, catalog, feeder, parameters[id]);
    }
  }
  if (feeders.length < modules.length) return moveAway(edited, to.node, columns * COLUMN);
  return refuse(
    PORT_TYPE_MISMATCH,
    about(NONE_FITS_ON_LINK, { to: portOf(document, catalog, to) }),
    to,
  );
}

/** Move a node and all nodes after it to the right, to make space before it. */
function moveAway(document: PipelineDocument, id: string, pixels: number): PipelineDocument {
  const places = new Map<string, Position>();
  for (const member of [id, ...downstream(document, [id])]) {
    const { x, y } = nodeOf(document, member).position;
    places.set(member, { x: x + pixels, y });
  }
  return moveNodes(document, places);
}

function fitsOn(
  document: PipelineDocument,
  catalog: Catalog,
  moduleId: string,
  to: Endpoint,
): boolean {
  const wanted = inputOf(moduleOf(catalog, nodeOf(document, to.node).module), to.port);
  const { inputs } = moduleOf(catalog, moduleId);
  return wanted !== undefined && inputs.some((port) => fits(catalog, wanted.type, port.type));
}

/** Return the linked inputs of a node that have the same type as one of them; that one first. */
function siblings(document: PipelineDocument, catalog: Catalog, to: Endpoint): readonly Endpoint[] {
  const module = moduleOf(catalog, nodeOf(document, to.node).module);
  const wanted = inputOf(module, to.port);
  const others = module.inputs
    .filter((port) => port.id !== to.port && port.type === wanted?.type)
    .map((port) => ({ node: to.node, port: port.id }));
  return [to, ...others].filter((end) => linkAt(document, end) !== undefined);
}

/** Connect each feeder's output to the node's first free input that accepts it. */
function fed(
  document: PipelineDocument,
  catalog: Catalog,
  node: string,
  feeders: readonly string[],
): PipelineDocument {
  const module = moduleOf(catalog, nodeOf(document, node).module);
  return feeders.reduce((edited, feeder) => {
    const [output] = moduleOf(catalog, nodeOf(edited, feeder).module).outputs;
    const taken = new Set(linksInto(edited, node).map((link) => link.to.port));
    const free = module.inputs.find(
      (port) => output && !taken.has(port.id) && fits(catalog, output.type, port.type),
    );
    if (!output || !free) return edited;
    const start = { node: feeder, port: output.id };
    return connect(edited, catalog, start, { node, port: free.id });
  }, document);
}

function withParameters(
  document: PipelineDocument,
  catalog: Catalog,
  node: string,
  values: JsonValue | undefined,
): PipelineDocument {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return document;
  return Object.entries(values).reduce(
    (edited, [name, value]) => setParameter(edited, catalog, node, name, value),
    document,
  );
}
