/** Pin results of nodes, unpin them. */

import { setPin } from "../graph/edits";
import { findNode } from "../graph/lookup";
import type { Pin } from "../graph/pins";
import { hasSucceeded } from "../graph/runState";
import type { EditorState } from "../store/types";
import { type Command, nodesFor, nodesText } from "./types";
import { t } from "../graph/translate";

export const PIN_COMMANDS: readonly Command[] = [
  {
    id: "pin",
    label: t("Pin or unpin result"),
    labelFor: (state) => labelOf(state, state.selection.nodes),
    group: "Edit",
    keys: ["K"],
    icon: "pin",
    enabled: (state) => changesOf(state, state.selection.nodes).length > 0,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      const changes = changesOf(editor.state, ids);
      if (changes.length === 0) return;
      const names = nodesText(
        editor,
        changes.map(([id]) => id),
      );
      editor.dispatch(
        (start) => changes.reduce((changed, [id, pin]) => setPin(changed, [id], pin), start),
        { label: changes[0]?.[1] ? t("Pin {names}", { names }) : t("Unpin {names}", { names }) },
      );
    },
  },
];

type Change = readonly [id: string, pin: Pin | undefined];

/** Return the pins to set: those of nodes with a result; if all of these are pinned, none. */
function changesOf(state: EditorState, ids: readonly string[]): readonly Change[] {
  const free = ids.filter((id) => !findNode(state.document, id)?.pin);
  const pinned = ids.filter((id) => findNode(state.document, id)?.pin);
  const made = free.flatMap((id) => {
    const pin = resultOf(state, id);
    return pin ? [[id, pin] as const] : [];
  });
  return made.length > 0 ? made : pinned.map((id) => [id, undefined]);
}

/** Return the pin to the result of a node in the shown run; undefined if it has none. */
function resultOf({ run, document, catalog }: EditorState, id: string): Pin | undefined {
  const [node, step] = [findNode(document, id), run?.steps[id]];
  if (!run || !step || !hasSucceeded(step) || !step.artifact_id) return undefined;
  if (!node || node.disabled || !catalog.byId.get(node.module)?.outputs.length) return undefined;
  return { artifact: step.artifact_id, run: step.reused_from ?? run.id };
}

function labelOf(state: EditorState, ids: readonly string[]): string {
  const changes = changesOf(state, ids);
  if (changes.length > 0 && !changes[0]?.[1]) return t("Unpin");
  return t("Pin {count:this result|these results}", { count: Math.max(1, changes.length) });
}
