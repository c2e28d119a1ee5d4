/** Editor: toolbar, palette, canvas above the dock, settings, and floating elements. */

import {
  type CSSProperties,
  Suspense,
  lazy,
  type ReactElement,
  useEffect,
  useMemo,
  useState,
} from "react";
import { useStore } from "zustand";

import { Canvas } from "../../canvas/Canvas";
import { attachKeyboard } from "../../commands/keyboard";
import { Banner } from "../../panels/notices/Banner";
import { LiveRegion } from "../../panels/notices/LiveRegion";
import { lazyPanels } from "../../panels/panels";
import { Palette } from "../../panels/palette/Palette";
import { TopBar } from "../../panels/topbar/TopBar";
import { SurroundingsContext, useEditor, useEditorState } from "../../view/context";
import { showDock } from "../../view/dock";
import { rememberPanes } from "../../view/paneMemory";
import { panePreferences, selectPaneSizes } from "../../view/panePreferences";
import { paneFolding } from "../../view/responsivePanes";
import { recordLosses } from "../../store/lossTraces";
import { useRestoredFocus } from "../../ui/useRestoredFocus";
import { createView, type View } from "../../view/viewStore";
import type { Editor as OpenEditor } from "../../store/editor";
import { selectPane, selectVerdict } from "../../store/selectors";
import { t } from "../../graph/translate";

const ContextMenu = lazy(async () => ({ default: (await lazyPanels()).ContextMenu }));
const Dialogs = lazy(async () => ({ default: (await lazyPanels()).Dialogs }));
const Dock = lazy(async () => ({ default: (await lazyPanels()).Dock }));
const DragPreview = lazy(async () => ({ default: (await lazyPanels()).DragPreview }));
const LazyStyles = lazy(async () => ({ default: (await lazyPanels()).LazyStyles }));
const LessonPane = lazy(async () => ({ default: (await lazyPanels()).LessonPane }));
const CatchUp = lazy(async () => ({ default: (await lazyPanels()).CatchUp }));
const RunWatch = lazy(async () => ({ default: (await lazyPanels()).RunWatch }));
const SettingsPane = lazy(async () => ({ default: (await lazyPanels()).SettingsPane }));
const Toasts = lazy(async () => ({ default: (await lazyPanels()).Toasts }));
const Tour = lazy(async () => ({ default: (await lazyPanels()).Tour }));

/** Prefix of the ids of lessons, see `pipelines/document/lessons.py`. */
const LESSON = /^lesson-\d\d-/;

interface Props {
  readonly editor: OpenEditor;
  readonly root: HTMLElement;
}

export function EditorScreen({ editor, root }: Props): ReactElement {
  const [view] = useState(createView);
  const [fold] = useState(() => {
    const folding = paneFolding(editor);
    folding(root.clientWidth); // before the canvas is measured
    return folding;
  });
  const surroundings = useMemo(() => ({ editor, root, view }), [editor, root, view]);
  useEffect(() => attachKeyboard(root, editor), [root, editor]);
  useEffect(() => recordLosses(editor), [editor]);
  useEffect(() => editor.runs.shown(), [editor]);
  useRestoredFocus(root, editor);
  useEffect(() => watchWidth(root, fold), [root, fold]);
  useEffect(() => markVerdict(root, editor), [root, editor]);
  useEffect(() => rememberPanes(root, editor), [root, editor]);
  useEffect(() => attachShell(editor, view), [editor, view]);
  useEffect(() => void lazyPanels().then((panels) => panels.tidyArrival(editor)), [editor]);
  return (
    <SurroundingsContext value={surroundings}>
      <Shell />
      <Suspense fallback={null}>
        <LazyStyles />
        <Toasts />
        <DragPreview />
        <CatchUp />
        <RunWatch />
        <ContextMenu />
        <Dialogs />
        <Suspense fallback={null}>
          <Tour />
        </Suspense>
      </Suspense>
      <LiveRegion />
    </SurroundingsContext>
  );
}

/** Observe the width of the root; returns a function that stops it. */
function watchWidth(root: HTMLElement, look: (width: number) => void): () => void {
  const observer = new ResizeObserver(() => look(root.clientWidth));
  observer.observe(root);
  return () => observer.disconnect();
}

/** Mark the page while its problems are stale: no component has to render again for it. */
function markVerdict(root: HTMLElement, { store }: OpenEditor): () => void {
  const mark = (): void => void (root.dataset["verdict"] = selectVerdict(store.getState()));
  mark();
  return store.subscribe(mark);
}

function attachShell(editor: OpenEditor, view: View): () => void {
  return editor.attachShell({
    show: (panel) => {
      if (panel === "versions") view.setState({ drawer: "revisions" });
      else if (panel === "tour") view.setState({ tourStep: 0 });
      else if (panel === "result" || panel === "try") {
        view.setState({ settingsTab: panel });
        editor.togglePane("settings", true);
      } else showDock(editor, view, view.getState().timelineOpen ? null : "timeline");
    },
    forecast: async () => (await import("../../commands/forecast")).showForecast(editor, view),
  });
}

function Shell(): ReactElement {
  const editor = useEditor();
  const settings = useEditorState(selectPane("settings"));
  const sizes = useStore(panePreferences, selectPaneSizes);
  const style = {
    "--palette-width": `${sizes.palette}px`,
    "--settings-width": `${sizes.settings}px`,
    "--dock-height": `${sizes.dock}px`,
  } as CSSProperties;
  return (
    <div className="pd-shell" style={style}>
      <TopBar />
      <Banner />
      <Palette />
      {LESSON.test(editor.id) && (
        <Suspense fallback={<aside className="pd-lesson" />}>
          <LessonPane />
        </Suspense>
      )}
      <main className="pd-middle" aria-label={t("Pipeline")}>
        <Canvas />
        <Suspense fallback={<div className="pd-dock pd-dock-waiting" />}>
          <Dock />
        </Suspense>
      </main>
      {settings && (
        <Suspense fallback={<div className="pd-settings" />}>
          <SettingsPane />
        </Suspense>
      )}
    </div>
  );
}
