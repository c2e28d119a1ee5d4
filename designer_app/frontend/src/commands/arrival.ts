/** A pipeline just imported from a file: loaded after the first paint, when its canvas is
 * mounted. */

import { scaleOf } from "../graph/layout/fold";
import { boundsOf } from "../graph/layout/boxes";
import { READABLE_ZOOM } from "../graph/layout/geometry";
import { takeArrival } from "../store/arrivals";
import type { Editor } from "../store/editor";
import { applyTrialInAddress } from "./trialValues";
import { t } from "../graph/translate";

/** Announce that the document was opened as a new pipeline, and tidy an unreadable layout. */
export async function tidyArrival(editor: Editor): Promise<void> {
  await applyTrialInAddress(editor);
  const { canvas } = editor;
  const { document, readOnly } = editor.state;
  if (!canvas || readOnly || !takeArrival(editor.id)) return;
  editor.notify(t("Opened as a new pipeline. Your other pipelines are unchanged."));
  const bounds = boundsOf(document.nodes, canvas.sizes());
  if (!bounds || scaleOf(bounds, canvas.room()) >= READABLE_ZOOM) return;
  await (await import("./tidyUp")).tidyUp(editor);
}
