/** Field that renames a node or a group in place: Enter accepts, Escape cancels. */

import { type ReactElement, useRef } from "react";

import { isComposing } from "../browser/composing";
import { renameNode } from "../graph/edits";
import type { PipelineNode } from "../graph/types";
import { useEditor } from "../view/context";
import { t } from "../graph/translate";

interface Props {
  readonly node: PipelineNode;
  readonly title: string;
}

export function RenameField({ node, title }: Props): ReactElement {
  const editor = useEditor();
  const rename = (wanted: string): void => {
    const label = t("Rename {title}", { title });
    editor.dispatch((document) => renameNode(document, node.id, wanted || null), { label });
  };
  return <TitleField label={t("Node name")} title={title} onRename={rename} />;
}

interface TitleProps {
  readonly label: string;
  readonly title: string;
  /** Called only if the title has changed. */
  readonly onRename: (title: string) => void;
}

export function TitleField({ label, title, onRename }: TitleProps): ReactElement {
  const editor = useEditor();
  const abandoned = useRef(false);
  const keep = (value: string): void => {
    const wanted = value.trim();
    if (!abandoned.current && wanted !== title) onRename(wanted);
    editor.closeDialog();
  };
  return (
    <input
      className="pd-node-rename nodrag"
      aria-label={label}
      defaultValue={title}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => keep(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isComposing(event.nativeEvent)) return;
        abandoned.current = event.key === "Escape";
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
}
