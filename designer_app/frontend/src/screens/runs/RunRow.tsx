/** Run as a row, rendered again only when it changes. */

import { type ReactElement, memo, useEffect, useState } from "react";

import type { RunColumn } from "../../api/types.gen";
import { secondsOf } from "../../graph/runState";
import { follow } from "../../ui/PageLink";
import { Sparkline } from "../../ui/Sparkline";
import { formatMoment, formatSeconds } from "../../view/format";
import type { ScreenProps } from "../types";
import { cellText, valueOf } from "./tableView";
import { type RunItem, isVaried, stateWords } from "./trials";
import { isUnderWay } from "./useHistory";
import { t } from "../../graph/translate";

interface Props extends Pick<ScreenProps, "send"> {
  readonly run: RunItem;
  readonly columns: readonly RunColumn[];
  /** Keys of the run's values. */
  readonly keys: readonly string[];
  readonly isChosen: boolean;
  readonly isBest: boolean;
  readonly onToggle: (run: string) => void;
}

export const RunRow = memo(function RunRow(props: Props): ReactElement {
  const { run, columns, keys, isChosen, isBest, onToggle, send } = props;
  const { trial, pipeline_id: pipeline } = run;
  const name = trial ? String(trial.number) : run.name || run.run_id;
  const hasRun = trial?.hasRun ?? true;
  const label = isBest && trial ? `${name} ★` : name;
  return (
    <tr data-testid={`run-row-${run.run_id}`} aria-selected={isChosen}>
      <td>
        <input
          type="checkbox"
          aria-label={trial ? t("Select trial {name}", { name }) : t("Select {name}", { name })}
          disabled={!hasRun}
          checked={isChosen}
          onChange={() => onToggle(run.run_id)}
        />
      </td>
      <td data-of={phoneWords(run, columns)}>
        {hasRun ? (
          <a
            className="pd-runs-name"
            href={`/run?run=${run.run_id}`}
            data-testid={`open-${run.run_id}`}
            onClick={(event) => follow(event, () => send("go", { page: "run", run: run.run_id }))}
          >
            {label}
          </a>
        ) : (
          <span className="pd-runs-name">{label}</span>
        )}
        <span className="pd-runs-id">
          {hasRun && run.run_id}
          {run.tags.map((tag) => (
            <em key={tag}>{tag}</em>
          ))}
        </span>
        {[trial?.reason, run.note].map(
          (note, place) =>
            note && (
              <span key={place} className="pd-runs-note" title={note}>
                {note}
              </span>
            ),
        )}
      </td>
      <td className="pd-runs-number">
        <Result run={run} isBest={isBest} />
      </td>
      {columns.map(({ key }) => (
        <td key={key} className={`pd-runs-number ${isVaried(key) ? "pd-runs-roomy" : ""}`}>
          {cellText(key, valueOf(run, key, keys))}
        </td>
      ))}
      <td>
        <span className="pd-status" data-status={run.status}>
          {stateWords(run.status)}
        </span>
      </td>
      <td className="pd-runs-wide">
        <Progress run={run} />
      </td>
      <td className="pd-runs-number pd-runs-roomy">
        <Took run={run} />
      </td>
      {!trial && <td className="pd-runs-wide">{run.experiment}</td>}
      {!trial && (
        <td className="pd-runs-roomy">
          {pipeline === null ? (
            run.pipeline_label
          ) : (
            <a
              href={`/design?pipeline=${pipeline}&run=${run.run_id}`}
              title={t("Open {pipeline} in Design", { pipeline })}
              onClick={(event) =>
                follow(event, () => send("go", { page: "design", pipeline, run: run.run_id }))
              }
            >
              {run.pipeline_label}
            </a>
          )}
        </td>
      )}
      <td
        className="pd-runs-number pd-runs-roomy"
        title={new Date(run.created * 1000).toLocaleString()}
      >
        {formatMoment(run.created)}
      </td>
    </tr>
  );
});

/** Line below the name on phones, instead of columns: pipeline, duration and start. */
function phoneWords(run: RunItem, columns: readonly RunColumn[]): string {
  const took = run.seconds === null ? null : formatSeconds(run.seconds);
  const values = run.trial?.values ?? {};
  const texts = columns.flatMap(({ key, label }) => {
    const value = values[key];
    return value === undefined ? [] : [`${label} ${cellText(key, value)}`];
  });
  const pipeline = run.trial ? null : run.pipeline_label;
  return [...texts, pipeline, took, formatMoment(run.created)].filter(Boolean).join(" · ");
}

/** Primary metric of the run, with a link. */
function Result({ run, isBest }: Pick<Props, "run" | "isBest">): ReactElement {
  const { headline, curve } = run;
  const values = curve.filter((value) => value !== null);
  return (
    <span className="pd-runs-result" data-best={isBest || undefined}>
      <span
        data-testid={`run-metric-${run.run_id}`}
        data-value={headline?.value}
        title={
          headline
            ? t("{label} of {node}: {value}", {
                label: headline.label,
                node: headline.node,
                value: headline.value,
              })
            : undefined
        }
      >
        {headline ? (
          <>
            <b>{headline.text}</b> <small>{headline.label}</small>
          </>
        ) : (
          "–"
        )}
      </span>
      {values.length > 1 && <Sparkline values={values} share={1} label={t("Training curve")} />}
    </span>
  );
}

function Progress({ run }: Pick<Props, "run">): ReactElement {
  const share = run.num_nodes > 0 ? run.num_done / run.num_nodes : 0;
  return (
    <span className="pd-runs-progress">
      <span className="pd-track">
        <i data-status={run.status} style={{ transform: `scaleX(${share})` }} />
      </span>
      {t("{num_done} of {num_nodes}", { num_done: run.num_done, num_nodes: run.num_nodes })}
    </span>
  );
}

/** Duration of a run; counts up while it is running. */
function Took({ run }: Pick<Props, "run">): ReactElement {
  const counts = isUnderWay(run) && run.started !== null;
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, [counts]);
  const seconds = counts ? secondsOf({ started: run.started, finished: null }, now) : run.seconds;
  return <>{seconds === null ? "–" : formatSeconds(seconds)}</>;
}
