/** First line of a node: icon, title or the field to rename it; a collapsed node has a button. */

import { memo, type ReactElement } from "react";

import type { Catalog } from "../graph/catalog";
import { definitionIdOf } from "../graph/definitions";
import { titleOf } from "../graph/search";
import type { ModuleSpec, PipelineNode } from "../graph/types";
import { useEditor, useEditorState } from "../view/context";
import { ModuleIcon } from "../ui/ModuleIcon";
import { selectIsRenaming, selectTwin } from "../store/selectors";
import { ExpandButton, RenameField } from "./laterParts";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly catalog: Catalog;
}

export const NodeHead = memo(function NodeHead(props: Props): ReactElement {
  const { node, module, catalog } = props;
  const editor = useEditor();
  const renaming = useEditorState(selectIsRenaming(node.id));
  const title = titleOf(node, catalog);
  const twin = useEditorState(selectTwin(node.id));
  return (
    <div className="pd-node-head">
      <ModuleIcon module={module} catalog={catalog} />
      {renaming ? (
        <RenameField node={node} title={title} />
      ) : (
        <span
          className="pd-node-title"
          title={node.title && module ? `${title} (${module.title})` : title}
          onDoubleClick={(event) => {
            if (definitionIdOf(node.module) !== undefined) return; // a double-click opens it
            event.stopPropagation();
            editor.openDialog({ kind: "rename", node: node.id });
          }}
        >
          {title}
          {twin !== undefined && <small className="pd-twin"> {twin}</small>}
        </span>
      )}
      {node.collapsed && <ExpandButton node={node.id} title={title} />}
    </div>
  );
});
