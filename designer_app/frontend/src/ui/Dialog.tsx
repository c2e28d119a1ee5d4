/** Dialog in the browser's top layer: it traps focus; Escape closes it, Ctrl+Enter submits its
 * form. */

import { X } from "lucide-react";
import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef } from "react";

import { IconButton } from "./buttons";
import { t } from "../graph/translate";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  /** Keep the height at which it opens, so that later content moves no button away from the
   * pointer. */
  readonly steady?: boolean;
  /** A dialog that requires a choice has no close button and does not close on Escape. */
  readonly mustChoose?: boolean;
}

export function Dialog(props: Props): ReactElement {
  const { title, onClose, children, footer, wide, steady, mustChoose } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const titleId = useId();
  // closed before it is removed: only then does the focus return to its previous place
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (dialog && steady) dialog.style.height = `${dialog.offsetHeight}px`;
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => dialog?.close();
  }, [steady]);
  return (
    <dialog
      ref={ref}
      className="pd-dialog"
      data-size={wide ? "wide" : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!mustChoose) onClose();
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        // a press that started inside, on text or a button, and was released outside closes
        // nothing
        if (event.target === event.currentTarget && pressedOutside.current && !mustChoose)
          onClose();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        ref.current?.querySelector("form")?.requestSubmit();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {!mustChoose && <IconButton icon={X} label={t("Close")} onClick={onClose} />}
      </header>
      <div className="pd-dialog-body pd-scroll" tabIndex={mustChoose ? undefined : 0}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  );
}
