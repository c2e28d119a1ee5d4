/** Limits of a parameter, as text for its documentation. */

import type { ParameterSpec } from "./types";
import { t } from "./translate";

/** Return the range as text: "at least 1 and at most 100"; empty if it has none. */
export function limitsOf(parameter: ParameterSpec): string {
  const ends = [
    [t("greater than"), parameter.exclusive_minimum],
    [t("at least"), parameter.minimum],
    [t("less than"), parameter.exclusive_maximum],
    [t("at most"), parameter.maximum],
  ] as const;
  return ends
    .flatMap(([words, end]) => {
      // the largest number means that there is no limit
      if (end === null || Math.abs(end) >= Number.MAX_SAFE_INTEGER) return [];
      // the smallest number above 0 means "greater than 0"
      return end === Number.EPSILON ? [t("greater than 0")] : [`${words} ${end}`];
    })
    .join(" and ");
}
