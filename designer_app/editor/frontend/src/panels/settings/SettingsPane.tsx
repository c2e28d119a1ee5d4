/** The pane at the right: the selected node's settings and results, or those of the pipeline. */

import type { ReactElement } from "react";

import { useEditorState } from "../../view/context";
import { PaneResizer } from "../../ui/PaneResizer";
import { useReturnFocus } from "../../ui/useReturnFocus";
import { selectOnlyNode, selectPlace, selectSelection } from "../../store/selectors";
import { ManyNodes } from "./ManyNodes";
import { NodeSettings } from "./NodeSettings";
import { SubPipelineSettings } from "./SubPipelineSettings";
import { PipelineSettings } from "./PipelineSettings";

export function SettingsPane(): ReactElement {
  const selection = useEditorState(selectSelection);
  const node = useEditorState(selectOnlyNode);
  const place = useEditorState(selectPlace);
  const pane = useReturnFocus();
  return (
    <aside
      data-region
      ref={pane}
      className="pd-settings"
      aria-label="Settings"
      data-testid="settings"
    >
      <PaneResizer pane="settings" label="Settings" />
      {node ? (
        <NodeSettings key={node.id} node={node} />
      ) : selection.nodes.length > 1 ? (
        <ManyNodes key={selection.nodes.join()} ids={selection.nodes} />
      ) : place ? (
        <SubPipelineSettings key={place} />
      ) : (
        <PipelineSettings />
      )}
    </aside>
  );
}
