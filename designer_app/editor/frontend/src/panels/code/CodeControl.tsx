/** A parameter that is a program: a plain field until the code editor is there, and larger in a dialog. */

import { Maximize2 } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";

import type { CodeFault } from "../../graph/codeFaults";
import { Button } from "../../ui/buttons";
import { Dialog } from "../../ui/Dialog";
import { importWithRetry } from "../../ui/importWithRetry";
import { useEditorState } from "../../view/context";
import { selectIsReadOnly } from "../../store/selectors";
import type { CodeView } from "./codeMirror";

interface Props {
  readonly id: string;
  readonly testId: string;
  readonly title: string;
  readonly text: string;
  readonly faults: readonly CodeFault[];
  readonly maxLength: number | null;
  readonly onChange: (text: string) => void;
  readonly onDone: () => void;
}

export function CodeControl(props: Props): ReactElement {
  const { testId, title } = props;
  const [isLarge, setLarge] = useState(false);
  return (
    <div className="pd-code-control">
      {!isLarge && <CodeField {...props} />}
      <p className="pd-code-foot">
        <span className="pd-dim">Escape, then Tab leaves the field.</span>
        <Button small kind="plain" data-testid={`${testId}-larger`} onClick={() => setLarge(true)}>
          <Maximize2 size={13} aria-hidden /> Larger
        </Button>
      </p>
      {isLarge && (
        <Dialog title={title} wide onClose={() => setLarge(false)}>
          <div className="pd-code-large">
            <CodeField {...props} autoFocus />
          </div>
        </Dialog>
      )}
    </div>
  );
}

function CodeField(props: Props & { readonly autoFocus?: boolean }): ReactElement {
  const { id, testId, title, text, maxLength, onChange, onDone } = props;
  const isReadOnly = useEditorState(selectIsReadOnly);
  const place = useRef<HTMLDivElement>(null);
  const isThere = useCodeView(place, props, isReadOnly);
  return (
    <div className="pd-code-field" onKeyDown={(event) => event.stopPropagation()}>
      <div ref={place} className="pd-code-view" hidden={!isThere} />
      {!isThere && (
        <textarea
          id={id}
          className="pd-input"
          data-testid={`${testId}-plain`}
          aria-label={title}
          value={text}
          readOnly={isReadOnly}
          maxLength={maxLength ?? undefined}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onDone}
        />
      )}
    </div>
  );
}

/** Puts the code editor into a place once it is loaded, and keeps it up to date; true then. */
function useCodeView(
  place: React.RefObject<HTMLDivElement | null>,
  props: Props & { readonly autoFocus?: boolean },
  isReadOnly: boolean,
): boolean {
  const { text, faults } = props;
  const [view, setView] = useState<CodeView>();
  const newest = useRef(props);
  useEffect(() => {
    newest.current = props;
  });
  useEffect(() => {
    let made: CodeView | undefined;
    let isOver = false;
    void importWithRetry(() => import("./codeMirror")).then(({ createCodeView }) => {
      const parent = place.current;
      if (isOver || !parent) return;
      const { title, testId } = newest.current;
      made = createCodeView({
        parent,
        text: newest.current.text,
        label: title,
        testId,
        isReadOnly: false,
        onChange: (next) => newest.current.onChange(next),
        onDone: () => newest.current.onDone(),
      });
      setView(made);
    });
    return () => {
      isOver = true;
      made?.remove();
    };
  }, [place]);
  const wantsFocus = props.autoFocus ?? false;
  useEffect(() => view?.setText(text), [view, text]);
  useEffect(() => view?.setFaults(faults), [view, faults, text]);
  useEffect(() => view?.setReadOnly(isReadOnly), [view, isReadOnly]);
  useEffect(() => {
    if (wantsFocus) view?.focus();
  }, [view, wantsFocus]);
  return view !== undefined;
}
