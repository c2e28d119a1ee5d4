/**
 * Frame of a selected note whose edges and corners are dragged to resize it. React Flow has one
 * too, but it would be part of the first bundle: 2.5 kB for something that few pipelines need.
 */

import { useReactFlow } from "@xyflow/react";
import { type PointerEvent, type ReactElement, useRef } from "react";

import { changeNote } from "../graph/annotations";
import type { Note, Position } from "../graph/types";
import { useEditor } from "../view/context";
import { type FrameEdge, type NoteBox, withMovedEdges } from "./noteSize";
import { t } from "../graph/translate";

interface Drag {
  readonly edges: readonly FrameEdge[];
  readonly from: Position;
  readonly box: NoteBox;
}

const GRID = 8;
const LINES: readonly FrameEdge[] = ["top", "right", "bottom", "left"];
const CORNERS: readonly (readonly FrameEdge[])[] = [
  ["top", "left"],
  ["top", "right"],
  ["bottom", "left"],
  ["bottom", "right"],
];

export function NoteResizer({ note }: { readonly note: Note }): ReactElement {
  const editor = useEditor();
  const flow = useReactFlow();
  const drag = useRef<Drag | null>(null);
  const place = ({ clientX: x, clientY: y }: PointerEvent): Position =>
    flow.screenToFlowPosition({ x, y }, { snapToGrid: false });
  const startResize = (event: PointerEvent<HTMLElement>, edges: readonly FrameEdge[]): void => {
    if (event.button !== 0 || editor.state.readOnly) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    editor.endTyping();
    drag.current = { edges, from: place(event), box: note };
  };
  const move = (event: PointerEvent): void => {
    if (!drag.current) return;
    const { edges, from, box } = drag.current;
    const { x, y } = place(event);
    const changes = withMovedEdges(box, edges, { x: x - from.x, y: y - from.y }, GRID);
    editor.dispatch((document) => changeNote(document, note.id, changes), {
      label: t("Resize note"),
      coalesceKey: `size of ${note.id}`,
    });
  };
  const end = (): void => {
    if (drag.current) editor.endTyping();
    drag.current = null;
  };
  return (
    <>
      {[...LINES.map((edge) => [edge]), ...CORNERS].map((edges) => (
        <div
          key={edges.join()}
          className={`react-flow__resize-control nodrag ${edges.join(" ")} ${edges.length > 1 ? "handle" : "line"}`}
          data-testid={`resize-note-${edges.join("-")}`}
          style={edges.length > 1 ? { scale: "var(--unzoom, 1)" } : undefined}
          onPointerDown={(event) => startResize(event, edges)}
          onPointerMove={move}
          onLostPointerCapture={end}
        />
      ))}
    </>
  );
}
