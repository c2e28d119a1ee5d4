/** Draw a line around nodes and select those inside; Shift adds to the selection. */

import { useReactFlow } from "@xyflow/react";
import { type PointerEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";

import { boxesIn } from "../graph/layout/lasso";
import type { Position } from "../graph/types";
import { useEditor } from "../view/context";
import { lassoStore, selectIsLassoReady } from "../view/lasso";
import { boxOf } from "./routedEdges";
import { t } from "../graph/translate";

export function Lasso(): ReactElement | null {
  const isReady = useStore(lassoStore, selectIsLassoReady);
  return isReady ? <Drawing /> : null;
}

function Drawing(): ReactElement {
  const editor = useEditor();
  const flow = useReactFlow();
  const [line, setLine] = useState<readonly Position[]>([]);
  const drawn = useRef<readonly Position[]>([]); // the pointer may be faster than rendering
  const draw = (points: readonly Position[]): void => {
    drawn.current = points;
    setLine(points);
  };
  useEffect(() => {
    const leave = (event: KeyboardEvent): void => {
      if (event.key === "Escape") end();
    };
    window.addEventListener("keydown", leave, true);
    return () => {
      window.removeEventListener("keydown", leave, true);
    };
  }, []);
  const choose = (event: PointerEvent): void => {
    const modules = flow.getNodes().filter((node) => node.type === "module");
    const boxes = new Map(modules.map((node) => [node.id, boxOf(node)]));
    const inside = boxesIn(
      drawn.current.map((point) => flow.screenToFlowPosition(point)),
      boxes,
    );
    const before = event.shiftKey ? editor.state.selection.nodes : [];
    editor.select({ nodes: [...new Set([...before, ...inside])] });
    end();
  };
  return (
    <div
      className="pd-lasso"
      data-testid="lasso"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        draw([pointOf(event)]);
      }}
      onPointerMove={(event) => {
        if (drawn.current.length > 0) draw([...drawn.current, ...pointsOf(event)]);
      }}
      onPointerUp={choose}
      onPointerCancel={end}
    >
      <span className="pd-lasso-hint">{t("Draw around the nodes to select. Esc cancels.")}</span>
      <svg aria-hidden>
        <LassoLine line={line} />
      </svg>
    </div>
  );
}

function LassoLine({ line }: { readonly line: readonly Position[] }): ReactElement {
  return (
    <polygon
      ref={(element) => {
        const box = element?.ownerSVGElement?.getBoundingClientRect();
        if (!element || !box) return;
        const points = line.map(({ x, y }) => `${String(x - box.left)},${String(y - box.top)}`);
        element.setAttribute("points", points.join(" "));
      }}
    />
  );
}

/** Include coalesced points, so that a fast pointer cuts no corners. */
function pointsOf({ nativeEvent }: PointerEvent): readonly Position[] {
  const all = nativeEvent.getCoalescedEvents();
  return (all.length > 0 ? all : [nativeEvent]).map(pointOf);
}

function pointOf(event: Pick<globalThis.PointerEvent, "clientX" | "clientY">): Position {
  return { x: event.clientX, y: event.clientY };
}

function end(): void {
  lassoStore.setState({ isReady: false });
}
