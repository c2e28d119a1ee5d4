/** Allows the programs that are typed in a field: who types them here has looked at them. */

import { useCallback, useRef } from "react";

import { allowCode } from "../../api/code";
import type { JsonValue, ParameterSpec } from "../../graph/types";
import { useEditor } from "../../view/context";

const PAUSE_MS = 300;

interface TypedCode {
  /** Tells of each change; the last one counts once nothing was typed for a moment. */
  readonly typed: (value: JsonValue) => void;
  /** Tells that typing has ended: nothing is waited for any more. */
  readonly done: () => void;
}

export function useTypedCode(parameter: ParameterSpec): TypedCode {
  const editor = useEditor();
  const waiting = useRef<{ readonly text: string; readonly timer: number }>(undefined);
  const done = useCallback((): void => {
    if (waiting.current === undefined) return;
    clearTimeout(waiting.current.timer);
    // Where the server does not answer, the run is refused and says how to allow the code.
    void allowCode(editor.api, waiting.current.text).catch(() => undefined);
    waiting.current = undefined;
  }, [editor]);
  const typed = useCallback(
    (value: JsonValue): void => {
      if (parameter.code === null || typeof value !== "string") return;
      clearTimeout(waiting.current?.timer);
      waiting.current = { text: value, timer: window.setTimeout(done, PAUSE_MS) };
    },
    [parameter, done],
  );
  return { typed, done };
}
