/** Groups: collapsed, expanded; colors of groups and nodes. */

import { GROUP_COLOURS, changeGroup } from "../graph/annotations";
import { setColour } from "../graph/edits";
import type { Group } from "../graph/types";
import type { EditorState } from "../store/types";
import { type Command, nodesFor, someNodes } from "./types";

export const GROUP_COMMANDS: readonly Command[] = [
  {
    id: "collapse",
    label: "Collapse or expand group",
    group: "Edit",
    keys: ["Mod+."],
    icon: "fold-vertical",
    enabled: ({ selection, document }) =>
      selection.groups.length > 0 ||
      document.groups.some((group) => group.nodes.some((id) => selection.nodes.includes(id))),
    perform: (editor) => {
      const { selection, document } = editor.state;
      const groups = document.groups.filter(
        (group) =>
          selection.groups.includes(group.id) ||
          group.nodes.some((id) => selection.nodes.includes(id)),
      );
      const collapsed = groups.some((group) => !group.collapsed);
      editor.dispatch(
        (start) =>
          groups.reduce((changed, group) => changeGroup(changed, group.id, { collapsed }), start),
        { label: collapsed ? "Collapse" : "Expand" },
      );
    },
  },
  ...GROUP_COLOURS.map((colour) => colouring(colour)),
  {
    id: "colour-of-module",
    label: "Remove color",
    group: "Edit",
    keys: [],
    icon: "palette",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      editor.dispatch((start) => setColour(start, ids, null), { label: "Remove color" });
    },
  },
];

function colouring(colour: Group["colour"]): Command {
  return {
    id: `colour-${colour}`,
    label: `Color ${colour}`,
    group: "Edit",
    keys: [],
    icon: "palette",
    enabled: canBeColoured,
    perform: (editor) => {
      const { groups, nodes } = editor.state.selection;
      editor.dispatch(
        (start) =>
          groups.reduce(
            (changed, id) => changeGroup(changed, id, { colour }),
            setColour(start, nodes, colour),
          ),
        { label: `Color ${colour}` },
      );
    },
  };
}

function canBeColoured({ selection }: EditorState): boolean {
  return selection.groups.length > 0 || selection.nodes.length > 0;
}
