/** The types of ports as texts for users name them; as `Artifact.in_words` in Python. */

const WORDS: Readonly<Record<string, string>> = {
  AnyDirectory: "folder or archive",
  ForeignModel: "model of a script",
};

/** "trained model" for `TrainedModel`. */
export function typeWords(type: string): string {
  return WORDS[type] ?? type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}
