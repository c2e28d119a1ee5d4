/** Someone else saved this pipeline: which version goes on. Nothing is lost whatever is chosen. */

import { type ReactElement, useState } from "react";

import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { Dialog } from "../../ui/Dialog";
import { selectConflict } from "../../store/selectors";
import { type ConflictChoice, resolveConflict } from "../../store/conflicts";

export function ConflictDialog(): ReactElement {
  const editor = useEditor();
  const conflict = useEditorState(selectConflict);
  const [busy, setBusy] = useState(false);
  const deleted = conflict?.reason === "deleted";
  const choose = (choice: ConflictChoice) => async (): Promise<void> => {
    setBusy(true);
    await resolveConflict(editor, choice);
    setBusy(false);
  };
  const footer = (
    <>
      {!deleted && (
        <Button
          disabled={busy}
          data-testid="conflict-overwrite"
          onClick={() => void choose("overwrite")()}
        >
          Save mine over it
        </Button>
      )}
      {deleted && (
        <Button
          disabled={busy}
          data-testid="conflict-overwrite"
          onClick={() => void choose("overwrite")()}
        >
          Bring it back with my edits
        </Button>
      )}
      {!deleted && (
        <Button
          disabled={busy}
          data-testid="conflict-reload"
          onClick={() => void choose("reload")()}
        >
          Load the saved version
        </Button>
      )}
      <Button
        kind="primary"
        disabled={busy}
        data-first
        data-testid="conflict-copy"
        onClick={() => void choose("copy")()}
      >
        Keep mine as a copy
      </Button>
    </>
  );
  return (
    <Dialog
      title={deleted ? "This pipeline was deleted" : "This pipeline was changed elsewhere"}
      mustChoose
      onClose={() => editor.closeDialog()}
      footer={footer}
    >
      <p>
        {deleted
          ? "It was deleted in another tab or by someone else while you were editing. Your edits are still here: choose what becomes of them."
          : "Another tab or person saved a version that does not have your last edits. Keep yours as a pipeline of its own, or go on with the saved version; undo brings your edits back."}
      </p>
    </Dialog>
  );
}
