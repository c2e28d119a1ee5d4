/** Reason why a port refuses the dragged wire, shown next to the pointer. */

import { type ConnectionState, useConnection } from "@xyflow/react";
import type { ReactElement } from "react";
import { useStore } from "zustand";

import { mayLink, refusalOf } from "../graph/connections";
import { useEditorState } from "../view/context";
import { selectCatalog, selectDocument } from "../store/selectors";
import { connectionDragStore } from "./connectionDrag";

interface Over {
  readonly node: string;
  readonly port: string;
}

/** The refusing port as text, so that moving the pointer does not cause a new render. */
const selectRefusing = (connection: ConnectionState): string =>
  connection.inProgress && connection.isValid === false && connection.toHandle?.id
    ? `${connection.toHandle.nodeId}.${connection.toHandle.id}`
    : "";

export function WireHint(): ReactElement | null {
  const refusing = useConnection(selectRefusing);
  const wiring = useStore(connectionDragStore, (state) => state.wiring);
  if (!refusing || !wiring) return null;
  const dot = refusing.indexOf(".");
  return <Hint over={{ node: refusing.slice(0, dot), port: refusing.slice(dot + 1) }} />;
}

function Hint({ over }: { readonly over: Over }): ReactElement | null {
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const wiring = useStore(connectionDragStore, (state) => state.wiring);
  if (!wiring || (wiring.start.node === over.node && wiring.start.port === over.port)) return null;
  const [from, to] = wiring.side === "output" ? [wiring.start, over] : [over, wiring.start];
  const verdict = mayLink(document, catalog, from, to);
  if (verdict.allowed) return null;
  return (
    <div className="pd-wire-hint" role="status" data-testid="wire-hint">
      {refusalOf(verdict)}
    </div>
  );
}
