/** Groups and nodes: collapsed, expanded; their colors. */

import { GROUP_COLOURS, changeGroup } from "../graph/annotations";
import { setCollapsed, setColour } from "../graph/edits";
import type { Group, PipelineDocument } from "../graph/types";
import type { EditorState } from "../store/types";
import { type Command, groupsOf, nodesFor, nodesText, someNodes } from "./types";
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
        { label: collapseLabel(collapsed) },
      );
    },
  },
  {
    id: "collapse-nodes",
    label: t("Collapse or expand"),
    labelFor: ({ document, selection }) => collapseLabel(isAnyExpanded(document, selection.nodes)),
    group: "Edit",
    keys: ["H"],
    icon: "fold-vertical",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      const collapsed = isAnyExpanded(editor.state.document, ids);
      editor.dispatch((start) => setCollapsed(start, ids, collapsed), {
        label: `${collapseLabel(collapsed)} ${nodesText(editor, ids)}`,
      });
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

function collapseLabel(collapsed: boolean): string {
  return collapsed ? t("Collapse") : t("Expand");
}

function isAnyExpanded({ nodes }: PipelineDocument, ids: readonly string[]): boolean {
  return nodes.some((node) => ids.includes(node.id) && !node.collapsed);
}

function canBeColoured({ selection }: EditorState): boolean {
  return selection.groups.length > 0 || selection.nodes.length > 0;
}
