/** Error details on a node, the fix, and its buttons. */

import { useStore } from "@xyflow/react";
import { X } from "lucide-react";
import { memo, type ReactElement, useMemo, useState } from "react";

import { selectCardShift } from "./cardShift";
import { fixAndRerun } from "../commands/rerun";
import { headlineOf } from "../graph/problems";
import { remedyOf } from "../graph/remedies";
import type { Problem } from "../graph/types";
import { Button } from "../ui/buttons";
import { useEditor, useEditorState, useView, useViewState } from "../view/context";
import { Echoes, Evidence } from "../ui/Evidence";
import { LogLines } from "../ui/ProblemText";
import { RemedyButton } from "../ui/RemedyButton";
import {
  selectCatalog,
  selectDocument,
  selectHasChanged,
  selectIsReadOnly,
  selectIsRunning,
  selectRunId,
} from "../store/selectors";
import { t } from "../graph/translate";

interface Props {
  readonly node: string;
  readonly problem: Problem;
}

export const FailureCard = memo(function FailureCard({
  node,
  problem,
}: Props): ReactElement | null {
  const editor = useEditor();
  const view = useView();
  const run = useEditorState(selectRunId);
  const frozen = useEditorState(selectIsReadOnly);
  const key = `${run ?? ""}:${node}`;
  const closed = useViewState((state) => state.closedFaults.has(key));
  const recorded = useViewState((state) => state.recorded);
  const changed = useEditorState(selectHasChanged);
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const [fixed, setFixed] = useState(false);
  const shift = useStore(useMemo(() => selectCardShift(node), [node]));
  if (closed) return null;
  const canFix = !frozen && !(fixed && changed);
  const hasFix = canFix && remedyOf(problem, document, catalog) !== undefined;
  const close = (): void =>
    view.setState(({ closedFaults }) => ({ closedFaults: new Set([...closedFaults, key]) }));
  const showLog = (): void => {
    editor.select({ nodes: [node] });
    view.setState({ settingsTab: "logs" });
  };
  return (
    <section
      className="pd-fault nodrag nopan nowheel"
      aria-label={t("Error details")}
      data-testid={`fault-${node}`}
      style={shift > 0 ? { left: -shift } : undefined}
    >
      <header>
        <strong>{headlineOf(problem.message)}</strong>
        <button type="button" className="pd-tiny" aria-label={t("Close")} onClick={close}>
          <X size={14} aria-hidden />
        </button>
      </header>
      <p>{problem.cure}</p>
      <LogLines of={problem} />
      <Evidence problem={problem} />
      <Echoes problem={problem} />
      <div className="pd-fault-actions">
        {!frozen && problem.details?.["kind"] === "weights" && <FetchButton />}
        {canFix && <RemedyButton problem={problem} kind="primary" onDone={() => setFixed(true)} />}
        {frozen && !recorded && <RerunButton problem={problem} />}
        {!recorded && <ResumeButton isMain={!hasFix} />}
        {!recorded && (
          <Button small onClick={showLog}>
            {t("Log")}
          </Button>
        )}
      </div>
    </section>
  );
});

/** Fix the problem in the pipeline of the shown run, and run that; hidden while it is running. */
function RerunButton({ problem }: { readonly problem: Problem }): ReactElement | null {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const running = useEditorState(selectIsRunning);
  const remedy = remedyOf(problem, document, catalog);
  if (running || !remedy?.edit) return null;
  const { edit, label } = remedy;
  return (
    <Button
      small
      kind="primary"
      title={t("Start a new run with this change; the saved pipeline is not changed")}
      data-testid="fix-and-rerun"
      onClick={() => void fixAndRerun(editor, edit)}
    >
      {t("{label} and run again", { label })}
    </Button>
  );
}

/** A step downloads the weights that it needs, so resuming the run retries the download. */
function FetchButton(): ReactElement {
  const editor = useEditor();
  const title = t("Retry the download when the network or the file is available");
  return (
    <Button
      small
      title={title}
      data-testid="fetch-weights"
      onClick={() => void editor.runs.resume()}
    >
      {t("Download weights")}
    </Button>
  );
}

/** Resume the run, or start a new one after changes; both keep completed nodes. */
function ResumeButton({ isMain }: { readonly isMain: boolean }): ReactElement {
  const editor = useEditor();
  const changed = useEditorState(selectHasChanged);
  const title = changed
    ? t("Start a new run with your changes; valid outputs are reused")
    : t("Continue this run; finished nodes are kept");
  return (
    <Button
      small
      kind={changed && isMain ? "primary" : undefined}
      title={title}
      data-testid="go-on"
      onClick={() => void editor.runs.resume()}
    >
      {changed ? t("Run with changes") : t("Resume run")}
    </Button>
  );
}
