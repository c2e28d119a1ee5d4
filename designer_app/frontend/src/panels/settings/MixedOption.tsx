/** Option of a select for several nodes with different values. */

import type { ReactElement } from "react";
import { t } from "../../graph/translate";

/** Value that no choice has. */
export const MIXED = "\u0000mixed";

/** Shown, but not selectable; nothing if `words` is undefined. */
export function MixedOption({
  words,
}: {
  readonly words: string | undefined;
}): ReactElement | null {
  if (words === undefined) return null;
  return (
    <option value={MIXED} disabled>
      {t("mixed: {words}", { words })}
    </option>
  );
}
