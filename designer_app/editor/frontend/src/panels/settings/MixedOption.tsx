/** Option of a select for several nodes with different values. */

import type { ReactElement } from "react";

/** A value that no choice has. */
export const MIXED = "\u0000mixed";

/** Shown, never chosen; nothing where `words`, what is set, is undefined. */
export function MixedOption({
  words,
}: {
  readonly words: string | undefined;
}): ReactElement | null {
  if (words === undefined) return null;
  return (
    <option value={MIXED} disabled>
      mixed: {words}
    </option>
  );
}
