/** Evaluation: its metrics, the matrix, and the most confident mistakes. */

import type { ReactElement } from "react";

import type { EvaluationPreview } from "../../../api/types.gen";
import { hitsIn } from "../../../graph/evaluation";
import { scoredNodeOf } from "../../../store/previews";
import { selectDocument } from "../../../store/selectors";
import { type Fact, Facts } from "../../../ui/Facts";
import { useEditorState } from "../../../view/context";
import { formatCount } from "../../../view/format";
import { metricText, metricWords } from "../../../view/metricWords";
import { usePreviews } from "../../../view/usePreviews";
import { ConfusionMatrix } from "./ConfusionMatrix";
import { PredictedPictures, isWrong } from "./Pictures";
import { t } from "../../../graph/translate";

const ACCURACY = "Overall_Accuracy";
const FIRST = [ACCURACY, "Macro_F1", "Macro_Precision", "Macro_Recall", "Log_Loss"];
const NUM_MISTAKES = 3;

export function Evaluation({ preview }: { readonly preview: EvaluationPreview }): ReactElement {
  return (
    <>
      <EvaluationMetrics preview={preview} />
      {preview.confusion.length > 0 && <ConfusionMatrix preview={preview} />}
      <ConfidentMistakes node={preview.node} />
    </>
  );
}

function EvaluationMetrics({ preview }: { readonly preview: EvaluationPreview }): ReactElement {
  const names = Object.keys(preview.metrics).filter((name) => preview.metrics[name] !== null);
  const first = FIRST.filter((name) => names.includes(name));
  const shown = first.length > 0 ? first : names.slice(0, FIRST.length);
  const rest = names.filter((name) => !shown.includes(name));
  const fact = (name: string): Fact => [metricWords(name), textOf(preview, name)];
  return (
    <div data-testid="result-metrics">
      <Facts facts={shown.map(fact)} />
      {rest.length > 0 && (
        <details className="pd-more-metrics">
          <summary>{t("All metrics")}</summary>
          <Facts facts={rest.map(fact)} />
        </details>
      )}
    </div>
  );
}

/** "98.3 % (353 of 359)". */
function textOf({ metrics, confusion }: EvaluationPreview, name: string): string {
  const text = metricText(name, metrics[name]);
  if (name !== ACCURACY || confusion.length === 0) return text;
  const { right, total } = hitsIn(confusion);
  return t("{value} ({right} of {total})", {
    value: text,
    right: formatCount(right),
    total: formatCount(total),
  });
}

/** Most confident mistakes in the scores of an evaluation. */
function ConfidentMistakes({ node }: { readonly node: string }): ReactElement | null {
  const document = useEditorState(selectDocument);
  const { value } = usePreviews(scoredNodeOf(document, node) ?? null);
  const scores = value?.previews.find((preview) => preview.kind === "predictions");
  const mistakes = (scores?.samples ?? [])
    .filter(isWrong)
    .toSorted((one, other) => (other.confidence ?? 0) - (one.confidence ?? 0))
    .slice(0, NUM_MISTAKES);
  if (!value || mistakes.length === 0) return null;
  return (
    <section data-testid="result-mistakes">
      <h3>{t("Most confident mistakes")}</h3>
      <PredictedPictures samples={mistakes} pictures={value.pictures} />
    </section>
  );
}
