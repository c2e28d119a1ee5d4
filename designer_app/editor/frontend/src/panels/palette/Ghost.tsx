/** What is dragged, under the pointer. */

import type { ReactElement } from "react";

import { useEditorState, useRoot, useViewState } from "../../parts/context";
import { ModuleIcon } from "../../parts/ModuleIcon";
import { selectDrag } from "../../parts/view";
import { selectCatalog } from "../../store/selectors";

export function Ghost(): ReactElement | null {
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
      className="pd-ghost"
      data-over={isOver}
      style={{ left: drag.x - frame.left - 22, top: drag.y - frame.top - 18 }}
    >
      <ModuleIcon module={catalog.byId.get(drag.module)} catalog={catalog} />
      {drag.title}
    </div>
  );
}
