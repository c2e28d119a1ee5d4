/** Losses reported while a node runs: finer than the metrics, which are logged once an epoch. */

import { progressOf } from "../graph/runState";
import type { Editor } from "./editor";

const MOST = 2000;
const traces = new WeakMap<object, ReadonlyMap<string, readonly number[]>>();

/** Return the losses that a node has reported in the shown run, oldest first. */
export function lossesOf(editor: Editor, node: string): readonly number[] {
  return traces.get(editor)?.get(node) ?? [];
}

/** Show other losses: those of a recorded run at the current time of the replay. */
export function showLosses(editor: Editor, losses: ReadonlyMap<string, readonly number[]>): void {
  traces.set(editor, losses);
}

/** Record the losses of an editor's runs until the returned function is called. */
export function recordLosses(editor: Editor): () => void {
  const losses = new Map<string, number[]>();
  traces.set(editor, losses);
  return editor.store.subscribe((state, before) => {
    if (state.run?.id !== before.run?.id) losses.clear();
    if (!state.run || state.run.steps === before.run?.steps) return;
    for (const [node, step] of Object.entries(state.run.steps)) {
      const [now, then] = [step, before.run?.steps[node]].map(
        (state) => state && progressOf(state),
      );
      if (now === then) continue;
      const loss = now?.loss;
      if (step.attempt !== before.run?.steps[node]?.attempt) losses.delete(node);
      // progress of another rank repeats the loss that is already known
      if (now?.done === then?.done && loss === then?.loss) continue;
      if (typeof loss !== "number" || !Number.isFinite(loss)) continue;
      const line = losses.get(node) ?? [];
      if (line.length >= MOST) line.splice(0, line.length, ...line.filter((_, at) => at % 2 === 0));
      line.push(loss);
      losses.set(node, line);
    }
  });
}
