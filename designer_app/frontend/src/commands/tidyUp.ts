/** Layout of the nodes by *Tidy up*; loaded when it is first used. */

import { moveNodes, nodeOf } from "../graph/edits";
import { tidyWithPreviews } from "../graph/layout/tidyWithPreviews";
import { t } from "../graph/translate";
import { dropWaypoints } from "../graph/waypoints";
import type { Editor } from "../store/editor";

/** Lay out the chosen nodes if there are several, else all of them, as one step. */
export async function tidyUp(editor: Editor, chosen: readonly string[] = []): Promise<void> {
  const { document, catalog, panes } = editor.state;
  const ids = chosen.length > 1 ? chosen : undefined;
  const room = editor.canvas?.room();
  const wanted = { ids, room, previews: panes.previews };
  const places = await tidyWithPreviews(
    document,
    catalog,
    editor.canvas?.sizes() ?? new Map(),
    wanted,
  );
  if (editor.state.document !== document) return; // edited meanwhile: these positions are outdated
  const before = new Map([...places.keys()].map((id) => [id, nodeOf(document, id).position]));
  const laid = new Set(places.keys());
  editor.dispatch((d) => dropWaypoints(moveNodes(d, places), laid), { label: t("Tidy up") });
  if (editor.state.document === document) editor.notify(t("The pipeline is already tidy."));
  editor.canvas?.glideFrom(before);
  if (!ids) editor.canvas?.fitView();
}
