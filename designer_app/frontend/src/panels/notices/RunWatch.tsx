/** Reports of the run outside the canvas: tab title, notice at its end, desktop notification. */

import { useEffect } from "react";

import { forecastRun } from "../../api/pipelines";
import { newestRun } from "../../api/runs";
import { notifyDesktop, wantsNotifications } from "../../browser/notifications";
import { type TabIcon, takeTab } from "../../browser/tab";
import { numReused } from "../../graph/runShare";
import { isFinished, secondsOf } from "../../graph/runState";
import type { Editor } from "../../store/editor";
import type { EditorState } from "../../store/types";
import { useEditor, useView } from "../../view/context";
import { risingShare } from "../../view/risingShare";
import { type TabRun, endWords, tabRunOf, tabTitle } from "../../view/runWords";
import { type View, estimatesIn } from "../../view/viewStore";
import { t } from "../../graph/translate";

const LONG_SECONDS = 30;
/** In a hidden tab the stream is closed: the end of the run is polled. */
const HIDDEN_MILLISECONDS = 5000;

export function RunWatch(): null {
  const editor = useEditor();
  const view = useView();
  useEffect(() => watchTab(editor, view), [editor, view]);
  useEffect(() => watchEnd(editor), [editor]);
  useEffect(() => estimateFollowed(editor, view), [editor, view]);
  return null;
}

function watchTab(editor: Editor, view: View): () => void {
  const tab = takeTab();
  const rising = risingShare();
  const show = (run: TabRun | null): void => {
    const share = rising(editor.state.run?.id ?? "", run?.share ?? 0);
    const report = run && { ...run, share };
    tab.show(tabTitle(editor.state.document.name, report), iconOf(report));
  };
  const showState = ({ run }: EditorState): void =>
    show(run && tabRunOf(run, view.getState().estimates));
  showState(editor.state);
  const stop = editor.store.subscribe((state, before) => {
    if (state.run !== before.run || state.document.name !== before.document.name) showState(state);
  });
  const timer = setInterval(() => void lookWhileHidden(editor, show), HIDDEN_MILLISECONDS);
  return () => {
    stop();
    clearInterval(timer);
    tab.release();
  };
}

function iconOf(run: TabRun | null): TabIcon {
  if (!run || run.status === "cancelled") return { kind: "plain" };
  if (!isFinished(run)) return { kind: "running", share: run.share };
  return { kind: run.status === "completed" ? "done" : "failed" };
}

/** Estimate a run that was not submitted here, as before a reload: without estimates its progress
 * would count all nodes equally. */
function estimateFollowed(editor: Editor, view: View): () => void {
  let asked: string | null = null;
  return editor.store.subscribe(({ run }) => {
    if (!run?.document || run.id === asked || isFinished(run.state)) return;
    asked = run.id;
    const { estimates, recorded } = view.getState();
    if (recorded || Object.keys(estimates).length > 0) return;
    forecastRun(editor.api, run.document)
      .then((forecast) => {
        if (editor.state.run?.id === run.id) view.setState(estimatesIn(forecast));
      })
      .catch(() => undefined); // progress by number of nodes
  });
}

/** Let the stream catch up after the run has ended, so that notice and desktop notification
 * report it. */
async function lookWhileHidden(editor: Editor, show: (run: TabRun) => void): Promise<void> {
  const { run } = editor.state;
  if (!document.hidden || !run || isFinished(run.state)) return;
  const newest = await newestRun(editor.api, editor.id).catch(() => undefined);
  if (newest?.run_id !== run.id) return;
  if (isFinished(newest)) editor.runs.catchUp();
  else {
    const reused = numReused(run.steps);
    const share = (newest.num_done - reused) / Math.max(1, newest.num_nodes - reused);
    show({ status: newest.status, share, result: undefined });
  }
}

/** Show a notice when a followed run ends; removed when the next run starts. */
function watchEnd(editor: Editor): () => void {
  let shown: number | null = null;
  return editor.store.subscribe(({ run }, { run: before }) => {
    if (run?.id !== before?.id && shown !== null) {
      editor.dismiss(shown);
      shown = null;
    }
    if (!run || run.id !== before?.id || before.state.started === null) return;
    if (!isFinished(run.state) || isFinished(before.state)) return;
    if (run.state.status === "cancelled") return;
    // on this page the card of the failed node has the whole sentence
    const words = endWords(run, { withReason: false });
    const isCompleted = run.state.status === "completed";
    const label = isCompleted ? t("Show result") : t("Show node");
    const hasResult = !isCompleted || run.headline !== null;
    const action = hasResult ? { label, command: "see-result" } : null;
    shown = editor.notify(words, isCompleted ? "success" : "error", action);
    const seconds = secondsOf(run.state) ?? 0;
    if (seconds >= LONG_SECONDS && wantsNotifications()) {
      notifyDesktop(editor.state.document.name || "Pipeline Designer", endWords(run));
    }
  });
}
