/** Choice of the version to keep after someone else saved this pipeline. No choice loses an
 * edit. */

import { type ReactElement, useState } from "react";

import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { Dialog } from "../../ui/Dialog";
import { selectConflict } from "../../store/selectors";
import { type ConflictChoice, resolveConflict } from "../../store/conflicts";
import type { Conflict } from "../../store/types";
import { Differences } from "./Differences";
import { t } from "../../graph/translate";

interface Way {
  readonly choice: ConflictChoice;
  readonly label: string;
}

const COPY: Way = { choice: "copy", label: t("Save mine as copy") };
const RELOAD: Way = { choice: "reload", label: t("Load saved version") };
const OVERWRITE: Way = { choice: "overwrite", label: t("Overwrite with my version") };
const JOIN: Way = { choice: "join", label: t("Merge") };
const BRING_BACK: Way = { choice: "overwrite", label: t("Restore with my edits") };

export function ConflictDialog(): ReactElement {
  const editor = useEditor();
  const conflict = useEditorState(selectConflict);
  const [busy, setBusy] = useState(false);
  const deleted = conflict?.reason === "deleted";
  const ways = waysOut(conflict);
  const choose = async (choice: ConflictChoice): Promise<void> => {
    setBusy(true);
    await resolveConflict(editor, choice).finally(() => setBusy(false));
  };
  const footer = ways.map(({ choice, label }, place) => (
    <Button
      key={choice}
      kind={place === ways.length - 1 ? "primary" : undefined}
      data-first={place === ways.length - 1 || undefined}
      disabled={busy}
      data-testid={`conflict-${choice}`}
      onClick={() => void choose(choice)}
    >
      {label}
    </Button>
  ));
  return (
    <Dialog
      title={deleted ? t("This pipeline was deleted") : t("This pipeline was changed elsewhere")}
      wide
      mustChoose
      onClose={() => editor.closeDialog()}
      footer={footer}
    >
      <p>{deleted ? DELETED : conflict?.base ? CLASHED : CHANGED}</p>
      {conflict && <Differences conflict={conflict} />}
    </Dialog>
  );
}

const DELETED = t(
  "It was deleted in another tab or by someone else while you were editing. Your edits are still here.",
);
const CHANGED = t(
  "Another tab or person saved a version without your last edits. Save yours as a copy, or load the saved version; undo restores your edits.",
);
const CLASHED = t(
  "Another tab or person changed the same thing as you. Merge keeps both changes; where they conflict, yours is kept. Or choose one version.",
);

/** Enter selects the last one, which overwrites nothing. */
function waysOut(conflict: Conflict | null): readonly Way[] {
  if (conflict?.reason === "deleted") return [BRING_BACK, COPY];
  return conflict?.base ? [OVERWRITE, RELOAD, JOIN, COPY] : [OVERWRITE, RELOAD, COPY];
}
