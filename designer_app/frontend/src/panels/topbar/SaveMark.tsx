/** Save state of the pipeline. */

import type { ReactElement } from "react";

import { useEditorState } from "../../view/context";
import { selectSaveState } from "../../store/selectors";
import type { SaveState } from "../../store/types";
import { t } from "../../graph/translate";

const WORDS: Readonly<Record<SaveState, readonly [string, string]>> = {
  saved: ["saved", t("All changes are saved")],
  saving: ["saving", t("Saving changes")],
  unsaved: ["unsaved", t("Unsaved changes are kept in this browser")],
  offline: ["offline", t("No connection to the server; changes are kept in this browser")],
  conflict: [t("not saved"), t("Another version was saved elsewhere. Resolve the conflict")],
};

export function SaveMark(): ReactElement {
  const state = useEditorState(selectSaveState);
  const [word, sentence] = WORDS[state];
  return (
    <span className="pd-save" data-testid="save-state" data-state={state} title={sentence}>
      <span className="pd-tablet-only">
        {word}
        {state === "offline" && <span className="pd-wide-only">{t(", kept in this browser")}</span>}
      </span>
    </span>
  );
}
