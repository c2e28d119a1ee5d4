/** Adding a module without a drag: in the middle of the view, or next to a node. */

import type { Catalog } from "../graph/catalog";
import { possibleLinks } from "../graph/connections";
import { addedNodes, addNode, connect, setParameter, startOf } from "../graph/edits";
import { NODE_GAP, NODE_WIDTH, nodeSize } from "../graph/layout/geometry";
import type { ModuleSpec, PipelineDocument, PipelineNode, Position } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Placeable } from "../view/viewStore";
import { t } from "../graph/translate";

const STEP = 56;
const USUAL_HEIGHT = 104;
/** Types of ports of modules that apply a model to images. */
const TRAINED: ReadonlySet<string> = new Set(["TrainedModel", "ScorableModel"]);
const HALF = 24;
const SPAN = 2 * HALF + 1;

/** Add a module in the middle of the view, as one undo step, and select it. */
export function addAtCentre(editor: Editor, item: Placeable): void {
  const centre = editor.canvas?.centre() ?? { x: 0, y: 0 };
  const at = freePlace(editor, { x: centre.x - NODE_WIDTH / 2, y: centre.y - 50 });
  editor.dispatch(
    (document, catalog) => {
      const grown = addNode(
        document,
        catalog,
        item.module,
        at.x,
        at.y,
        startOf(catalog, item.module),
      );
      const [added] = addedNodes(document, grown);
      return Object.entries(item.parameters).reduce<PipelineDocument>(
        (changed, [name, value]) =>
          added ? setParameter(changed, catalog, added, name, value) : changed,
        grown,
      );
    },
    { label: t("Add {title}", { title: item.title }), select: "added" },
  );
}

/** Add it to the right of a node, as one undo step, with the first compatible wire that replaces
 * none. */
export function addBeside(editor: Editor, node: PipelineNode, module: ModuleSpec): void {
  const { x, y } = node.position;
  const at = freePlace(editor, { x: x + NODE_WIDTH + NODE_GAP, y });
  editor.dispatch(
    (document, catalog) => {
      const grown = addNode(document, catalog, module.id, at.x, at.y, module.starts_with);
      const [added = ""] = addedNodes(document, grown);
      const links = possibleLinks(grown, catalog, node.id, added);
      const link =
        links.find(({ from }) => isHeldOut(from.port, node, module, catalog)) ?? links[0];
      return link ? connect(grown, catalog, link.from, link.to) : grown;
    },
    { label: t("Add {title}", { title: module.title }), select: "added" },
  );
  const [added] = editor.state.selection.nodes;
  if (added !== undefined) editor.canvas?.reveal(added);
}

/** Return true for the part of a split that was kept from training, if the module uses a trained
 * model. */
function isHeldOut(
  port: string,
  { module: source }: PipelineNode,
  module: ModuleSpec,
  catalog: Catalog,
): boolean {
  const output = catalog.byId.get(source)?.outputs.find(({ id }) => id === port);
  return output?.share?.is_rest === true && module.inputs.some(({ type }) => TRAINED.has(type));
}

/** Return the wanted position, else the nearest free one: to the side first, so that it is
 * visible. */
export function freePlace(editor: Editor, wanted: Position): Position {
  const { document, catalog } = editor.store.getState();
  const [x, y] = [Math.round(wanted.x), Math.round(wanted.y)];
  const isFree = (at: Position): boolean =>
    document.nodes.every((node) => {
      const { height } = nodeSize(node, catalog.byId.get(node.module));
      const { x: left, y: top } = node.position;
      const isBeside = Math.abs(left - at.x) >= NODE_WIDTH + NODE_GAP;
      return isBeside || at.y >= top + height || top >= at.y + USUAL_HEIGHT;
    });
  const places = SHIFTS.map((shift) => ({ x: x + shift.x, y: y + shift.y }));
  return places.find(isFree) ?? { x, y };
}

/** Offsets from a position, nearest first; nodes are wide, so a step to the side counts less. */
const SHIFTS: readonly Position[] = Array.from({ length: SPAN * SPAN }, (_, place) => ({
  x: ((place % SPAN) - HALF) * STEP,
  y: (Math.floor(place / SPAN) - HALF) * STEP,
})).sort((one, other) => farness(one) - farness(other));

function farness({ x, y }: Position): number {
  const back = x < 0 ? STEP : 0;
  return 0.4 * Math.abs(x) + Math.abs(y) + back + (y < 0 ? STEP / 2 : 0);
}
