/** Types of ports as text; as in `Artifact.in_words` of Python. */

import { t } from "./translate";

const WORDS: Readonly<Record<string, string>> = {
  AnyDirectory: t("folder or archive"),
  ForeignModel: t("model of a script"),
};

/** Return "trained model" for `TrainedModel`. */
export function typeWords(type: string): string {
  return WORDS[type] ?? type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}
