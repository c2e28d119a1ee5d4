/** Progress in a lesson: the open step is checked, then the next one opened. */

import { type StoreApi, createStore } from "zustand/vanilla";

import type { LessonGuide } from "../api/types.gen";
import { keepMarks, readMarks } from "../browser/lessonMarks";
import { isStepDone, type LessonScene } from "../store/lessonChecks";
import type { Editor } from "../store/editor";
import { watchOpenedOutputs } from "../store/pageHost";
import { selectOnlyNode } from "../store/selectors";
import type { View } from "./viewStore";

export interface LessonProgress {
  readonly done: ReadonlySet<number>;
  /** Open step; null when all are done. */
  readonly current: number | null;
  /** Last completed step, whose text is shown. */
  readonly latest: number | null;
}

interface OpenLesson {
  readonly store: StoreApi<LessonProgress>;
  /** Open a step; earlier ones stay unchanged. */
  open(step: number): void;
  /** Complete a step that the user marked as done. */
  confirm(step: number): void;
  /** Observe editor and view; returns a function that stops it. */
  follow(): () => void;
}

export function openLesson(
  editor: Editor,
  view: View,
  guide: LessonGuide,
  opened: number,
): OpenLesson {
  const steps = guide.steps;
  const looked = new Set<string>();
  const known = readMarks(editor.id, opened).filter((step) => step >= 0 && step < steps.length);
  const store = createStore<LessonProgress>(() => {
    const done = new Set(known);
    return { done, current: nextOf(steps.length, done, 0), latest: null };
  });
  const proceed = (to: LessonProgress): void => {
    const after = advanced(to, guide, sceneOf(editor, view, looked));
    if (after === store.getState()) return;
    store.setState(after);
    keepMarks(editor.id, opened, [...after.done]);
  };
  const checkSteps = (): void => proceed(store.getState());
  const onOutputOpened = (node: string, port: string): void => {
    looked.add(`${node}.${port}`);
    checkSteps();
  };
  return {
    store,
    open: (step) => {
      store.setState({ current: step, latest: null });
      checkSteps();
    },
    confirm: (step) => proceed(completed(store.getState(), guide, step)),
    follow: () => {
      const ends = [
        editor.store.subscribe(checkSteps),
        view.subscribe(checkSteps),
        watchOpenedOutputs(onOutputOpened),
      ];
      checkSteps();
      return () => ends.forEach((end) => end());
    },
  };
}

/** Add completed steps: a step whose check already holds when it is opened is completed at once. */
export function advanced(
  before: LessonProgress,
  guide: LessonGuide,
  scene: LessonScene,
): LessonProgress {
  let now = before;
  for (;;) {
    const { current, done } = now;
    const step = current === null || done.has(current) ? undefined : guide.steps[current];
    if (current === null || !step || !isStepDone(step, scene)) return now;
    now = completed(now, guide, current);
  }
}

/** Complete a step and open the next one. */
export function completed(
  { done }: LessonProgress,
  guide: LessonGuide,
  step: number,
): LessonProgress {
  const all = new Set([...done, step]);
  return { done: all, current: nextOf(guide.steps.length, all, step), latest: step };
}

/** Return the next step that is not done, else the first such step. */
function nextOf(count: number, done: ReadonlySet<number>, after: number): number | null {
  const places = Array.from({ length: count }, (_, place) => (after + place) % count);
  return places.find((place) => !done.has(place)) ?? null;
}

function sceneOf(editor: Editor, view: View, looked: ReadonlySet<string>): LessonScene {
  const { state } = editor;
  const { document, catalog, run } = state;
  const selected = selectOnlyNode(state)?.id ?? null;
  const { shownTab } = view.getState();
  const tab = shownTab && shownTab.node === selected ? shownTab.tab : "";
  return { document, catalog, run, selected, tab, looked };
}
