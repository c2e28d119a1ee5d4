/** Settings of a sweep in the run dialog: what is varied, how often, and what is compared. */

import { X } from "lucide-react";
import type { ReactElement } from "react";

import { trainedShare } from "../../graph/halving";
import { spaceWords } from "../../graph/spaces";
import { numTrials, placeTitle, trialsAtOnce, withSpace, withSweep } from "../../graph/sweep";
import { t } from "../../graph/translate";
import type { SweepObjective, SweepPruning, SweepSettings } from "../../graph/types.gen";
import { selectCatalog, selectTargets, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { formatSeconds } from "../../view/format";
import { SweepMetric } from "./SweepMetric";

const MOST_EPOCHS = 1_000_000;

interface Props {
  readonly sweep: SweepSettings;
  /** Forecast of one run; null while it is unknown. */
  readonly seconds: number | null;
}

export function SweepFields({ sweep, seconds }: Props): ReactElement {
  const editor = useEditor();
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const targets = useEditorState(selectTargets);
  const change = (part: Partial<SweepSettings>): void => {
    const label = t("Change the sweep");
    editor.edit(withSweep(editor.state.whole, { ...sweep, ...part }), label, "sweep");
  };
  const trials = numTrials(sweep);
  const { objective, pruning } = sweep;
  return (
    <fieldset data-testid="sweep-fields">
      <legend>{t("Values to try")}</legend>
      <ul className="pd-sweep-spaces">
        {Object.entries(sweep.parameters).map(([place, space]) => {
          const title = placeTitle(whole, catalog, place);
          const remove = t("Remove {place} from the sweep", { place: title });
          return (
            <li key={place}>
              <span>
                <b title={place}>{title}</b> {spaceWords(space)}
              </span>
              <button
                type="button"
                className="pd-tiny"
                aria-label={remove}
                title={remove}
                onClick={() =>
                  editor.edit(withSpace(whole, place, null), t("Remove from the sweep"))
                }
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
      <div className="pd-sweep-grid">
        <label>
          {t("Strategy")}
          <select
            className="pd-input"
            value={sweep.strategy}
            data-testid="sweep-strategy"
            onChange={(event) =>
              change({ strategy: event.target.value as SweepSettings["strategy"] })
            }
          >
            <option value="auto">{t("Automatic")}</option>
            <option value="grid">{t("All combinations")}</option>
            <option value="random">{t("Random values")}</option>
            <option value="tpe">{t("TPE (needs Optuna)")}</option>
          </select>
        </label>
        <label>
          {t("Trials")}
          <input
            className="pd-input"
            type="number"
            min={1}
            max={1000}
            value={sweep.max_trials ?? ""}
            placeholder={String(trials)}
            data-testid="sweep-trials"
            onChange={(event) => change({ max_trials: wholeIn(event.target.value, 1000) })}
          />
        </label>
        <label>
          {t("At the same time")}
          <input
            className="pd-input"
            type="number"
            min={1}
            max={100}
            value={sweep.parallel}
            data-testid="sweep-parallel"
            onChange={(event) => change({ parallel: wholeIn(event.target.value, 100) ?? 1 })}
          />
        </label>
      </div>
      <div className="pd-sweep-grid">
        <SweepMetric
          objective={objective ?? null}
          onChange={(next) => change({ objective: next, ...(next ? {} : { pruning: null }) })}
        />
        <label>
          {t("Goal")}
          <select
            className="pd-input"
            value={objective?.goal ?? ""}
            disabled={!objective}
            onChange={(event) =>
              objective &&
              change({
                objective: { ...objective, goal: event.target.value as SweepObjective["goal"] },
              })
            }
          >
            {!objective && <option value="">{t("Automatic")}</option>}
            <option value="maximize">{t("Highest value")}</option>
            <option value="minimize">{t("Lowest value")}</option>
          </select>
        </label>
        <label>
          {t("Stop early")}
          <select
            className="pd-input"
            value={pruning?.kind ?? ""}
            disabled={!objective}
            title={objective ? undefined : t("Choose a metric first.")}
            data-testid="sweep-pruning"
            onChange={(event) => change({ pruning: pruningOf(event.target.value, pruning) })}
          >
            <option value="">{t("No trial")}</option>
            <option value="halving">{t("By halving")}</option>
            <option value="median">{t("Below the median")}</option>
            <option value="bandit">{t("Far behind the best")}</option>
          </select>
        </label>
        {pruning && (
          <label>
            {t("Compare from epoch")}
            <input
              className="pd-input"
              type="number"
              min={1}
              max={MOST_EPOCHS}
              value={pruning.first_epoch}
              title={t("While the learning rate is warmed up, all trials are about equal.")}
              data-testid="sweep-first-epoch"
              onChange={(event) => {
                const first = wholeIn(event.target.value, MOST_EPOCHS) ?? 1;
                change({ pruning: { ...pruning, first_epoch: first } });
              }}
            />
          </label>
        )}
      </div>
      <p className="pd-field-help" data-testid="sweep-estimate">
        {estimate(
          trials,
          trialsAtOnce(whole, catalog, sweep, targets),
          seconds,
          trainedShare(whole, catalog, sweep),
        )}
      </p>
    </fieldset>
  );
}

/** "20 trials, about 5 min"; the share of their epochs that is trained is that of their time. */
function estimate(trials: number, atOnce: number, seconds: number | null, share: number): string {
  const words = t("{count:,} {count:trial|trials}", { count: trials });
  if (seconds === null) return words;
  const whole = (seconds * trials * share) / atOnce;
  return t("{trials}, about {time}", { trials: words, time: formatSeconds(whole) });
}

function wholeIn(text: string, most: number): number | null {
  const value = Math.round(Number(text));
  return text.trim() === "" || !Number.isFinite(value) ? null : Math.min(most, Math.max(1, value));
}

function pruningOf(kind: string, before: SweepPruning | null | undefined): SweepPruning | null {
  if (kind !== "halving" && kind !== "median" && kind !== "bandit") return null;
  return { first_epoch: 1, factor: 3, slack: 0.1, ...before, kind };
}
