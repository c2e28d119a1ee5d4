/** Right pane: settings and results of the selected node, or of the pipeline. */

import { X } from "lucide-react";
import type { ReactElement } from "react";

import { IconButton } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { PaneResizer } from "../../ui/PaneResizer";
import { useReturnFocus } from "../../ui/useReturnFocus";
import { selectOnlyNode, selectPlace, selectSelection } from "../../store/selectors";
import { ManyNodes } from "./ManyNodes";
import { NodeSettings } from "./NodeSettings";
import { SubPipelineSettings } from "./SubPipelineSettings";
import { PipelineSettings } from "./PipelineSettings";
import { useUncovered } from "./useUncovered";
import { t } from "../../graph/translate";

export function SettingsPane(): ReactElement {
  const editor = useEditor();
  const selection = useEditorState(selectSelection);
  const node = useEditorState(selectOnlyNode);
  const place = useEditorState(selectPlace);
  const pane = useReturnFocus();
  useUncovered(pane, node?.id);
  return (
    <aside
      data-region
      ref={pane}
      className="pd-settings"
      aria-label={t("Settings")}
      data-testid="settings"
    >
      <PaneResizer pane="settings" label={t("Settings")} />
      <div className="pd-settings-close">
        <IconButton
          icon={X}
          label={t("Close settings")}
          data-testid="settings-close"
          onClick={() => editor.togglePane("settings", false)}
        />
      </div>
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
