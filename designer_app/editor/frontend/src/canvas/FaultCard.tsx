/** What went wrong on a node, what to do, and the buttons that do it. */

import { X } from "lucide-react";
import { memo, type ReactElement } from "react";

import { sameValue } from "../graph/document";
import type { Problem } from "../graph/types";
import { Button } from "../parts/buttons";
import { useEditor, useEditorState, useView, useViewState } from "../parts/context";
import { RemedyButton } from "../parts/RemedyButton";
import type { Editor } from "../store/editor";
import { selectRunId } from "../store/partSelectors";

interface Props {
  readonly node: string;
  readonly problem: Problem;
}

export const FaultCard = memo(function FaultCard({ node, problem }: Props): ReactElement | null {
  const editor = useEditor();
  const view = useView();
  const run = useEditorState(selectRunId);
  const key = `${run ?? ""}:${node}`;
  const closed = useViewState((state) => state.closedFaults.has(key));
  if (closed) return null;
  const close = (): void =>
    view.setState(({ closedFaults }) => ({ closedFaults: new Set([...closedFaults, key]) }));
  const showLog = (): void => {
    editor.select({ nodes: [node] });
    view.setState({ settingsTab: "logs" });
  };
  return (
    <section
      className="pd-fault nodrag nopan nowheel"
      aria-label="What went wrong"
      data-testid={`fault-${node}`}
    >
      <header>
        <strong>{problem.message}</strong>
        <button type="button" className="pd-tiny" aria-label="Close this card" onClick={close}>
          <X size={14} aria-hidden />
        </button>
      </header>
      <p>{problem.cure}</p>
      <div className="pd-fault-actions">
        <RemedyButton problem={problem} kind="primary" />
        <Button small onClick={() => goOn(editor)}>
          Resume from here
        </Button>
        <Button small onClick={showLog}>
          Log
        </Button>
      </div>
    </section>
  );
});

/** The run goes on; once the pipeline was changed a new run does, which reuses what is finished. */
function goOn(editor: Editor): void {
  const { run, document } = editor.state;
  if (run?.document && !sameValue(run.document, document)) void editor.submit();
  else void editor.resumeRun();
}
