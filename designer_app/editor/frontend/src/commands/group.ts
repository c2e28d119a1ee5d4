/** Groups: folded, unfolded, coloured. */

import { GROUP_COLOURS, changeGroup } from "../graph/annotations";
import type { Group } from "../graph/types";
import type { Command } from "./types";

export const GROUP_COMMANDS: readonly Command[] = [
  {
    id: "collapse",
    label: "Collapse or expand the group",
    description: "Show a group as one box, or its nodes.",
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
          groups.reduce((each, group) => changeGroup(each, group.id, { collapsed }), start),
        { label: collapsed ? "Collapse" : "Expand" },
      );
    },
  },
  ...GROUP_COLOURS.map((colour) => colouring(colour)),
];

function colouring(colour: Group["colour"]): Command {
  return {
    id: `colour-${colour}`,
    label: `Colour the group ${colour}`,
    description: "Set the colour of the selected groups.",
    group: "Edit",
    keys: [],
    icon: "palette",
    enabled: ({ selection }) => selection.groups.length > 0,
    perform: (editor) => {
      const { groups } = editor.state.selection;
      editor.dispatch(
        (start) => groups.reduce((each, id) => changeGroup(each, id, { colour }), start),
        { label: `Colour the group ${colour}` },
      );
    },
  };
}
