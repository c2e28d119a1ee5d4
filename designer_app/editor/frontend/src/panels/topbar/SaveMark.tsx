/** Save state of the pipeline. */

import type { ReactElement } from "react";

import { useEditorState } from "../../view/context";
import { selectSaveState } from "../../store/selectors";
import type { SaveState } from "../../store/types";

const WORDS: Readonly<Record<SaveState, readonly [string, string]>> = {
  saved: ["saved", "All changes are saved"],
  saving: ["saving", "Saving changes"],
  unsaved: ["unsaved", "Unsaved changes are kept in this browser"],
  offline: ["offline", "No connection to the server; changes are kept in this browser"],
  conflict: ["not saved", "Another version was saved elsewhere. Resolve the conflict"],
};

export function SaveMark(): ReactElement {
  const state = useEditorState(selectSaveState);
  const [word, sentence] = WORDS[state];
  return (
    <span className="pd-save" data-testid="save-state" data-state={state} title={sentence}>
      <span className="pd-tablet-only">
        {word}
        {state === "offline" && <span className="pd-wide-only">, kept in this browser</span>}
      </span>
    </span>
  );
}
