/** Double-click on a wire: adds a waypoint. */

import { addWaypoint, endsOf } from "../graph/leading";
import { endOf } from "../graph/lookup";
import type { Editor } from "../store/editor";
import { t } from "../graph/translate";

/** Route a wire through the position of the pointer. */
export function leadThrough(editor: Editor, wire: string): void {
  const at = editor.canvas?.pointer();
  const { document, catalog } = editor.state;
  const ends = at && endsOf(document, catalog, endOf(wire));
  if (!at || !ends) return;
  editor.dispatch((d) => addWaypoint(d, endOf(wire), at, ends), { label: t("Route wire") });
}
