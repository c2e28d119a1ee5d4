/** The pane at the right: the selected node's settings and results, or those of the pipeline. */

import { type ReactElement, type RefObject, useEffect, useRef } from "react";

import { useEditor, useEditorState } from "../../parts/context";
import { selectOnlyNode, selectSelection } from "../../store/selectors";
import { ManyNodes } from "./ManyNodes";
import { NodeSettings } from "./NodeSettings";
import { PipelineSettings } from "./PipelineSettings";

export function SettingsPane(): ReactElement {
  const selection = useEditorState(selectSelection);
  const node = useEditorState(selectOnlyNode);
  const pane = useWayBack();
  return (
    <aside ref={pane} className="pd-settings" aria-label="Settings" data-testid="settings">
      {node ? (
        <NodeSettings key={node.id} node={node} />
      ) : selection.nodes.length > 1 ? (
        <ManyNodes nodes={selection.nodes} />
      ) : (
        <PipelineSettings />
      )}
    </aside>
  );
}

/** Escape brings the focus back to the canvas. */
function useWayBack(): RefObject<HTMLElement | null> {
  const editor = useEditor();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const pane = ref.current;
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      editor.canvas?.focus();
    };
    pane?.addEventListener("keydown", leave);
    return () => pane?.removeEventListener("keydown", leave);
  }, [editor]);
  return ref;
}
