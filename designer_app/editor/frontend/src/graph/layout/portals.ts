/** Which wires lead back so far that two portals say it better than a line around everything. */

import type { LinkedWire } from "./wirePaths";

/** So far to the left of its beginning a wire ends: more than one node, in pixels of the document. */
const FAR = 300;

/** The letter of each such wire by its id; wires of one output have the same. */
export function portalLetters(wires: readonly LinkedWire[]): ReadonlyMap<string, string> {
  const back = wires.filter(({ from, to }) => from.x - to.x > FAR);
  const nets = [...new Set(back.map((wire) => wire.net))];
  return new Map(back.map((wire) => [wire.id, letterOf(nets.indexOf(wire.net))]));
}

/** "A" to "Z", then "AA". */
function letterOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : letterOf(Math.floor(place / 26) - 1) + letter;
}
