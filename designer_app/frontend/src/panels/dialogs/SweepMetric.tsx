/** Metric that a sweep compares: one of the usual ones by title, or any other by its name. */

import { type ReactElement, useState } from "react";

import { pathTitle } from "../../graph/places";
import { objectiveOf } from "../../graph/sweep";
import { t } from "../../graph/translate";
import type { PipelineNode } from "../../graph/types";
import type { SweepObjective } from "../../graph/types.gen";
import { selectCatalog, selectWhole } from "../../store/selectors";
import { useEditorState } from "../../view/context";
import { metricWords } from "../../view/metricWords";

type Place = Pick<SweepObjective, "node" | "metric">;

interface Props {
  /** Null: the primary metric of a run. */
  readonly objective: SweepObjective | null;
  readonly onChange: (next: SweepObjective | null) => void;
}

const OTHER = "other";

export function SweepMetric({ objective, onChange }: Props): ReactElement {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const usual = usualMetrics(whole.nodes);
  const chosen = objective ? textOf(objective) : "";
  const isUsual = chosen === "" || usual.some((place) => textOf(place) === chosen);
  const [wantsOther, setWantsOther] = useState(false);
  const isOther = wantsOther || !isUsual;
  const choose = (text: string): void => {
    onChange(objectiveOf(text));
  };
  return (
    <>
      <label>
        {t("Metric")}
        <select
          className="pd-input"
          value={isOther ? OTHER : chosen}
          title={chosen}
          data-testid="sweep-metric"
          onChange={(event) => {
            setWantsOther(event.target.value === OTHER);
            if (event.target.value !== OTHER) choose(event.target.value);
          }}
        >
          <option value="">{t("Primary metric")}</option>
          {usual.map((place) => (
            <option key={textOf(place)} value={textOf(place)}>
              {t("{node}, {setting}", {
                node: pathTitle(whole, catalog, place.node),
                setting: metricWords(place.metric),
              })}
            </option>
          ))}
          <option value={OTHER}>{t("Other metric ...")}</option>
        </select>
      </label>
      {isOther && (
        <label>
          {t("Node and metric")}
          <input
            className="pd-input"
            defaultValue={chosen}
            placeholder={t("NODE.METRIC")}
            data-testid="sweep-other-metric"
            onChange={(event) => choose(event.target.value)}
          />
        </label>
      )}
    </>
  );
}

function textOf({ node, metric }: Place): string {
  return `${node}.${metric}`;
}

/** Return the usual metrics of the trainings and evaluations on the canvas. */
function usualMetrics(nodes: readonly PipelineNode[]): readonly Place[] {
  return nodes.flatMap(({ id, module }) => {
    if (module === "train_pytorch_model" || module === "tune_model_hyperparameters") {
      return [
        { node: id, metric: "Top-1 validation accuracy" },
        { node: id, metric: "Valid loss" },
      ];
    }
    return module === "evaluate_model" ? [{ node: id, metric: "Overall_Accuracy" }] : [];
  });
}
