/** Sub-pipelines: created from a selection, opened and closed, unpacked. */

import { definitionOf } from "../graph/definitions";
import { placeAround } from "../graph/paths";
import type * as Edits from "../graph/places";
import type { EditorState } from "../store/types";
import { type Command, nodesText, nodesFor, someNodes } from "./types";
import { t } from "../graph/translate";

/** Loaded when the first one is created or unpacked. */
const edits = (): Promise<typeof Edits> => import("../graph/places");

const standing = ({ document, selection }: EditorState): readonly string[] =>
  document.nodes
    .filter((node) => selection.nodes.includes(node.id) && definitionOf(document, node.module))
    .map((node) => node.id);

export const SUB_PIPELINE_COMMANDS: readonly Command[] = [
  {
    id: "make-sub-pipeline",
    label: t("Create sub-pipeline"),
    group: "Edit",
    icon: "package",
    enabled: someNodes,
    perform: async (editor, args) => {
      const ids = nodesFor(editor, args);
      const { subPipelineInPlace } = await edits();
      editor.dispatch((document, catalog) => subPipelineInPlace(document, catalog, ids), {
        label: t("Create sub-pipeline of {nodes}", { nodes: nodesText(editor, ids) }),
        select: "added",
      });
    },
  },
  {
    id: "unpack-sub-pipeline",
    label: t("Unpack sub-pipeline"),
    group: "Edit",
    icon: "package-open",
    enabled: (state) => standing(state).length > 0,
    perform: async (editor) => {
      const ids = standing(editor.state);
      const { unpack } = await edits();
      editor.dispatch(
        (document, catalog) => ids.reduce((changed, id) => unpack(changed, catalog, id), document),
        { label: t("Unpack {nodes}", { nodes: nodesText(editor, ids) }), select: "added" },
      );
    },
  },
  {
    id: "open-sub-pipeline",
    label: t("Open sub-pipeline"),
    group: "View",
    icon: "log-in",
    enabled: (state) => standing(state).length === 1,
    perform: async (editor, args) => {
      const [id] = args["node"] === undefined ? standing(editor.state) : nodesFor(editor, args);
      if (id !== undefined) await editor.enter(id);
    },
  },
  {
    id: "leave-sub-pipeline",
    label: t("Leave sub-pipeline"),
    group: "View",
    icon: "log-out",
    enabled: ({ place }) => place !== "",
    perform: (editor) => editor.leave(placeAround(editor.state.place)),
  },
];
