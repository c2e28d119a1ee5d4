/** Dragged item under the pointer. */

import type { ReactElement } from "react";

import { useEditorState, useRoot, useViewState } from "../../view/context";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { selectDrag } from "../../view/viewStore";
import { selectCatalog } from "../../store/selectors";

export function DragPreview(): ReactElement | null {
  const drag = useViewState(selectDrag);
  const catalog = useEditorState(selectCatalog);
  const root = useRoot();
  if (!drag) return null;
  const frame = root.getBoundingClientRect();
  const canvas = root.querySelector('[data-testid="canvas"]')?.getBoundingClientRect();
  const isOver =
    canvas !== undefined &&
    drag.x >= canvas.left &&
    drag.x <= canvas.right &&
    drag.y >= canvas.top &&
    drag.y <= canvas.bottom;
  return (
    <div
      className="pd-drag-preview"
      data-over={isOver}
      style={{ left: drag.x - frame.left - 22, top: drag.y - frame.top - 18 }}
    >
      <ModuleIcon module={catalog.byId.get(drag.module)} catalog={catalog} />
      {drag.title}
    </div>
  );
}
