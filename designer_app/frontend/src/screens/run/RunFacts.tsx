/** Summary of the run while no node is selected: result, states of the nodes, and long steps. */

import type { ReactElement } from "react";

import { findNode } from "../../graph/lookup";
import { pinOf } from "../../graph/pins";
import { secondsOf } from "../../graph/runState";
import { titleAmong } from "../../graph/titles";
import type { PipelineDocument, StepState } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { formatCount, formatSeconds } from "../../view/format";
import { RunResult } from "../../panels/results/RunResult";
import { goToNode } from "../../commands/goTo";
import { selectCatalog, selectDocument, selectSteps } from "../../store/selectors";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

const ORDER = [
  "failed",
  "running",
  "preparing",
  "finalising",
  "queued",
  "not started",
  "completed",
  "reused",
  "pinned",
  "skipped",
  "cancelled",
  "paused",
];
const LONGEST = 5;

export function RunFacts(): ReactElement {
  const steps = useEditorState(selectSteps);
  const document = useEditorState(selectDocument);
  const counts = countsOf(steps, document);
  return (
    <div className="pd-settings-body pd-scroll">
      <RunResult />
      <h3 className="pd-heading">{t("Nodes")}</h3>
      <ul className="pd-run-counts">
        {ORDER.filter((status) => counts.has(status)).map((status) => (
          <li key={status}>
            <span className="pd-status" data-status={status === "pinned" ? "reused" : status}>
              {statusWords(status)}
            </span>
            <b>{formatCount(counts.get(status) ?? 0)}</b>
          </li>
        ))}
      </ul>
      <Longest steps={steps} />
      <p className="pd-dim">{t("Select a node to see its result, times, parameters and code.")}</p>
    </div>
  );
}

function Longest({ steps }: { readonly steps: Readonly<Record<string, StepState>> }): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const longest = Object.entries(steps)
    .flatMap(([id, step]) => {
      const seconds = step.status === "completed" ? secondsOf(step) : null;
      const node = findNode(document, id);
      return node && seconds !== null ? [{ node, seconds }] : [];
    })
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, LONGEST);
  if (longest.length === 0) return <></>;
  return (
    <>
      <h3 className="pd-heading">{t("Longest steps")}</h3>
      <ul className="pd-run-longest">
        {longest.map(({ node, seconds }) => (
          <li key={node.id}>
            <button type="button" className="pd-link" onClick={() => goToNode(editor, node.id)}>
              {titleAmong(document.nodes, node, catalog)}
            </button>
            <span>{formatSeconds(seconds)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function countsOf(
  steps: Readonly<Record<string, StepState>>,
  document: PipelineDocument,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [id, step] of Object.entries(steps)) {
    const isPinned = step.status === "reused" && pinOf(findNode(document, id)) !== undefined;
    const status = isPinned ? "pinned" : step.status;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}
