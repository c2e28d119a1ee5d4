/** Result of a node as it arrives: metrics, images, matrix and curves. */

import type { ReactElement } from "react";

import type { Catalog } from "../../graph/catalog";
import { hasSucceeded, isStepFinished } from "../../graph/runState";
import type { PipelineNode, StepState } from "../../graph/types";
import { useEditorState, useViewState } from "../../view/context";
import { useNetwork, usePreviews } from "../../view/usePreviews";
import { selectCatalog, selectStep } from "../../store/selectors";
import type { NodePreviews, Preview } from "../../store/previews";
import { Curves } from "./Curves";
import { NodeOutputs } from "./NodeOutputs";
import { Evaluation } from "./previews/Evaluation";
import { Network, TrainedModel } from "./previews/Networks";
import { evaluationIn, Improvements } from "./RunResult";
import { Images, type PicturesByName, Predictions } from "./previews/Pictures";
import { t } from "../../graph/translate";

export function NodeResult({ node }: { readonly node: PipelineNode }): ReactElement {
  const step = useEditorState(selectStep(node.id));
  const recorded = useViewState((state) => state.recorded);
  const { value, failed } = usePreviews(node.id);
  const model = value?.previews.find((preview) => preview.kind === "model");
  const isResult = useEditorState((state) => evaluationIn(state) === node.id);
  const evaluates = gives(useEditorState(selectCatalog), node, "EvaluationResults");
  return (
    <div className="pd-result" data-testid="result">
      {value && <Previews {...value} />}
      {!evaluates && <Curves node={node.id} model={model} />}
      <UntrainedNetwork node={node} />
      {failed && <p className="pd-dim">{failed}</p>}
      <Rest step={step} isEmpty={!value?.previews.length} isWaiting={!value && !failed} />
      {isResult && <Improvements />}
      {!recorded && step && hasSucceeded(step) && <NodeOutputs node={node} isResult={isResult} />}
    </div>
  );
}

function Previews({ previews, pictures }: NodePreviews): ReactElement {
  return (
    <>
      {previews.map((preview) => (
        <section
          key={preview.port}
          className="pd-preview"
          data-testid={`preview-${preview.node}-${preview.port}`}
        >
          <PreviewOf preview={preview} pictures={pictures} />
        </section>
      ))}
    </>
  );
}

interface PreviewProps {
  readonly preview: Preview;
  readonly pictures: PicturesByName;
}

function PreviewOf({ preview, pictures }: PreviewProps): ReactElement {
  switch (preview.kind) {
    case "images":
      return <Images preview={preview} pictures={pictures} />;
    case "predictions":
      return <Predictions preview={preview} pictures={pictures} />;
    case "evaluation":
      return <Evaluation preview={preview} />;
    case "model":
      return <TrainedModel preview={preview} />;
  }
}

function UntrainedNetwork({ node }: { readonly node: PipelineNode }): ReactElement | null {
  const catalog = useEditorState(selectCatalog);
  const recorded = useViewState((state) => state.recorded);
  const step = useEditorState(selectStep(node.id));
  const isNetwork = !recorded && gives(catalog, node, "UntrainedModel");
  const { value, failed } = useNetwork(node.id, isNetwork);
  if (value) return <Network sketch={value} />;
  if (!isNetwork || !step || !hasSucceeded(step)) return null;
  return <p className="pd-dim">{failed ?? t("Building the network …")}</p>;
}

function gives(catalog: Catalog, node: PipelineNode, type: string): boolean {
  return catalog.byId.get(node.module)?.outputs.some((port) => port.type === type) ?? false;
}

interface RestProps {
  readonly step: StepState | undefined;
  readonly isEmpty: boolean;
  readonly isWaiting: boolean;
}

/** Text about missing results. */
function Rest({ step, isEmpty, isWaiting }: RestProps): ReactElement | null {
  if (!step) return <p className="pd-dim">{t("Not run yet. Press Run to see the result here.")}</p>;
  if (step.status === "failed") {
    return <p className="pd-dim">{t("This node failed and produced no output. See Details.")}</p>;
  }
  if (!isStepFinished(step)) {
    return <p className="pd-dim">{t("The result appears when the node has finished.")}</p>;
  }
  if (!hasSucceeded(step))
    return <p className="pd-dim">{t("This node produced no output in this run.")}</p>;
  if (isWaiting) return <p className="pd-dim">{t("Loading …")}</p>;
  return isEmpty && step.summary ? <p className="pd-dim">{step.summary}</p> : null;
}
