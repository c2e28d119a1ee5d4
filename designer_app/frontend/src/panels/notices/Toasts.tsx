/** Notices at the lower edge; errors, questions and progress stay until they are closed or done. */

import { X } from "lucide-react";
import { type ReactElement, Suspense, lazy, useEffect } from "react";

import { perform } from "../../commands/registry";
import { Button, IconButton } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { importWithRetry } from "../../ui/importWithRetry";
import { selectNotices } from "../../store/selectors";
import type { Notice } from "../../store/types";
import { t } from "../../graph/translate";

// rarely part of a notice
const RemedyButton = lazy(async () => ({
  default: (await importWithRetry(() => import("../../ui/RemedyButton"))).RemedyButton,
}));

const SECONDS = 7;
const SECONDS_TO_ACT = 20;

export function Toasts(): ReactElement {
  const notices = useEditorState(selectNotices);
  return (
    <div
      data-region
      className="pd-toasts"
      role="region"
      aria-label={t("Notices")}
      aria-live="polite"
    >
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Toast({ notice }: { readonly notice: Notice }): ReactElement {
  const editor = useEditor();
  const { id, kind, message, problem, action } = notice;
  const stays = kind === "error" || kind === "progress" || (action !== null && kind !== "success");
  const seconds = action === null ? SECONDS : SECONDS_TO_ACT;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => editor.dismiss(id), seconds * 1000);
    return () => clearTimeout(timer);
  }, [editor, id, stays, seconds]);
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
      {problem && (
        <Suspense fallback={null}>
          <RemedyButton problem={problem} onDone={() => editor.dismiss(id)} />
        </Suspense>
      )}
      <IconButton icon={X} label={t("Dismiss")} onClick={() => editor.dismiss(id)} />
    </div>
  );
}
