/** Result of a run: its primary metric, the matrix, the most confident mistakes. */

import { lazy, type ReactElement, Suspense } from "react";

import type { Headline } from "../../api/types.gen";
import { findNode } from "../../graph/lookup";
import { everyNode, pathTitle } from "../../graph/places";
import { hasSucceeded } from "../../graph/runState";
import { selectCatalog, selectWhole } from "../../store/selectors";
import { openRunOutput } from "../../store/pageHost";
import type { Editor } from "../../store/editor";
import type { EditorState } from "../../store/types";
import { Button } from "../../ui/buttons";
import { importWithRetry } from "../../ui/importWithRetry";
import { useEditor, useEditorState, useViewState } from "../../view/context";
import { metricText, metricWords } from "../../view/metricWords";
import { usePreviews } from "../../view/usePreviews";
import { Evaluation } from "./previews/Evaluation";
import { t } from "../../graph/translate";

const RESULTS = "evaluation_results";
const MODEL = "trained_model";
const ImproveIt = lazy(() => importWithRetry(() => import("./ImproveIt")));

/** Return the last evaluated node of the document; null if there is none. */
export const evaluationIn = (state: EditorState): string | null =>
  lastWith(state, "EvaluationResults");

const trainedIn = (state: EditorState): string | null => lastWith(state, "TrainedModel");

/** Return the last node that has an output of the type in the run. */
function lastWith({ whole, catalog, run }: EditorState, type: string): string | null {
  const main = everyNode(whole)(catalog).findLast(({ path, node }) => {
    const step = run?.steps[path];
    const outputs = catalog.byId.get(node.module)?.outputs ?? [];
    return step && hasSucceeded(step) && outputs.some((port) => port.type === type);
  });
  return main?.path ?? null;
}

/** Result of the run; nothing while there is none. */
export function RunResult(): ReactElement | null {
  const editor = useEditor();
  const headline = useEditorState(selectHeadline);
  const evaluated = useEditorState(evaluationIn);
  const run = useEditorState(selectRunId);
  const recorded = useViewState((state) => state.recorded);
  const { value } = usePreviews(evaluated);
  const evaluation = value?.previews.find((preview) => preview.kind === "evaluation");
  if (!headline && !evaluation) return null;
  return (
    <section className="pd-result" aria-label={t("Run result")} data-testid="result-run">
      {headline && (
        <p className="pd-headline">
          <b>{headline.text}</b> {headline.label} <Of node={headline.node} />
          {headline.details && (
            <>
              <br />
              <span data-testid="result-details">{headline.details}</span>
            </>
          )}
        </p>
      )}
      {headline && <ComparedWith headline={headline} />}
      {evaluation && <Evaluation preview={evaluation} />}
      {!recorded && (
        <div className="pd-output-ways">
          {run && evaluated && (
            <Button
              small
              data-testid="try-result-of-run"
              onClick={() => tryModel(editor, run, evaluated)}
            >
              {t("Try an image")}
            </Button>
          )}
          <RegisterModel />
        </div>
      )}
      <Improvements />
    </section>
  );
}

/** Button that registers the model that the run has trained; nothing if there is none. */
export function RegisterModel(): ReactElement | null {
  const trained = useEditorState(trainedIn);
  const run = useEditorState(selectRunId);
  if (!run || !trained) return null;
  return (
    <Button
      small
      data-testid="register-result-of-run"
      onClick={() => openRunOutput(run, { node: trained, port: MODEL }, "register")}
    >
      {t("Register model")}
    </Button>
  );
}

/** Same metric of the second model, if the node compared two. */
function ComparedWith({ headline }: { readonly headline: Headline }): ReactElement | null {
  const metrics = useEditorState((state) => state.run?.metrics[headline.node]);
  const name = `compared ${headline.metric}`;
  const value = metrics?.[name]?.at(-1)?.value;
  if (value === undefined || value === null) return null;
  return (
    <p className="pd-headline" data-testid="result-compared">
      <b>{metricText(name, value)}</b> {metricWords(name)}{" "}
      <span className="pd-dim">{t("of the second scored dataset")}</span>
    </p>
  );
}

/** Open the tab Try of the node; on pages without it, and inside a sub-pipeline, a dialog. */
function tryModel(editor: Editor, run: string, node: string): void {
  if (!editor.shell || !findNode(editor.state.document, node)) {
    openRunOutput(run, { node, port: RESULTS }, "try");
    return;
  }
  editor.select({ nodes: [node] });
  editor.shell.show("try");
}

/** Ways to improve the result of a run; nothing for a replay. */
export function Improvements(): ReactElement | null {
  const recorded = useViewState((state) => state.recorded);
  if (recorded) return null;
  return (
    <Suspense>
      <ImproveIt />
    </Suspense>
  );
}

const selectRunId = ({ run }: EditorState): string | null => run?.id ?? null;
const selectHeadline = ({ run }: EditorState): Headline | null => run?.headline ?? null;

function Of({ node: id }: { readonly node: string }): ReactElement | null {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  return <span className="pd-dim">{t("of {node}", { node: pathTitle(whole, catalog, id) })}</span>;
}
