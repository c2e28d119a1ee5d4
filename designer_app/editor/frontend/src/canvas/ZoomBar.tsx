/** Zoom, fit and the minimap button, in the lower left corner. */

import { type ReactFlowState, useStore } from "@xyflow/react";
import { Image, LocateFixed, Map as MapIcon, Maximize, Minus, Plus } from "lucide-react";
import type { ReactElement } from "react";
import { useStore as useZustand } from "zustand";

import { CommandButton, IconButton } from "../ui/buttons";
import { useEditor, useEditorState } from "../view/context";
import { panePreferences, selectFollowsRun } from "../view/panePreferences";
import { selectIsRunning, selectPane } from "../store/selectors";

const selectPercent = (state: ReactFlowState): number => Math.round(state.transform[2] * 100);

export function ZoomBar(): ReactElement {
  const editor = useEditor();
  const percent = useStore(selectPercent);
  const map = useEditorState(selectPane("minimap"));
  const previews = useEditorState(selectPane("previews"));
  const running = useEditorState(selectIsRunning);
  const follows = useZustand(panePreferences, selectFollowsRun);
  return (
    <div className="pd-zoom" role="group" aria-label="Zoom">
      <CommandButton command="zoom-out" icon={Minus} />
      <button
        type="button"
        className="pd-zoom-level"
        data-testid="zoom-level"
        title="Zoom to 100 %"
        aria-label={`Zoom ${percent} %; reset to 100 %`}
        onClick={() => editor.canvas?.zoomBy(100 / percent)}
      >
        {percent} %
      </button>
      <CommandButton command="zoom-in" icon={Plus} />
      <IconButton
        icon={Maximize}
        label="Fit view"
        keys="F"
        onClick={() => editor.canvas?.fitView()}
      />
      {running && (
        <IconButton
          icon={LocateFixed}
          label="Follow run"
          aria-pressed={follows}
          data-testid="follow-run"
          onClick={() => panePreferences.setState({ followsRun: !follows })}
        />
      )}
      <IconButton
        icon={MapIcon}
        label="Minimap"
        aria-pressed={map}
        onClick={() => editor.togglePane("minimap")}
      />
      <IconButton
        icon={Image}
        label="Previews on nodes"
        keys="P"
        data-testid="previews"
        aria-pressed={previews}
        onClick={() => editor.togglePane("previews")}
      />
    </div>
  );
}
