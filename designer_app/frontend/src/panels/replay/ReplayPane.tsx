/** Pane next to a replay's canvas: result and log of the node of interest, at the end the run's
 * result. */

import { type ReactElement, useState } from "react";

import { isFinished } from "../../graph/runState";
import { titleOf } from "../../graph/search";
import { useEditor, useEditorState } from "../../view/context";
import { StatusPill } from "../../ui/StatusPill";
import { type Tab, Tabs } from "../../ui/Tabs";
import { nodeOfInterest } from "../../store/replayRecording";
import {
  selectCatalog,
  selectNode,
  selectOnlyNode,
  selectStep,
  selectUsedPin,
} from "../../store/selectors";
import type { EditorState } from "../../store/types";
import { NodeDetails } from "../results/NodeDetails";
import { NodeResult } from "../results/NodeResult";
import { RunResult, evaluationIn } from "../results/RunResult";
import { Recording } from "./Recording";
import { ReplayLog } from "./ReplayLog";
import { t } from "../../graph/translate";

type TabId = "result" | "log" | "details";
const TABS: readonly Tab<TabId>[] = [
  { id: "result", label: t("Result"), testId: "replay-tab-result" },
  { id: "log", label: t("Log"), testId: "replay-tab-log" },
  { id: "details", label: t("Details"), testId: "replay-tab-details" },
];

export function ReplayPane(): ReactElement {
  const selected = useEditorState(selectOnlyNode);
  const followed = useEditorState(selectFollowed);
  const hasResult = useEditorState(selectHasResult);
  const node = selected?.id ?? followed;
  return (
    <aside data-region className="pd-settings pd-replay-pane" aria-label={t("Replay details")}>
      {!selected && hasResult ? (
        <WholeRun />
      ) : node === null ? (
        <Recording />
      ) : (
        <NodePane key={node} node={node} followed={!selected} />
      )}
    </aside>
  );
}

const selectFollowed = ({ run }: EditorState): string | null => nodeOfInterest(run);

/** True at the end of a run with an evaluation. */
const selectHasResult = (state: EditorState): boolean =>
  state.run !== null && isFinished(state.run.state) && evaluationIn(state) !== null;

function WholeRun(): ReactElement {
  return (
    <>
      <header className="pd-settings-head">
        <h2>{t("Result")}</h2>
      </header>
      <div
        className="pd-settings-body pd-scroll"
        tabIndex={0}
        role="region"
        aria-label={t("Result")}
      >
        <RunResult />
      </div>
    </>
  );
}

interface Props {
  readonly node: string;
  /** True if the replay selected it, not the user. */
  readonly followed: boolean;
}

function NodePane({ node: id, followed }: Props): ReactElement | null {
  const editor = useEditor();
  const node = useEditorState(selectNode(id));
  const catalog = useEditorState(selectCatalog);
  const step = useEditorState(selectStep(id));
  const isPinned = useEditorState(selectUsedPin(id)) !== undefined;
  const [chosen, setChosen] = useState<TabId | null>(null);
  if (!node) return null;
  const tab = chosen ?? (step?.status === "failed" ? "details" : "result");
  return (
    <>
      <header className="pd-settings-head">
        <h2>{titleOf(node, catalog)}</h2>
        <StatusPill node={`${id}-pane`} step={step} pinned={isPinned} />
      </header>
      <p className="pd-replay-hint">
        {followed ? (
          t("Following the run. Click a node to stay on it.")
        ) : (
          <button type="button" className="pd-link" onClick={() => editor.select({})}>
            {t("Follow run")}
          </button>
        )}
      </p>
      <Tabs
        label={t("Selected node")}
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
        {tab === "result" && <NodeResult node={node} />}
        {tab === "log" && <ReplayLog node={id} />}
        {tab === "details" && <NodeDetails node={node} />}
      </div>
    </>
  );
}
