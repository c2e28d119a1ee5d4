/** Frame around nodes, with a title and a color; collapsed it is one small box. */

import { Handle, type NodeProps, Position } from "@xyflow/react";
import { ChevronsDownUp, ChevronsUpDown } from "lucide-react";
import { memo, type ReactElement } from "react";

import { changeGroup } from "../graph/annotations";
import { useEditor, useEditorState } from "../view/context";
import { selectGroup, selectIsRenaming } from "../store/selectors";
import { partOf } from "./flowElements";
import { TitleField } from "./RenameField";
import { t } from "../graph/translate";

export const GroupNode = memo(function GroupNode({ id: name }: NodeProps): ReactElement | null {
  const editor = useEditor();
  const { id } = partOf(name);
  const group = useEditorState(selectGroup(id));
  const renaming = useEditorState(selectIsRenaming(name));
  if (!group) return null;
  const rename = (title: string): void => {
    editor.dispatch((document) => changeGroup(document, id, { title }), {
      label: t("Rename group"),
    });
  };
  const fold = (): void => {
    const collapsed = !group.collapsed;
    const label = collapsed ? t("Collapse group") : t("Expand group");
    editor.dispatch((document) => changeGroup(document, id, { collapsed }), { label });
  };
  const Icon = group.collapsed ? ChevronsUpDown : ChevronsDownUp;
  return (
    <div
      className="pd-group"
      data-testid={`group-${id}`}
      data-type={group.colour}
      data-collapsed={group.collapsed}
    >
      <div className="pd-group-head">
        {renaming ? (
          <TitleField label={t("Group title")} title={group.title} onRename={rename} />
        ) : (
          <span
            className="pd-group-title"
            onDoubleClick={() => editor.openDialog({ kind: "rename", node: name })}
          >
            {group.title || t("Group")}
          </span>
        )}
        <button
          type="button"
          className="pd-tiny nodrag"
          aria-expanded={!group.collapsed}
          aria-label={group.collapsed ? t("Expand group") : t("Collapse group")}
          onClick={fold}
        >
          <Icon size={14} aria-hidden />
        </button>
      </div>
      {group.collapsed && (
        <>
          <p className="pd-group-count">
            {t("{count:,} {count:node|nodes}", { count: group.nodes.length })}
          </p>
          <Handle
            id="target"
            type="target"
            position={Position.Left}
            className="pd-gate"
            isConnectable={false}
          />
          <Handle
            id="source"
            type="source"
            position={Position.Right}
            className="pd-gate"
            isConnectable={false}
          />
        </>
      )}
    </div>
  );
});
