/** Zoom, fit and the small map, in the lower left corner. */

import { type ReactFlowState, useStore } from "@xyflow/react";
import { Map as MapIcon, Maximize, Minus, Plus } from "lucide-react";
import type { ReactElement } from "react";

import { CommandButton, IconButton } from "../ui/buttons";
import { useEditor, useEditorState } from "../view/context";
import { selectPane } from "../store/selectors";

const selectPercent = (state: ReactFlowState): number => Math.round(state.transform[2] * 100);

export function ZoomBar(): ReactElement {
  const editor = useEditor();
  const percent = useStore(selectPercent);
  const map = useEditorState(selectPane("minimap"));
  return (
    <div className="pd-zoom" role="group" aria-label="Zoom">
      <CommandButton command="zoom-out" icon={Minus} />
      <button
        type="button"
        className="pd-zoom-level"
        title="Zoom to 100 %"
        aria-label={`Zoom ${percent} %: go to 100 %`}
        onClick={() => editor.canvas?.zoomBy(100 / percent)}
      >
        {percent} %
      </button>
      <CommandButton command="zoom-in" icon={Plus} />
      <IconButton
        icon={Maximize}
        label="Show the whole pipeline"
        keys="F"
        onClick={() => editor.canvas?.fitView()}
      />
      <IconButton
        icon={MapIcon}
        label="Map"
        aria-pressed={map}
        onClick={() => editor.togglePane("minimap")}
      />
    </div>
  );
}
