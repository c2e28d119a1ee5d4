/** Positions of a sub-pipeline's ports around its contents, chosen for the largest zoom. */

import { scaleOf } from "./layout/fold";
import { type Box, LOOP, NODE_WIDTH, boxAround, portPlace } from "./layout/geometry";
import type { Definition, DefinitionPort, Position, Size } from "./types";

/** Size of a canvas between its panes on a small screen, assumed if it is unknown. */
const SMALL: Size = { width: 490, height: 600 };
const ASIDE = NODE_WIDTH + 4 * LOOP;
/** Below the middle of the position of one more port. */
const BELOW_LAST = 21;
const GAP = 2 * LOOP;
/** Approximate height of a training node, or of a node with a preview below it. */
const TALL = 174;

type Places = readonly [inputs: Position, outputs: Position];

/** Return positions before the first and after the last node, or above and below all of them. */
export function boundaryPlaces(definition: Definition, room: Size = SMALL): Places {
  const held = definition.nodes.map(({ position }) => ({ ...position, ...NODE }));
  const inner = boxAround(held) ?? { x: 0, y: 0, ...NODE };
  const beside = placesBeside(definition, inner);
  const around = placesAround(definition, inner);
  const scale = (places: Places): number => scaleOf(extentOf(definition, inner, places), room);
  return scale(around) > scale(beside) ? around : beside;
}

const NODE: Size = { width: NODE_WIDTH, height: TALL };

/** Return positions at the height of the linked nodes. */
function placesBeside(definition: Definition, { x, width }: Box): Places {
  return [
    { x: x - ASIDE, y: heightOf(definition, definition.inputs) },
    { x: x + width - NODE_WIDTH + ASIDE, y: heightOf(definition, definition.outputs) },
  ];
}

/** Return positions above the first and below the last node. */
function placesAround({ inputs }: Definition, { x, y, width, height }: Box): Places {
  return [
    { x, y: y - boundaryHeight(inputs.length) - GAP },
    { x: x + width - NODE_WIDTH, y: y + height + GAP },
  ];
}

/** Return the height of a boundary with this many ports and one more. */
function boundaryHeight(numPorts: number): number {
  return portPlace("output", numPorts + 1).y + BELOW_LAST;
}

function extentOf({ inputs, outputs }: Definition, inner: Box, [before, behind]: Places): Size {
  const boxes = [
    inner,
    { ...before, width: NODE_WIDTH, height: boundaryHeight(inputs.length) },
    { ...behind, width: NODE_WIDTH, height: boundaryHeight(outputs.length) },
  ];
  return boxAround(boxes) ?? inner;
}

function heightOf(definition: Definition, ports: readonly DefinitionPort[]): number {
  const linked = definition.nodes.filter((node) => ports.some((port) => port.node === node.id));
  const ys = (linked.length ? linked : definition.nodes).map((node) => node.position.y);
  return ys.length ? Math.round(ys.reduce((sum, y) => sum + y, 0) / ys.length) : 0;
}
