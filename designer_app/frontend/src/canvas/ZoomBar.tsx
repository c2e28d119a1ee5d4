/** Zoom, fit and the minimap button, in the lower left corner. */

import { type ReactFlowState, useStore } from "@xyflow/react";
import { Image, LocateFixed, Map as MapIcon, Maximize, Minus, Plus } from "lucide-react";
import type { ReactElement } from "react";
import { useStore as useZustand } from "zustand";

import { CommandButton, IconButton } from "../ui/buttons";
import { useEditor, useEditorState } from "../view/context";
import { panePreferences, selectFollowsRun } from "../view/panePreferences";
import { selectIsRunning, selectPane } from "../store/selectors";
import { t } from "../graph/translate";

const selectPercent = (state: ReactFlowState): number => Math.round(state.transform[2] * 100);

export function ZoomBar(): ReactElement {
  const editor = useEditor();
  const percent = useStore(selectPercent);
  const map = useEditorState(selectPane("minimap"));
  const previews = useEditorState(selectPane("previews"));
  const running = useEditorState(selectIsRunning);
  const follows = useZustand(panePreferences, selectFollowsRun);
  return (
    <div className="pd-zoom" role="group" aria-label={t("Zoom")}>
      <CommandButton command="zoom-out" icon={Minus} />
      <button
        type="button"
        className="pd-zoom-level"
        data-testid="zoom-level"
        title={t("Zoom to 100 %")}
        aria-label={t("Zoom {percent} %; reset to 100 %", { percent })}
        onClick={() => editor.canvas?.zoomBy(100 / percent)}
      >
        {percent} %
      </button>
      <CommandButton command="zoom-in" icon={Plus} />
      <IconButton
        icon={Maximize}
        label={t("Fit view")}
        keys="F"
        onClick={() => editor.canvas?.fitView()}
      />
      <IconButton
        icon={MapIcon}
        label={t("Minimap")}
        aria-pressed={map}
        onClick={() => editor.togglePane("minimap")}
      />
      <IconButton
        icon={Image}
        label={t("Previews on nodes")}
        keys="P"
        data-testid="previews"
        aria-pressed={previews}
        onClick={() => editor.togglePane("previews")}
      />
      {/* last, so that the others keep their places */}
      {running && (
        <IconButton
          icon={LocateFixed}
          label={t("Follow run")}
          aria-pressed={follows}
          data-testid="follow-run"
          onClick={() => panePreferences.setState({ followsRun: !follows })}
        />
      )}
    </div>
  );
}
