/** Wire under the pointer, not connected yet: dashed and red if it would be refused. */

import { type ConnectionLineComponentProps, getBezierPath } from "@xyflow/react";
import type { ReactElement } from "react";
import { useStore } from "zustand";

import { colourOf, inputOf, outputOf } from "../graph/catalog";
import { findNode } from "../graph/lookup";
import { useEditorState } from "../view/context";
import { selectCatalog, selectDocument } from "../store/selectors";
import { connectionDragStore } from "./connectionDrag";

export function ConnectionLine(props: ConnectionLineComponentProps): ReactElement {
  const { fromX, fromY, toX, toY, fromPosition, toPosition, connectionStatus } = props;
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const wiring = useStore(connectionDragStore, (state) => state.wiring);
  const node = wiring && findNode(document, wiring.start.node);
  const module = node && catalog.byId.get(node.module);
  const port =
    module &&
    (wiring.side === "output"
      ? outputOf(module, wiring.start.port)
      : inputOf(module, wiring.start.port));
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  });
  return (
    <path
      className="pd-loose-wire"
      d={path}
      data-type={port ? colourOf(catalog, port.type) : undefined}
      data-refused={connectionStatus === "invalid" || undefined}
    />
  );
}
