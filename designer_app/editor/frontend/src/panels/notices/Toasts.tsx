/** Notices at the lower edge; errors, questions and what is being done do not go by themselves. */

import { X } from "lucide-react";
import { type ReactElement, useEffect } from "react";

import { perform } from "../../commands/registry";
import { Button, IconButton } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { RemedyButton } from "../../ui/RemedyButton";
import { selectNotices } from "../../store/selectors";
import type { Notice } from "../../store/types";

const SECONDS = 7;

export function Toasts(): ReactElement {
  const notices = useEditorState(selectNotices);
  return (
    <div className="pd-toasts" role="region" aria-label="Notices" aria-live="polite">
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Toast({ notice }: { readonly notice: Notice }): ReactElement {
  const editor = useEditor();
  const { id, kind, message, problem, action } = notice;
  const stays = kind === "error" || kind === "progress" || action !== null;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => editor.dismiss(id), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [editor, id, stays]);
  return (
    <div className="pd-toast" data-kind={kind} data-testid="notice">
      {kind === "progress" && <span className="pd-spinner" />}
      <span>{message}</span>
      {action && (
        <Button
          small
          onClick={() => {
            editor.dismiss(id);
            perform(editor, action.command, action.args);
          }}
        >
          {action.label}
        </Button>
      )}
      {problem && <RemedyButton problem={problem} onDone={() => editor.dismiss(id)} />}
      <IconButton icon={X} label="Dismiss" onClick={() => editor.dismiss(id)} />
    </div>
  );
}
