/** Groups: collapsed, expanded; colors of groups and nodes. */

import { GROUP_COLOURS, changeGroup } from "../graph/annotations";
import { setColour } from "../graph/edits";
import type { Group } from "../graph/types";
import type { EditorState } from "../store/types";
import { type Command, groupsOf, nodesFor, someNodes } from "./types";
import { t } from "../graph/translate";

export const GROUP_COMMANDS: readonly Command[] = [
  {
    id: "collapse",
    label: t("Collapse or expand group"),
    group: "Edit",
    keys: ["Mod+."],
    icon: "fold-vertical",
    enabled: (state) => groupsOf(state).length > 0,
    perform: (editor) => {
      const groups = groupsOf(editor.state);
      const collapsed = groups.some((group) => !group.collapsed);
      editor.dispatch(
        (start) =>
          groups.reduce((changed, group) => changeGroup(changed, group.id, { collapsed }), start),
        { label: collapsed ? t("Collapse") : t("Expand") },
      );
    },
  },
  ...GROUP_COLOURS.map((colour) => colouring(colour)),
  {
    id: "colour-of-module",
    label: t("Remove color"),
    group: "Edit",
    icon: "palette",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      editor.dispatch((start) => setColour(start, ids, null), { label: t("Remove color") });
    },
  },
];

function colouring(colour: Group["colour"]): Command {
  return {
    id: `colour-${colour}`,
    label: t("Color {colour}", { colour }),
    group: "Edit",
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
        { label: t("Color {colour}", { colour }) },
      );
    },
  };
}

function canBeColoured({ selection }: EditorState): boolean {
  return selection.groups.length > 0 || selection.nodes.length > 0;
}
