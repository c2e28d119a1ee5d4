/** The editor: bar, palette, canvas over dock, settings, and what floats above them. */

import { Suspense, lazy, type ReactElement, useEffect, useMemo, useState } from "react";

import { Canvas } from "./canvas/Canvas";
import { attachKeyboard } from "./commands/keyboard";
import { Banner } from "./panels/notices/Banner";
import { LiveRegion } from "./panels/notices/LiveRegion";
import { Toasts } from "./panels/notices/Toasts";
import { Ghost } from "./panels/palette/Ghost";
import { Palette } from "./panels/palette/Palette";
import { TopBar } from "./panels/topbar/TopBar";
import { SurroundingsContext, useEditorState } from "./parts/context";
import { showDock } from "./parts/dock";
import { foldedBy } from "./parts/folding";
import { showForecast } from "./parts/forecasting";
import { patiently } from "./parts/patiently";
import { recordLosses } from "./parts/trace";
import { useKeptFocus } from "./parts/useKeptFocus";
import { createView, type View } from "./parts/view";
import type { Editor as OpenEditor } from "./store/editor";
import { selectPane } from "./store/partSelectors";

// begun at once, so that it is there when the pipeline is: the canvas does not wait for it
const later = patiently(() => import("./panels/later"));
const ContextMenu = lazy(async () => ({ default: (await later).ContextMenu }));
const Dialogs = lazy(async () => ({ default: (await later).Dialogs }));
const Dock = lazy(async () => ({ default: (await later).Dock }));
const LaterStyles = lazy(async () => ({ default: (await later).LaterStyles }));
const SettingsPane = lazy(async () => ({ default: (await later).SettingsPane }));
const Tour = lazy(async () => ({ default: (await later).Tour }));

interface Props {
  readonly editor: OpenEditor;
  readonly root: HTMLElement;
}

export function Editor({ editor, root }: Props): ReactElement {
  const [view] = useState(createView);
  const surroundings = useMemo(() => ({ editor, root, view }), [editor, root, view]);
  useEffect(() => attachKeyboard(root, editor), [root, editor]);
  useEffect(() => recordLosses(editor), [editor]);
  useKeptFocus(root, editor);
  useEffect(() => foldWhenNarrow(root, editor), [root, editor]);
  useEffect(() => attachShell(editor, view), [editor, view]);
  return (
    <SurroundingsContext value={surroundings}>
      <Shell />
      <Ghost />
      <Toasts />
      <Suspense fallback={null}>
        <LaterStyles />
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

/** At the beginning, and whenever the window or its panes leave less room; gives what ends it. */
function foldWhenNarrow(root: HTMLElement, editor: OpenEditor): () => void {
  let before = Infinity;
  const look = (): void => {
    const width = root.clientWidth;
    if (width === 0) return; // not shown
    for (const pane of foldedBy(before, width)) editor.togglePane(pane, false);
    before = width;
  };
  look();
  const observer = new ResizeObserver(look);
  observer.observe(root);
  return () => observer.disconnect();
}

function attachShell(editor: OpenEditor, view: View): () => void {
  return editor.attachShell({
    show: (what) => {
      if (what === "versions") view.setState({ drawer: "revisions" });
      else if (what === "tour") view.setState({ tourStep: 0 });
      else showDock(editor, view, view.getState().timelineOpen ? null : "timeline");
    },
    forecast: () => showForecast(editor, view),
  });
}

function Shell(): ReactElement {
  const settings = useEditorState(selectPane("settings"));
  return (
    <div className="pd-shell">
      <TopBar />
      <Banner />
      <Palette />
      <main className="pd-middle" aria-label="Pipeline">
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
