/** Moves nodes out from under a notice that appears over the canvas. */

import { type RefObject, useEffect } from "react";

import { selectLastingNotice } from "../store/selectors";
import type { Editor } from "../store/editor";
import { useEditor, useEditorState } from "../view/context";
import { clearOfNotice, depthOf } from "./clearOfNotice";

export function useClearOfNotice(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const notice = useEditorState(selectLastingNotice);
  useEffect(() => {
    if (notice && frame.current) clear(editor, frame.current);
  }, [editor, frame, notice]);
}

function clear({ state, canvas }: Editor, frame: HTMLElement): void {
  const banner = frame.closest(".pd-shell")?.querySelector(".pd-banner");
  if (!banner || !canvas) return;
  const [area, box] = [frame.getBoundingClientRect(), banner.getBoundingClientRect()];
  const covered = {
    left: box.left - area.left,
    right: box.right - area.left,
    depth: depthOf(area, box),
  };
  const sizes = canvas.sizes();
  const boxes = state.document.nodes.flatMap(({ id, position }) => {
    const size = sizes.get(id);
    return size ? [{ ...position, ...size }] : [];
  });
  const view = clearOfNotice(boxes, canvas.view(), canvas.room(), covered);
  if (view === "whole") canvas.fitView();
  else if (view) canvas.show(view);
}
