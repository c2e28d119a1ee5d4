/** Types of ports as text; as in `Artifact.in_words` of Python. */

import { filled } from "./sentences/sentence";

const WORDS: Readonly<Record<string, string>> = {
  AnyDirectory: "folder or archive",
  ForeignModel: "model of a script",
  OnnxModel: "ONNX model",
  ScorableModel: "trained or exported model",
};

/** Return "trained model" for `TrainedModel`, in the language of the page. */
export function typeWords(type: string): string {
  return filled(englishTypeWords(type), {}, "type");
}

export function englishTypeWords(type: string): string {
  return WORDS[type] ?? type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}
