/** A program: a plain field until the code editor is loaded. */

import { type ReactElement, useEffect, useRef, useState } from "react";

import type { CodeFault } from "../../graph/codeFaults";
import { importWithRetry } from "../../ui/importWithRetry";
import type { CodeView } from "./codeMirror";

export interface CodeFieldProps {
  readonly id: string;
  readonly testId: string;
  readonly title: string;
  readonly text: string;
  readonly faults: readonly CodeFault[];
  readonly maxLength: number | null;
  readonly isReadOnly: boolean;
  readonly describedBy?: string | undefined;
  readonly autoFocus?: boolean;
  readonly onChange: (text: string) => void;
  readonly onDone: () => void;
}

export function CodeField(props: CodeFieldProps): ReactElement {
  const { id, testId, title, text, maxLength, isReadOnly, onChange, onDone } = props;
  const place = useRef<HTMLDivElement>(null);
  const isThere = useCodeView(place, props);
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

/** Create the code editor in an element once it is loaded, and update it; returns true then. */
function useCodeView(
  place: React.RefObject<HTMLDivElement | null>,
  props: CodeFieldProps,
): boolean {
  const { text, faults, isReadOnly, autoFocus: wantsFocus = false, describedBy } = props;
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
  useEffect(() => view?.setText(text), [view, text]);
  useEffect(() => view?.setFaults(faults), [view, faults, text]);
  useEffect(() => view?.setReadOnly(isReadOnly), [view, isReadOnly]);
  useEffect(() => view?.describe(describedBy, faults.length > 0), [view, describedBy, faults]);
  useEffect(() => {
    if (wantsFocus) view?.focus();
  }, [view, wantsFocus]);
  return view !== undefined;
}
