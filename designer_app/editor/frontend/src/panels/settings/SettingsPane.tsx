/** The pane at the right: the selected node's settings and results, or those of the pipeline. */

import type { ReactElement } from "react";

import { useEditorState } from "../../view/context";
import { useReturnFocus } from "../../ui/useReturnFocus";
import { selectOnlyNode, selectSelection } from "../../store/selectors";
import { ManyNodes } from "./ManyNodes";
import { NodeSettings } from "./NodeSettings";
import { PipelineSettings } from "./PipelineSettings";

export function SettingsPane(): ReactElement {
  const selection = useEditorState(selectSelection);
  const node = useEditorState(selectOnlyNode);
  const pane = useReturnFocus();
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
