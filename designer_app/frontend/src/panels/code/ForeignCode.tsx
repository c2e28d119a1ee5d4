/** Notes above and below a program that came with somebody else's pipeline. */

import { ShieldAlert } from "lucide-react";
import { type ReactElement, useState } from "react";

import { allowCode } from "../../api/code";
import type { Problem } from "../../graph/types";
import { selectIsReadOnly } from "../../store/selectors";
import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { t } from "../../graph/translate";

export function ForeignCodeNote(): ReactElement {
  return (
    <p className="pd-box" data-kind="warning">
      <ShieldAlert size={15} aria-hidden />
      <span>
        {t("This code is not approved on this machine. Review it before you run or edit it.")}
      </span>
    </p>
  );
}

interface Props {
  readonly problem: Problem;
  readonly testId: string;
}

/** Approves the code above it; if arguments or variables belong to it, the review shows these, too. */
export function ForeignCode({ problem, testId }: Props): ReactElement | null {
  const editor = useEditor();
  const [sending, setSending] = useState(false);
  const isFrozen = useEditorState(selectIsReadOnly);
  const hash = problem.facts["sha256"];
  if (isFrozen || typeof hash !== "string") return null;
  const hasSettings = problem.facts["has_settings"] === true;
  const allow = async (): Promise<void> => {
    setSending(true);
    try {
      await allowCode(editor.api, [hash]);
      await editor.checking.askServer();
    } catch (error) {
      editor.notifyError(error);
    }
    setSending(false);
  };
  return (
    <Button
      small
      disabled={sending}
      title={t("It runs with your permissions and can read and change your files")}
      data-testid={`${testId}-allow`}
      onClick={() => (hasSettings ? editor.openDialog({ kind: "code" }) : void allow())}
    >
      {hasSettings ? t("Review code") : t("Approve code")}
    </Button>
  );
}
