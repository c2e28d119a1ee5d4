/** Beside the canvas of a replay: what the node of interest holds, its curves and its log. */

import { type ReactElement, useState } from "react";

import { hasSucceeded } from "../../graph/runState";
import { titleOf } from "../../graph/search";
import { useEditor, useEditorState } from "../../view/context";
import { StatusPill } from "../../ui/StatusPill";
import { type Tab, Tabs } from "../../ui/Tabs";
import { curvesOf, nodeOfInterest, previewsOf } from "../../store/replayRecording";
import {
  selectCatalog,
  selectMetricsOf,
  selectNode,
  selectOnlyNode,
  selectRun,
  selectStep,
} from "../../store/selectors";
import { LineChart } from "../results/LineChart";
import { NodeDetails } from "../results/NodeDetails";
import { usePlayer } from "./context";
import { PreviewView } from "./previews";
import { Recording } from "./Recording";
import { ReplayLog } from "./ReplayLog";

type TabId = "result" | "curves" | "log" | "details";
const TABS: readonly Tab<TabId>[] = [
  { id: "result", label: "Result", testId: "replay-tab-result" },
  { id: "curves", label: "Curves", testId: "replay-tab-curves" },
  { id: "log", label: "Log", testId: "replay-tab-log" },
  { id: "details", label: "Details", testId: "replay-tab-details" },
];

export function ReplayPane(): ReactElement {
  const selected = useEditorState(selectOnlyNode);
  const followed = useEditorState((state) => nodeOfInterest(state.run));
  const node = selected?.id ?? followed;
  return (
    <aside className="pd-settings pd-replay-pane" aria-label="What the replay tells">
      {node === null ? <Recording /> : <NodePane key={node} node={node} followed={!selected} />}
    </aside>
  );
}

interface Props {
  readonly node: string;
  /** Chosen by the replay, not by the user. */
  readonly followed: boolean;
}

function NodePane({ node: id, followed }: Props): ReactElement | null {
  const editor = useEditor();
  const node = useEditorState(selectNode(id));
  const catalog = useEditorState(selectCatalog);
  const step = useEditorState(selectStep(id));
  const [chosen, setChosen] = useState<TabId | null>(null);
  if (!node) return null;
  const runs = step !== undefined && !hasSucceeded(step) && step.status !== "failed";
  const tab = chosen ?? (step?.status === "failed" ? "details" : runs ? "curves" : "result");
  return (
    <>
      <header className="pd-settings-head">
        <h2>{titleOf(node, catalog)}</h2>
        <StatusPill node={`${id}-pane`} step={step} />
      </header>
      <p className="pd-replay-hint">
        {followed ? (
          "Follows the run. Click a node to stay with it."
        ) : (
          <button type="button" className="pd-link" onClick={() => editor.select({})}>
            Follow the run again
          </button>
        )}
      </p>
      <Tabs
        label="Of the node"
        tabs={TABS}
        selected={tab}
        panelId="pd-replay"
        onSelect={setChosen}
      />
      <div
        className="pd-settings-body pd-scroll"
        id="pd-replay"
        role="tabpanel"
        aria-label={tab}
        tabIndex={0}
        data-testid="replay-panel"
      >
        {tab === "result" && <Result node={id} />}
        {tab === "curves" && <Curves node={id} />}
        {tab === "log" && <ReplayLog node={id} />}
        {tab === "details" && <NodeDetails node={node} />}
      </div>
    </>
  );
}

function Result({ node }: { readonly node: string }): ReactElement {
  const { recorded } = usePlayer();
  const step = useEditorState(selectStep(node));
  const previews = previewsOf(recorded, node, step);
  if (!step || !hasSucceeded(step)) {
    return <p className="pd-dim">Shown as soon as the node has ended: play on.</p>;
  }
  if (previews.length === 0) {
    return <p className="pd-dim">{step.summary ?? "Nothing of this output can be drawn."}</p>;
  }
  return (
    <>
      {previews.map((preview) => (
        <PreviewView key={preview.port} preview={preview} pictures={recorded.pictures} />
      ))}
    </>
  );
}

const FIRST = ["Train loss", "Valid loss", "Top-1 validation accuracy"];

/** The run's own curves; those of a reused model are whole from the start. */
function Curves({ node }: { readonly node: string }): ReactElement {
  const { recorded } = usePlayer();
  const run = useEditorState(selectRun);
  const live = useEditorState(selectMetricsOf(node));
  const step = run?.steps[node];
  const model = previewsOf(recorded, node, step).find((each) => each.kind === "model");
  const curves = Object.keys(live).length === 0 && model ? curvesOf(model) : live;
  const names = Object.keys(curves).toSorted((one, other) => rank(one) - rank(other));
  if (names.length === 0) {
    return <p className="pd-dim">No curves yet. A training draws one point an epoch.</p>;
  }
  return (
    <>
      {names.map((name) => (
        <LineChart key={name} title={name} points={curves[name] ?? []} />
      ))}
    </>
  );
}

function rank(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}
