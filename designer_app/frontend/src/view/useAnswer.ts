/** Response that a component requests while it is shown. */

import { useEffect, useState } from "react";

export interface Answer<Value> {
  readonly value: Value | null;
  /** Error as text. */
  readonly failed: string | null;
}

const NOTHING: Answer<never> = { value: null, failed: null };

/** Return the result of `ask`, called again when the function changes; no result for null. */
export function useAnswer<Value>(ask: (() => Promise<Value>) | null): Answer<Value> {
  const [got, setGot] = useState<{ of: unknown; answer: Answer<Value> }>({
    of: null,
    answer: NOTHING,
  });
  useEffect(() => {
    let wants = ask !== null;
    const show = (answer: Answer<Value>): void => {
      if (wants) setGot({ of: ask, answer });
    };
    ask?.().then(
      (value) => show({ value, failed: null }),
      (error: unknown) => show({ value: null, failed: wordsOf(error) }),
    );
    return () => {
      wants = false;
    };
  }, [ask]);
  return got.of === ask ? got.answer : NOTHING;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
