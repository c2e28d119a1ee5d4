/** One line above the canvas for lasting states: no server, a frozen runner, the pipeline open
 * in another tab. */

import type { ReactElement } from "react";

import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { selectConflict, selectLastingNotice, selectRunnerProblem } from "../../store/selectors";
import { t } from "../../graph/translate";

export function Banner(): ReactElement | null {
  const editor = useEditor();
  const notice = useEditorState(selectLastingNotice);
  const deleted = useEditorState(selectConflict)?.reason === "deleted";
  const frozen = useEditorState(selectRunnerProblem);
  if (notice === "offline") {
    return (
      <div className="pd-banner" role="status" data-testid="offline">
        <p>
          {t(
            "No connection to the server. Your edits are kept in this browser and saved when it responds.",
          )}
        </p>
        <Button small onClick={() => void editor.flush()}>
          {t("Retry")}
        </Button>
      </div>
    );
  }
  if (notice === "conflict") {
    return (
      <div className="pd-banner" data-kind="error" role="status" data-testid="conflict">
        <p>
          {deleted
            ? t("This pipeline was deleted. Your edits are not saved until you choose what to do.")
            : t(
                "This pipeline was changed elsewhere. Your edits are not saved until you choose a version.",
              )}
        </p>
        <Button small onClick={() => editor.openDialog({ kind: "conflict" })}>
          {t("Choose")}
        </Button>
      </div>
    );
  }
  if (notice === "frozen") {
    return (
      <div className="pd-banner" role="status" data-testid="frozen">
        <p>{frozen}</p>
      </div>
    );
  }
  if (notice === null) return null;
  return (
    <div className="pd-banner" data-kind="info" role="status" data-testid="elsewhere">
      <p>{t("This pipeline is also open in another tab. Edit it in one tab only.")}</p>
    </div>
  );
}
