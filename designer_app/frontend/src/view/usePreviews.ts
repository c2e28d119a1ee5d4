/** Previews of a node as they arrive: stored ones at once, then those that must be drawn. */

import { useMemo } from "react";

import type { NetworkSketch } from "../api/types.gen";
import { findNode, linksFrom } from "../graph/lookup";
import { hasSucceeded } from "../graph/runState";
import { definitionOf, innermost } from "../graph/definitions";
import type { ModuleSpec, StepState } from "../graph/types";
import { type NodePreviews, previewsOf } from "../store/previews";
import { selectStep } from "../store/selectors";
import type { EditorState } from "../store/types";
import { useEditor, useEditorState } from "./context";
import { type Answer, useAnswer } from "./useAnswer";

/** Return the previews of a node's outputs; augmented images replace the original ones. */
export function usePreviews(of: string | null): Answer<NodePreviews> {
  const editor = useEditor();
  const node = useEditorState((state) => of && shownBy(state, of));
  const step = useEnded(node);
  const plain = useAnswer(
    useMemo(
      () => (node && step ? () => previewsOf(editor).outputs(node, step) : null),
      [editor, node, step],
    ),
  );
  const isTransformed = plain.value?.is_transformed === true;
  const drawn = useAnswer(
    useMemo(
      () => (node && step && isTransformed ? () => previewsOf(editor).augmented(node, step) : null),
      [editor, node, step, isTransformed],
    ),
  );
  return useMemo(() => {
    if (!plain.value || !drawn.value?.previews.length) return plain;
    return { value: withDrawn(plain.value, drawn.value), failed: null };
  }, [plain, drawn]);
}

/** Return the id of the node whose preview is shown: that of an imported folder, at the node that
 * reads it. */
function shownBy({ document, catalog }: EditorState, id: string): string {
  const module = findNode(document, id)?.module ?? "";
  const definition = definitionOf(document, module);
  if (definition) {
    const port = previewedPort(catalog.byId.get(module));
    return port === undefined ? id : innermost(document, { node: id, port }, "outputs").node;
  }
  const isFolder = catalog.byId.get(module)?.outputs[0]?.type === "AnyDirectory";
  return (isFolder ? linksFrom(document, id)[0]?.to.node : undefined) ?? id;
}

/** Return the output of a sub-pipeline that an evaluation produces, else the first. */
function previewedPort(module: ModuleSpec | undefined): string | undefined {
  const outputs = module?.outputs ?? [];
  return (outputs.find((port) => port.type === "EvaluationResults") ?? outputs[0])?.id;
}

/** Return an untrained model once it is built; null if the node produced none. */
export function useNetwork(node: string, gives: boolean): Answer<NetworkSketch | null> {
  const editor = useEditor();
  const step = useEnded(node);
  return useAnswer(
    useMemo(
      () => (step && gives ? () => previewsOf(editor).network(node, step) : null),
      [editor, node, step, gives],
    ),
  );
}

/** Return the step of a node that produced its outputs; it keeps its identity with them. */
function useEnded(node: string | null): StepState | null {
  const step = useEditorState(selectStep(node ?? ""));
  return step && hasSucceeded(step) ? step : null;
}

function withDrawn(plain: NodePreviews, drawn: NodePreviews): NodePreviews {
  const byPort = new Map(drawn.previews.map((preview) => [preview.port, preview]));
  return {
    ...plain,
    previews: plain.previews.map((preview) => byPort.get(preview.port) ?? preview),
    pictures: { ...plain.pictures, ...drawn.pictures },
  };
}
