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
import { recordLosses } from "./parts/trace";
import { useKeptFocus } from "./parts/useKeptFocus";
import { createView } from "./parts/view";
import type { Editor as OpenEditor } from "./store/editor";
import { selectPane } from "./store/partSelectors";

// begun at once, so that it is there when the pipeline is: the canvas does not wait for it
const later = import("./panels/later");
const ContextMenu = lazy(async () => ({ default: (await later).ContextMenu }));
const Dialogs = lazy(async () => ({ default: (await later).Dialogs }));
const Dock = lazy(async () => ({ default: (await later).Dock }));
const SettingsPane = lazy(async () => ({ default: (await later).SettingsPane }));
const Tour = lazy(async () => ({ default: (await later).Tour }));

interface Props {
  readonly editor: OpenEditor;
  readonly root: HTMLElement;
}

/** Below these widths the map, then the panes begin folded. */
const WIDE = 1240;
const ROOMY = 900;

export function Editor({ editor, root }: Props): ReactElement {
  const [view] = useState(createView);
  const surroundings = useMemo(() => ({ editor, root, view }), [editor, root, view]);
  useEffect(() => attachKeyboard(root, editor), [root, editor]);
  useEffect(() => recordLosses(editor), [editor]);
  useKeptFocus(root, editor);
  useEffect(() => {
    const width = root.clientWidth || WIDE;
    if (width < WIDE) editor.togglePane("minimap", false);
    if (width < ROOMY) {
      editor.togglePane("palette", false);
      editor.togglePane("settings", false);
    }
  }, [editor, root]);
  return (
    <SurroundingsContext value={surroundings}>
      <Shell />
      <Ghost />
      <Toasts />
      <Suspense fallback={null}>
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
