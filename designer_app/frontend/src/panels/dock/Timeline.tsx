/** Start and end of each node of the run, to scale, and the critical path. */

import { Fragment, type ReactElement, useEffect, useMemo, useState } from "react";

import { coresOf } from "../../graph/phases";
import { criticalPath } from "../../graph/criticalPath";
import { isFinished, secondsOf } from "../../graph/runState";
import { pinOf } from "../../graph/pins";
import { stepAt } from "../../graph/paths";
import { timeTicks } from "../../graph/timeTicks";
import { titleAmong } from "../../graph/titles";
import type { PipelineDocument, PipelineNode, StepState } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { formatSeconds } from "../../view/format";
import { goToNode } from "../../commands/goTo";
import { PhaseBars } from "./PhaseBars";
import { RankLanes } from "./RankLanes";
import { selectCatalog, selectDocument, selectRun, selectShownOf } from "../../store/selectors";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

export function Timeline(): ReactElement {
  const editor = useEditor();
  const run = useEditorState(selectRun);
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const running = run !== null && !isFinished(run.state);
  const now = useNow(running);
  const shownOf = useEditorState(selectShownOf);
  const frozen = run?.document ? shownOf(run.document) : document;
  const present = useMemo(() => stepsOf(frozen, run?.steps ?? {}), [frozen, run?.steps]);
  const path = useMemo(() => criticalPath(frozen, present), [frozen, present]);
  if (!run) {
    return (
      <p className="pd-empty">{t("No run yet. Press Run to see the times of all nodes here.")}</p>
    );
  }
  const steps = frozen.nodes.flatMap((node) => {
    const step = present[node.id];
    return step?.started ? [{ node, step, started: step.started }] : [];
  });
  steps.sort((one, other) => one.started - other.started);
  const start = Math.min(...steps.map((step) => step.started));
  const end = Math.max(...steps.map((step) => step.step.finished ?? now), start + 0.5);
  if (steps.length === 0) {
    const said = running
      ? t("Waiting for the first node to start.")
      : t("No node of this run was started.");
    return <p className="pd-empty">{said}</p>;
  }
  return (
    <>
      <Axis seconds={end - start} marked={path.size > 1} />
      {steps.map(({ node, step, started }) => (
        <Fragment key={node.id}>
          <div
            className="pd-gantt"
            data-critical={(path.size > 1 && path.has(node.id)) || undefined}
            data-testid={`gantt-${node.id}`}
          >
            <button
              type="button"
              className="pd-gantt-name"
              onClick={() => goToNode(editor, node.id)}
            >
              {titleAmong(document.nodes, node, catalog)}
            </button>
            <span className="pd-gantt-track">
              <i
                data-status={step.status}
                title={barWords(node, step, started - start, now, path.has(node.id))}
                style={{
                  left: `${(100 * (started - start)) / (end - start)}%`,
                  width: `${(100 * ((step.finished ?? now) - started)) / (end - start)}%`,
                }}
              />
              <PhaseBars phases={step.phases} start={start} seconds={end - start} now={now} />
            </span>
            <span>{timeOf(step, now, pinOf(node) !== undefined)}</span>
            <span className="pd-gantt-cores">{coresOf(step)}</span>
          </div>
          <RankLanes
            node={node}
            step={step}
            left={(100 * (started - start)) / (end - start)}
            width={(100 * ((step.finished ?? now) - started)) / (end - start)}
          />
        </Fragment>
      ))}
    </>
  );
}

/** Return steps by node; that of a sub-pipeline combines its inner steps. */
function stepsOf(
  document: PipelineDocument,
  steps: Readonly<Record<string, StepState>>,
): Readonly<Record<string, StepState>> {
  const timed = document.nodes.flatMap(({ id }) => {
    const step = stepAt(steps, id);
    return step ? [[id, step] as const] : [];
  });
  return Object.fromEntries(timed);
}

function Axis(props: { readonly seconds: number; readonly marked: boolean }): ReactElement {
  return (
    <div className="pd-gantt pd-gantt-axis">
      <span>{props.marked && <em data-testid="gantt-legend">{t("critical path")}</em>}</span>
      <span className="pd-gantt-track">
        {timeTicks(props.seconds).map((tick) => (
          <small key={tick} style={{ left: `${(100 * tick) / props.seconds}%` }}>
            {tick === 0 ? "0" : formatSeconds(tick)}
          </small>
        ))}
      </span>
      <span />
      <span className="pd-gantt-cores" />
    </div>
  );
}

/** "completed: started after 1.2 s, took 3.4 s, on 2 of 2 cores; on the critical path" */
function barWords(
  node: PipelineNode,
  step: StepState,
  after: number,
  now: number,
  isCritical: boolean,
): string {
  const took = secondsOf(step, now);
  const said = [t("started after {time}", { time: formatSeconds(after) })];
  if (took !== null) said.push(t("took {time}", { time: formatSeconds(took) }));
  const cores = coresOf(step);
  if (cores) said.push(t("on {cores}", { cores }));
  const pin = step.status === "reused" ? pinOf(node) : undefined;
  const status = pin
    ? t("pinned: from run {run}", { run: step.reused_from ?? pin.run })
    : statusWords(step.status);
  return `${status}: ${said.join(", ")}${isCritical ? t("; on the critical path") : ""}`;
}

function timeOf(step: StepState, now: number, isPinned: boolean): string {
  if (step.status === "reused") return statusWords(isPinned ? "pinned" : "reused");
  const seconds = secondsOf(step, now);
  return seconds === null ? "" : formatSeconds(seconds);
}

/** Return seconds since the epoch, updated twice a second while something runs. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), 500);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
