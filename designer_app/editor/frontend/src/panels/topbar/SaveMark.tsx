/** Whether the server has what is seen here. */

import type { ReactElement } from "react";

import { useEditorState } from "../../view/context";
import { selectSaveState } from "../../store/selectors";
import type { SaveState } from "../../store/types";

const WORDS: Readonly<Record<SaveState, readonly [string, string]>> = {
  saved: ["saved", "Everything is saved"],
  saving: ["saving", "The last edits are being saved"],
  unsaved: ["unsaved", "The last edits are kept in this browser and will be saved"],
  offline: ["offline", "The server does not answer; edits are kept in this browser"],
  conflict: ["not saved", "Another version was saved elsewhere: choose one"],
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
