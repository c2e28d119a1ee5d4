/** Previews of outputs: requested from the server or read from a replay, a few at a time and once
 * each. */

import { fetchAugmented, fetchCell, fetchNetwork, fetchPreviews } from "../api/previews";
import type {
  NetworkSketch,
  NodePreviewsAnswer,
  PredictionsPreview,
  ReplayAnswer,
} from "../api/types.gen";
import { linksInto } from "../graph/lookup";
import type { PipelineDocument, StepState } from "../graph/types";
import type { Editor } from "./editor";

export type NodePreviews = NodePreviewsAnswer;
export type Preview = NodePreviews["previews"][number];

/** Source of previews; nothing is requested for a node that has not ended. */
export interface PreviewSource {
  outputs(node: string, step: StepState): Promise<NodePreviews>;
  /** Images as the training receives them, augmented. */
  augmented(node: string, step: StepState): Promise<NodePreviews>;
  /** Return null if the network is unknown, as in a replay. */
  network(node: string, step: StepState): Promise<NetworkSketch | null>;
  /** Images behind a cell of the confusion matrix. */
  cell(node: string, step: StepState, actual: string, predicted: string): Promise<NodePreviews>;
}

const AT_ONCE = 3;
/** Previews that need torch wait for one process. */
const DRAWN_AT_ONCE = 1;
const MOST_KEPT = 120;
const sources = new WeakMap<Editor, PreviewSource>();

export function previewsOf(editor: Editor): PreviewSource {
  const known = sources.get(editor);
  if (known) return known;
  const made = liveSource(editor);
  sources.set(editor, made);
  return made;
}

/** Take the previews of an editor from a replay. */
export function showRecorded(editor: Editor, recorded: ReplayAnswer): void {
  sources.set(editor, recordedSource(recorded));
}

/** Return the node whose scores an evaluation shows. */
export function scoredNodeOf(document: PipelineDocument, node: string): string | undefined {
  return linksInto(document, node).find(({ to }) => to.port === "scored_dataset")?.from.node;
}

function liveSource(editor: Editor): PreviewSource {
  const [asked, drawn] = [new Asked(AT_ONCE), new Asked(DRAWN_AT_ONCE)];
  const { api } = editor;
  const keyed = (kind: string, node: string, step: StepState): string =>
    [kind, node, step.artifact_id].join("\n");
  /** Return a request to the run that is shown now: it may be another one when the request is
   * sent. */
  const ask = <Value>(
    queue: Asked,
    key: string,
    of: (run: string) => Promise<Value>,
  ): Promise<Value> => {
    const run = editor.state.run?.id ?? "";
    return queue.once(key, () => of(run));
  };
  return {
    outputs: (node, step) =>
      ask(asked, keyed("outputs", node, step), (run) => fetchPreviews(api, run, node)),
    augmented: (node, step) =>
      ask(drawn, keyed("augmented", node, step), (run) => fetchAugmented(api, run, node)),
    network: (node, step) =>
      ask(drawn, keyed("network", node, step), (run) => fetchNetwork(api, run, node)),
    cell: (node, step, actual, predicted) =>
      ask(asked, [keyed("cell", node, step), actual, predicted].join("\n"), (run) =>
        fetchCell(api, run, node, actual, predicted),
      ),
  };
}

function recordedSource(recorded: ReplayAnswer): PreviewSource {
  const { pictures, previews, document } = recorded;
  const outputs = (node: string): NodePreviews => ({
    previews: previews.filter((preview) => preview.node === node),
    pictures,
    is_transformed: false,
  });
  return {
    outputs: (node) => Promise.resolve(outputs(node)),
    augmented: (node) => Promise.resolve(outputs(node)),
    network: () => Promise.resolve(null),
    cell: (node, _step, actual, predicted) => {
      const scored = outputs(scoredNodeOf(document, node) ?? "");
      const cells = scored.previews.flatMap((preview) =>
        preview.kind === "predictions" ? [cellOf(preview, actual, predicted)] : [],
      );
      return Promise.resolve({ ...scored, previews: cells });
    },
  };
}

/** Predictions of a cell that a replay contains. */
function cellOf(all: PredictionsPreview, actual: string, predicted: string): PredictionsPreview {
  const samples = all.samples.filter(
    (cell) => cell.actual === actual && cell.predicted === predicted,
  );
  const num_wrong = actual === predicted ? 0 : samples.length;
  return { ...all, num_images: samples.length, num_wrong, samples };
}

/** Responses by key; a failed request can be repeated. */
class Asked {
  private readonly known = new Map<string, Promise<unknown>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly atOnce: number) {}

  once<Value>(key: string, ask: () => Promise<Value>): Promise<Value> {
    const loading = this.known.get(key) as Promise<Value> | undefined;
    if (loading) return loading;
    const answer = this.inTurn(ask);
    this.known.set(key, answer);
    answer.catch(() => this.known.delete(key));
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KEPT && oldest !== undefined) this.known.delete(oldest);
    return answer;
  }

  private async inTurn<Value>(ask: () => Promise<Value>): Promise<Value> {
    if (this.running >= this.atOnce) await new Promise<void>((go) => this.waiting.push(go));
    this.running += 1;
    try {
      return await ask();
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }
}
