/** Note on the canvas: Markdown, edited in place after a double-click or Enter. */

import type { NodeProps } from "@xyflow/react";
import { memo, type ReactElement, useEffect, useRef, useState } from "react";

import { isComposing } from "../browser/composing";
import { changeNote } from "../graph/annotations";
import { useEditor, useEditorState } from "../view/context";
import { Markdown } from "../ui/Markdown";
import { selectIsRenaming, selectNote } from "../store/selectors";
import { partOf } from "./flowElements";
import { NoteResizer } from "./NoteResizer";
import { t } from "../graph/translate";

export const NoteNode = memo(function NoteNode({
  id: name,
  selected,
}: NodeProps): ReactElement | null {
  const editor = useEditor();
  const { id } = partOf(name);
  const note = useEditorState(selectNote(id));
  const [began, setEditing] = useState(selected);
  const editing = useEditorState(selectIsRenaming(name)) || began;
  const field = useRef<HTMLTextAreaElement>(null);
  // d3-drag prevents that a press on another node moves the focus with the selection
  useEffect(() => {
    if (!selected) field.current?.blur();
  }, [selected]);
  if (!note) return null;
  const write = (text: string): void => {
    const options = { label: t("Edit note"), coalesceKey: `note.${id}` };
    editor.dispatch((document) => changeNote(document, id, { text }), options);
  };
  return (
    <>
      {selected && <NoteResizer note={note} />}
      <div
        className="pd-note nowheel"
        data-testid={`note-${id}`}
        onDoubleClick={() => setEditing(true)}
      >
        {editing || note.text === "" ? (
          <textarea
            ref={field}
            className="nodrag nopan"
            aria-label={t("Note text (Markdown)")}
            placeholder={t("Write a note in Markdown: **bold**, - lists, # headings.")}
            value={note.text}
            maxLength={20_000}
            autoFocus={editing}
            onFocus={() => setEditing(true)}
            onChange={(event) => write(event.target.value)}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (isComposing(event.nativeEvent)) return;
              if (event.key === "Escape") event.currentTarget.blur();
            }}
            onBlur={() => {
              editor.endTyping();
              setEditing(false);
              if (editor.state.dialog?.kind === "rename") editor.closeDialog();
            }}
          />
        ) : (
          <Markdown text={note.text} />
        )}
      </div>
    </>
  );
});
