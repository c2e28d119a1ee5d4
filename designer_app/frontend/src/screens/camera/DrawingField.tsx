/** Field to draw in: black on white, by mouse, pen or finger. */

import { type PointerEvent, type ReactElement, type RefObject, useEffect, useRef } from "react";

import { t } from "../../graph/translate";

const EDGE = 320;
const PEN = 14;

type Point = readonly [number, number];

interface Props {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

export function DrawingField({ canvas }: Props): ReactElement {
  const last = useRef<Point>([0, 0]);
  useEffect(() => clear(canvas.current), [canvas]);
  const draw = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (event.buttons === 0) return;
    const context = event.currentTarget.getContext("2d");
    if (!context) return;
    context.lineCap = context.lineJoin = "round";
    context.lineWidth = PEN;
    context.beginPath();
    context.moveTo(...last.current);
    last.current = placeOf(event);
    context.lineTo(...last.current);
    context.stroke();
  };
  const dot = (event: PointerEvent<HTMLCanvasElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const context = event.currentTarget.getContext("2d");
    last.current = placeOf(event);
    context?.beginPath();
    context?.arc(...last.current, PEN / 2, 0, 2 * Math.PI);
    context?.fill();
  };
  return (
    <div className="pc-drawing">
      <canvas
        ref={canvas}
        width={EDGE}
        height={EDGE}
        data-testid="drawing-field"
        aria-label={t("Drawing field")}
        onPointerDown={dot}
        onPointerMove={draw}
      />
      <button
        type="button"
        className="pd-button"
        data-size="small"
        data-testid="drawing-clear"
        onClick={() => clear(canvas.current)}
      >
        {t("Clear drawing")}
      </button>
    </div>
  );
}

function clear(canvas: HTMLCanvasElement | null): void {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = context.strokeStyle = "#000000";
}

/** Return the place of the pointer in pixels of the canvas. */
function placeOf(event: PointerEvent<HTMLCanvasElement>): Point {
  const box = event.currentTarget.getBoundingClientRect();
  const { width, height } = event.currentTarget;
  return [
    ((event.clientX - box.left) * width) / box.width,
    ((event.clientY - box.top) * height) / box.height,
  ];
}
