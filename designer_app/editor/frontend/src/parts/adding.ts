/** Adding a module without a drag: in the middle of what is seen, beside what is there already. */

import { addedNodes, addNode, setParameter } from "../graph/document";
import { NODE_WIDTH, nodeSize } from "../graph/geometry";
import type { PipelineDocument, Position } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Placeable } from "./view";

const STEP = 56;
const GAP = 40;
const USUAL_HEIGHT = 96;
const MOST_TRIES = 400;

/** Adds it as one undo step and selects it. */
export function addAtCentre(editor: Editor, item: Placeable): void {
  const centre = editor.canvas?.centre() ?? { x: 0, y: 0 };
  const at = freePlace(editor, { x: centre.x - NODE_WIDTH / 2, y: centre.y - 50 });
  editor.dispatch(
    (document, catalog) => {
      const grown = addNode(document, catalog, item.module, at.x, at.y);
      const [added] = addedNodes(document, grown);
      return Object.entries(item.parameters).reduce<PipelineDocument>(
        (changed, [name, value]) =>
          added ? setParameter(changed, catalog, added, name, value) : changed,
        grown,
      );
    },
    { label: `Add ${item.title}`, select: "added" },
  );
}

/** The wanted place, moved to the right until no node lies there. */
export function freePlace(editor: Editor, wanted: Position): Position {
  const { document, catalog } = editor.store.getState();
  const y = Math.round(wanted.y);
  let x = Math.round(wanted.x);
  const isTaken = (): boolean =>
    document.nodes.some((node) => {
      const { height } = nodeSize(node, catalog.byId.get(node.module));
      const { x: left, y: top } = node.position;
      return Math.abs(left - x) < NODE_WIDTH + GAP && y < top + height && top < y + USUAL_HEIGHT;
    });
  for (let tries = 0; tries < MOST_TRIES && isTaken(); tries += 1) x += STEP;
  return { x, y };
}
