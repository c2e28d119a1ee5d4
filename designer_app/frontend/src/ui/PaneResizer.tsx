/** Edge of a pane: dragging or arrow keys resize the pane, a double-click resets it. */

import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef } from "react";
import { useStore } from "zustand";

import {
  LIMITS,
  type SizedPane,
  panePreferences,
  resizePane,
  selectPaneSizes,
} from "../view/panePreferences";
import { t } from "../graph/translate";

interface Props {
  readonly pane: SizedPane;
  /** Label of the pane for screen readers. */
  readonly label: string;
}

const STEP = 16;
/** Direction in which the pane grows when its edge moves right or down. */
const WAY = { palette: 1, settings: -1, dock: -1 } as const;

export function PaneResizer({ pane, label }: Props): ReactElement {
  const size = useStore(panePreferences, selectPaneSizes)[pane];
  const begun = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const isLevel = pane === "dock";
  const place = (event: PointerEvent): number => (isLevel ? event.clientY : event.clientX);
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = isLevel ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    event.stopPropagation();
    resizePane(pane, size + WAY[pane] * (event.key === more ? STEP : -STEP));
  };
  return (
    <div
      className="pd-resizer"
      data-pane={pane}
      data-testid={`resize-${pane}`}
      role="separator"
      aria-label={t("Pane size: {label}", { label })}
      aria-orientation={isLevel ? "horizontal" : "vertical"}
      aria-valuenow={size}
      aria-valuemin={LIMITS[pane].least}
      aria-valuemax={LIMITS[pane].most}
      tabIndex={0}
      title={t("Drag to resize, double-click to reset")}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resizePane(pane, LIMITS[pane].usual)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { at: place(event), size };
      }}
      onPointerMove={(event) => {
        if (begun.current) {
          resizePane(pane, begun.current.size + WAY[pane] * (place(event) - begun.current.at));
        }
      }}
      onLostPointerCapture={() => {
        begun.current = null;
      }}
    />
  );
}
