/** Parameter that is a program: edited in the node, and larger in a dialog; foreign code is
 * reviewed first. */

import { Maximize2 } from "lucide-react";
import { type ReactElement, useState } from "react";

import type { Problem } from "../../graph/types";
import { selectIsReadOnly } from "../../store/selectors";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import { useEditorState } from "../../view/context";
import { CodeField, type CodeFieldProps } from "./CodeField";
import { ForeignCode, ForeignCodeNote } from "./ForeignCode";
import { t } from "../../graph/translate";

interface Props extends Omit<CodeFieldProps, "isReadOnly"> {
  readonly foreign: Problem | undefined;
}

export function CodeControl({ foreign, ...field }: Props): ReactElement {
  const { testId, title } = field;
  const [isLarge, setLarge] = useState(false);
  const isReadOnly = useEditorState(selectIsReadOnly) || foreign !== undefined;
  const code = (isFocused: boolean): ReactElement => (
    <>
      {foreign && <ForeignCodeNote />}
      <CodeField {...field} isReadOnly={isReadOnly} autoFocus={isFocused} />
      {foreign && <ForeignCode problem={foreign} testId={testId} />}
    </>
  );
  return (
    <div className="pd-code-control">
      {!isLarge && code(false)}
      <p className="pd-code-foot">
        <span className="pd-dim">{t("Press Esc, then Tab, to leave the editor.")}</span>
        <Button small kind="plain" data-testid={`${testId}-larger`} onClick={() => setLarge(true)}>
          <Maximize2 size={13} aria-hidden /> {t("Expand")}
        </Button>
      </p>
      {isLarge && (
        <Dialog title={title} wide onClose={() => setLarge(false)}>
          <div className="pd-code-large">{code(true)}</div>
        </Dialog>
      )}
    </div>
  );
}
