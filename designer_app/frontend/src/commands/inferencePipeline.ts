/** Inference pipeline: the derived document replaces the edited one as one step of the history. */

import type { InferenceChange } from "../api/types.gen";
import { freshId } from "../graph/edits";
import type { Note, PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import { t } from "../graph/translate";

const NOTE_WIDTH = 420;
const NOTE_HEIGHT = 320;
const GAP = 40;

export async function createInferencePipeline(editor: Editor): Promise<void> {
  const before = editor.state.whole;
  try {
    const { document, changes } = await editor.api.ask("POST /inference-pipelines", {
      body: { document: before, model: null, run_id: null, node: null },
    });
    editor.dispatch(() => withReasons(document, changes), {
      label: t("Create inference pipeline"),
    });
    const count = changes.length;
    editor.notify(
      t(
        "Inference pipeline created: {count} {count:change|changes}. The note says why; undo restores the training. Publish it on the page Published, then deploy it on Endpoints.",
        { count },
      ),
      "success",
    );
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Add a note with the reason of each change, left of the nodes. */
export function withReasons(
  document: PipelineDocument,
  changes: readonly InferenceChange[],
): PipelineDocument {
  const left = Math.min(0, ...document.nodes.map(({ position }) => position.x));
  const top = Math.min(...document.nodes.map(({ position }) => position.y));
  const note: Note = {
    id: freshId(document.notes, "inference-pipeline"),
    position: { x: left - NOTE_WIDTH - GAP, y: Number.isFinite(top) ? top : 0 },
    width: NOTE_WIDTH,
    height: NOTE_HEIGHT,
    text: [t("**Inference pipeline**"), ...changes.map(line)].join("\n"),
  };
  return { ...document, notes: [...document.notes, note] };
}

const KINDS: Readonly<Record<InferenceChange["kind"], string>> = {
  removed: t("removed"),
  replaced: t("replaced"),
  changed: t("changed"),
  added: t("added"),
};

const line = ({ kind, title, why }: InferenceChange): string =>
  `- **${title}** ${KINDS[kind]}: ${why}`;
