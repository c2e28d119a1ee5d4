/** The runs as rows that are drawn again only when something about them changes. */

import {
  memo,
  type MouseEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";

import { pipelineNames } from "../../api/history";
import type { RunEntry } from "../../api/types.gen";
import { secondsOf } from "../../graph/runState";
import { formatMoment, formatSeconds } from "../../view/format";
import type { ScreenProps } from "../types";
import { isUnderWay } from "./useHistory";

interface Props extends Pick<ScreenProps, "send"> {
  readonly runs: readonly RunEntry[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

export function RunsTable({ runs, chosen, onChoose, send }: Props): ReactElement {
  const toggle = useCallback(
    (run: string): void =>
      onChoose(chosen.includes(run) ? chosen.filter((each) => each !== run) : [...chosen, run]),
    [chosen, onChoose],
  );
  const pipelines = useMemo(() => pipelineNames(runs), [runs]);
  return (
    <div className="pd-runs-frame">
      <table className="pd-runs-table" data-testid="runs-table">
        <thead>
          <tr>
            <th>
              <span className="pd-sr">Choose</span>
            </th>
            <th>Run</th>
            <th>Status</th>
            <th className="pd-runs-wide">Nodes</th>
            <th>Took</th>
            <th className="pd-runs-wide">Experiment</th>
            <th>Pipeline</th>
            <th>Submitted</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <Row
              key={run.run_id}
              run={run}
              pipelineName={pipelines.get(run.pipeline_id ?? "")}
              isChosen={chosen.includes(run.run_id)}
              onToggle={toggle}
              send={send}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<ScreenProps, "send"> {
  readonly run: RunEntry;
  readonly pipelineName: string | undefined;
  readonly isChosen: boolean;
  readonly onToggle: (run: string) => void;
}

const Row = memo(function Row(props: RowProps): ReactElement {
  const { run, pipelineName, isChosen, onToggle, send } = props;
  const name = run.name || run.run_id;
  const pipeline = run.pipeline_id;
  return (
    <tr data-testid={`run-${run.run_id}`} aria-selected={isChosen}>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={isChosen}
          onChange={() => onToggle(run.run_id)}
        />
      </td>
      <td>
        <a
          className="pd-runs-name"
          href={`/run?run=${run.run_id}`}
          data-testid={`open-${run.run_id}`}
          onClick={(event) => follow(event, () => send("go", { page: "run", run: run.run_id }))}
        >
          {name}
        </a>
        <span className="pd-runs-id">
          {run.run_id}
          {run.tags.map((tag) => (
            <em key={tag}>{tag}</em>
          ))}
        </span>
        {run.note && (
          <span className="pd-runs-note" title={run.note}>
            {run.note}
          </span>
        )}
      </td>
      <td>
        <span className="pd-status" data-status={run.status}>
          {run.status}
        </span>
      </td>
      <td className="pd-runs-wide">
        <Progress run={run} />
      </td>
      <td className="pd-runs-number">
        <Took run={run} />
      </td>
      <td className="pd-runs-wide">{run.experiment}</td>
      <td>
        {pipeline === null ? (
          run.pipeline_name
        ) : (
          <a
            href={`/design?pipeline=${pipeline}&run=${run.run_id}`}
            title={`Open ${pipeline} in Design`}
            onClick={(event) =>
              follow(event, () => send("go", { page: "design", pipeline, run: run.run_id }))
            }
          >
            {pipelineName}
          </a>
        )}
      </td>
      <td className="pd-runs-number" title={new Date(run.created * 1000).toLocaleString()}>
        {formatMoment(run.created)}
      </td>
    </tr>
  );
});

function Progress({ run }: { readonly run: RunEntry }): ReactElement {
  const share = run.num_nodes > 0 ? run.num_done / run.num_nodes : 0;
  return (
    <span className="pd-runs-progress">
      <span className="pd-track">
        <i data-status={run.status} style={{ transform: `scaleX(${share})` }} />
      </span>
      {run.num_done} of {run.num_nodes}
    </span>
  );
}

/** Counts on by itself while the run goes on. */
function Took({ run }: { readonly run: RunEntry }): ReactElement {
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

/** A plain click stays in the app; others do what links do. */
function follow(event: MouseEvent, go: () => void): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go();
}
