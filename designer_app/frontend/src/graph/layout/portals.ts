/** Wires that lead back so far that two portals are clearer than a line around everything. */

import { type Box, PORTAL } from "./geometry";
import type { LinkedWire } from "./routeGrid";

/** Distance to the left beyond which a wire is split: more than one node, in pixels of the
 * document. */
const FAR = 300;

/** Return the letter of each such wire by its id; wires of one output share it. */
export function portalLetters(wires: readonly LinkedWire[]): ReadonlyMap<string, string> {
  const back = wires.filter(({ from, to }) => from.x - to.x > FAR);
  const nets = [...new Set(back.map((wire) => wire.net))];
  return new Map(back.map((wire) => [wire.id, letterOf(nets.indexOf(wire.net))]));
}

/**
 * Return the side of the portal letter relative to another wire of the same output: 1 is below, -1
 * above. Missing without space, such as between two outputs: then the letter is on the wire.
 */
export function portalSides(
  wires: readonly LinkedWire[],
  letters: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const drawn = wires.filter(({ id }) => !letters.has(id));
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
      const side = letters.has(wire.id) ? sideOf(wire) : undefined;
      return side === undefined ? [] : [[wire.id, side]];
    }),
  );
}

/** Return the boxes of portal letters; those at an output with another wire are close to that
 * wire. */
export function portalBoxes(
  wires: readonly LinkedWire[],
  letters: ReadonlyMap<string, string>,
): readonly Box[] {
  const drawn = new Set(wires.filter(({ id }) => !letters.has(id)).map(({ net }) => net));
  return wires
    .filter(({ id }) => letters.has(id))
    .flatMap(({ net, from, to }) => [
      ...(drawn.has(net) ? [] : [boxOf(from.x + PORTAL.stub, from.y)]),
      boxOf(to.x - PORTAL.stub - 2 * PORTAL.radius, to.y),
    ]);
}

function boxOf(x: number, middle: number): Box {
  const size = 2 * PORTAL.radius;
  return { x, y: middle - PORTAL.radius, width: size, height: size };
}

/** "A" to "Z", then "AA". */
function letterOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : letterOf(Math.floor(place / 26) - 1) + letter;
}
