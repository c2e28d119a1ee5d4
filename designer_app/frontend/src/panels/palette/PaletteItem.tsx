/** A module of the palette: drag it onto the canvas, or double-click or press Enter to add it. */

import { memo, type MouseEvent, type ReactElement } from "react";

import type { Catalog } from "../../graph/catalog";
import type { ModuleSpec } from "../../graph/types";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { useEditor } from "../../view/context";
import type { Placeable } from "../../view/viewStore";
import { usePaletteDrag } from "./usePaletteDrag";
import { t } from "../../graph/translate";

interface Props {
  readonly module: ModuleSpec;
  readonly catalog: Catalog;
  readonly item: Placeable;
  readonly testId: string;
  readonly onAdd: (item: Placeable) => void;
  readonly onHover: (module: ModuleSpec | null, element: HTMLElement | null) => void;
}

/** A finger adds by a tap: it has no double click, and no hover that shows a card first. */
function isTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch";
}

export const PaletteItem = memo(function PaletteItem(props: Props): ReactElement {
  const { module, catalog, item, testId, onAdd, onHover } = props;
  const editor = useEditor();
  const drag = usePaletteDrag(item);
  return (
    <button
      type="button"
      className="pd-palette-item"
      data-testid={testId}
      aria-label={t("Add {title}", { title: item.title })}
      aria-description={module.summary}
      onDoubleClick={(event) => {
        if (!isTouch(event)) onAdd(item);
      }}
      onClick={(event) => {
        if (isTouch(event)) onAdd(item);
      }}
      onKeyDown={(event) => {
        if (event.key === "F1") {
          event.preventDefault();
          event.stopPropagation();
          editor.openDialog({ kind: "documentation", module: module.id });
        }
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        onAdd(item);
      }}
      onDragStart={(event) => event.preventDefault()}
      onPointerLeave={() => onHover(null, null)}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible")) onHover(module, event.currentTarget);
      }}
      onBlur={() => onHover(null, null)}
      {...drag}
      onPointerDown={(event) => {
        onHover(null, null);
        drag.onPointerDown(event);
      }}
      onPointerMove={(event) => {
        drag.onPointerMove(event);
        // a page that appears under a resting pointer shows no card
        const hasMoved = event.movementX !== 0 || event.movementY !== 0;
        if (hasMoved && event.buttons === 0) onHover(module, event.currentTarget);
      }}
    >
      <ModuleIcon module={module} catalog={catalog} />
      <span>{item.title}</span>
    </button>
  );
});
