/** Details of a node in the shown run: status, times, outputs, changes since. */

import { type ReactElement, type ReactNode, useContext } from "react";

import { awaitedRun } from "../../graph/phases";
import { secondsOf, stallOf } from "../../graph/runState";
import type { PipelineNode, Stall, StepState } from "../../graph/types";
import { useEditorState } from "../../view/context";
import { type Fact, Facts } from "../../ui/Facts";
import { PageLink } from "../../ui/PageLink";
import { Echoes } from "../../ui/Evidence";
import { ProblemText } from "../../ui/ProblemText";
import { formatMoment, formatSeconds } from "../../view/format";
import { selectCatalog, selectStaleness, selectStep, selectUsedPin } from "../../store/selectors";
import { PlayerContext } from "../replay/context";
import { PhaseStrip } from "./PhaseStrip";
import { ScriptVariables } from "./ScriptVariables";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

export function NodeDetails({ node }: { readonly node: PipelineNode }): ReactElement {
  const module = useEditorState(selectCatalog).byId.get(node.module);
  return (
    <>
      <RunDetails node={node} />
      {module?.launches && <ScriptVariables node={node} module={module} />}
    </>
  );
}

function RunDetails({ node }: { readonly node: PipelineNode }): ReactElement {
  const step = useEditorState(selectStep(node.id));
  const stale = useEditorState(selectStaleness(node.id));
  const isPinned = useEditorState(selectUsedPin(node.id)) !== undefined;
  if (!step) {
    return (
      <p className="pd-dim">
        {t("Not run yet. Press Run to see the status, times and outputs of this node.")}
      </p>
    );
  }
  const stall = stallOf(step);
  return (
    <>
      <Facts facts={factsOf(node, step, isPinned)} />
      <PhaseStrip phases={step.phases} />
      {stall && <StallBox stall={stall} />}
      {step.summary && <div className="pd-box">{step.summary}</div>}
      {step.problem && (
        <div className="pd-box" data-kind="error">
          <ProblemText problem={step.problem} />
          <Echoes problem={step.problem} />
        </div>
      )}
      {step.warnings.slice(0, 10).map((warning, place) => (
        <div className="pd-box" key={place}>
          {warning}
        </div>
      ))}
      {stale && stale.length > 0 && (
        <div className="pd-box">
          <b>{t("Changed since this run:")}</b> {stale.join("; ")}
        </div>
      )}
    </>
  );
}

/** Start of a stall, and the last line of each rank's log. */
function StallBox({ stall }: { readonly stall: Stall }): ReactElement {
  return (
    <div className="pd-box" data-testid="stalled">
      <b>{t("No progress since {moment}.", { moment: formatMoment(stall.since) })}</b>{" "}
      {t("The last line of each log:")}
      {Object.entries(stall.ranks).map(([rank, line]) => (
        <div key={rank}>{t("Rank {rank}: {line}", { rank, line: line || t("no output yet") })}</div>
      ))}
      {t("Cancel the run, or set a stall limit in the run settings to restart stalled steps.")}
    </div>
  );
}

/** Link to a run; not in a replay, whose runs may not exist here. */
function RunLink({ run, name = run, testId }: RunLinkProps): ReactNode {
  if (useContext(PlayerContext)) return name;
  return (
    <PageLink href={`/run?run=${run}`} to={{ page: "run", run }} testId={testId}>
      {name}
    </PageLink>
  );
}

interface RunLinkProps {
  readonly run: string;
  readonly name?: string;
  readonly testId: string;
}

function factsOf(node: PipelineNode, step: StepState, isPinned: boolean): readonly Fact[] {
  const status = stallOf(step) ? "stalled" : isPinned ? "pinned" : step.status;
  const facts: Fact[] = [[t("Status"), statusWords(status)]];
  const seconds = secondsOf(step);
  if (seconds !== null) facts.push([t("Duration"), formatSeconds(seconds)]);
  if (step.started !== null) facts.push([t("Started"), formatMoment(step.started)]);
  if (step.reused_from) {
    const link = <RunLink run={step.reused_from} testId="reused-from" />;
    facts.push([isPinned ? t("Pinned: from run") : t("Reused from run"), link]);
  }
  const awaited = awaitedRun(step);
  if (awaited) {
    const link = <RunLink run={awaited.id} name={awaited.name} testId="awaited-run" />;
    facts.push([t("Waits for run"), link], [t("Reason"), t("It computes the same output.")]);
  }
  if (step.attempt > 1) facts.push([t("Attempt"), String(step.attempt)]);
  facts.push(
    [t("Module"), t("{module}, version {version}", { module: node.module, version: node.version })],
    ["ID", node.id],
  );
  if (step.artifact_id) facts.push([t("Output"), step.artifact_id]);
  return facts;
}
