/** Wires drawn as two named tabs, because a line from end to end would cross several nodes. */

import { type Box, TAB, tabWidth } from "./geometry";
import { type LinkedWire, STUB } from "./routeGrid";
import type { Position } from "../types";

/** Distance to the left beyond which a wire may be split: more than one node, in pixels of the
 * document. */
const FAR = 300;
/** Number of nodes that a drawn wire may cross. */
const MOST_CROSSED = 2;

type Boxes = ReadonlyMap<string, Box>;
type Labels = ReadonlyMap<string, string>;

/**
 * Return the label of each split wire by its id; wires of one output share it. It is the name of
 * the output (`names` by net) if a tab with it covers no node, else a letter.
 */
export function portalLabels(
  wires: readonly LinkedWire[],
  nodes: Boxes,
  names: Labels = new Map(),
): Labels {
  const boxes = [...nodes.values()];
  const split = wires.filter(
    (wire) => leadsFarBack(wire) && leastCrossed(wire, nodes) > MOST_CROSSED,
  );
  const nets = [...new Set(split.map((wire) => wire.net))];
  const labelOf = (net: string): string => {
    const name = names.get(net);
    const ends = split.filter((wire) => wire.net === net);
    const fits = name !== undefined && ends.every((wire) => hasRoom(wire, name, boxes));
    return fits ? name : letterOf(nets.indexOf(net));
  };
  const labels = new Map(nets.map((net) => [net, labelOf(net)]));
  return new Map(split.map(({ id, net }) => [id, labels.get(net) ?? ""]));
}

/**
 * Return the side of the portal's tab relative to another wire of the same output: 1 is below, -1
 * above. Missing without space, such as between two outputs: then the tab is on the wire.
 */
export function portalSides(
  wires: readonly LinkedWire[],
  labels: Labels,
): ReadonlyMap<string, number> {
  const drawn = wires.filter(({ id }) => !labels.has(id));
  const sideOf = ({ source, net, from }: LinkedWire): number | undefined => {
    if (!drawn.some((other) => other.net === net)) return undefined;
    return [-1, 1].find(
      (side) =>
        !wires.some((other) => other.source === source && side * (other.from.y - from.y) > 0) &&
        !drawn.some((other) => other.source === source && side * (other.to.y - other.from.y) > 0),
    );
  };
  return new Map(
    wires.flatMap((wire) => {
      const side = labels.has(wire.id) ? sideOf(wire) : undefined;
      return side === undefined ? [] : [[wire.id, side]];
    }),
  );
}

/** Return the boxes of portal tabs; those at an output with another wire are close to that
 * wire. */
export function portalBoxes(wires: readonly LinkedWire[], labels: Labels): readonly Box[] {
  const drawn = new Set(wires.filter(({ id }) => !labels.has(id)).map(({ net }) => net));
  return wires.flatMap((wire) => {
    const label = labels.get(wire.id);
    if (label === undefined) return [];
    const [atOutput, atInput] = tabBoxes(wire, label);
    return drawn.has(wire.net) ? [atInput] : [atOutput, atInput];
  });
}

function leadsFarBack({ from, to }: LinkedWire): boolean {
  return from.x - to.x > FAR;
}

/** Return how many nodes the wire crosses as an elbow between or next to its two nodes. */
function leastCrossed({ from, to, source, target }: LinkedWire, nodes: Boxes): number {
  const boxes = [...nodes.values()];
  const ends = [source, target].flatMap((id) => nodes.get(id) ?? []);
  const levels = ends.flatMap(({ y, height }) => [y - STUB, y + height + STUB]);
  const [out, into] = [from.x + STUB, to.x - STUB];
  const crossed = [(from.y + to.y) / 2, ...levels].map((level) => {
    const corners = [
      { x: out, y: from.y },
      { x: out, y: level },
      { x: into, y: level },
      { x: into, y: to.y },
    ];
    return boxes.filter((box) => meets(corners, box)).length;
  });
  return Math.min(...crossed);
}

/** Return true if lines along the axes, from corner to corner, touch the box. */
function meets(corners: readonly Position[], box: Box): boolean {
  return corners.slice(1).some((to, at) => {
    const from = corners[at] ?? to;
    return overlap(box, {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(from.x - to.x),
      height: Math.abs(from.y - to.y),
    });
  });
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x <= other.x + other.width &&
    other.x <= one.x + one.width &&
    one.y <= other.y + other.height &&
    other.y <= one.y + one.height
  );
}

function hasRoom(wire: LinkedWire, label: string, boxes: readonly Box[]): boolean {
  return tabBoxes(wire, label).every((tab) => !boxes.some((box) => overlap(tab, box)));
}

/** Return the boxes of a wire's tabs: right of its output, left of its input. */
function tabBoxes({ from, to }: LinkedWire, label: string): readonly [Box, Box] {
  const size = { width: tabWidth(label), height: TAB.height };
  return [
    { x: from.x + TAB.stub, y: from.y - TAB.height / 2, ...size },
    { x: to.x - TAB.stub - size.width, y: to.y - TAB.height / 2, ...size },
  ];
}

/** "A" to "Z", then "AA". */
function letterOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : letterOf(Math.floor(place / 26) - 1) + letter;
}
