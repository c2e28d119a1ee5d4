/** Which wires lead back so far that two portals say it better than a line around everything. */

import { type Box, PORTAL } from "./geometry";
import type { LinkedWire } from "./routeGrid";

/** So far to the left of its beginning a wire ends: more than one node, in pixels of the document. */
const FAR = 300;

/** The letter of each such wire by its id; wires of one output have the same. */
export function portalLetters(wires: readonly LinkedWire[]): ReadonlyMap<string, string> {
  const back = wires.filter(({ from, to }) => from.x - to.x > FAR);
  const nets = [...new Set(back.map((wire) => wire.net))];
  return new Map(back.map((wire) => [wire.id, letterOf(nets.indexOf(wire.net))]));
}

/** What the letters take up; those at an output that another wire leaves by lie on that wire. */
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
