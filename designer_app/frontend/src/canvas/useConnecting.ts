/** Drawing wires: highlighted ports, the end of a drag, and reconnecting an end. */

import type {
  Connection,
  Edge,
  FinalConnectionState,
  IsValidConnection,
  OnConnectStart,
} from "@xyflow/react";
import { useReactFlow } from "@xyflow/react";
import { useCallback, useMemo, useRef } from "react";

import { connect, disconnect, reconnect } from "../graph/edits";
import { endKey, endOf, linkAt } from "../graph/lookup";
import { linkablePorts, mayLink } from "../graph/connections";
import type { Endpoint, PipelineDocument, Side } from "../graph/types";
import { useEditor, useView } from "../view/context";
import { speak } from "../view/viewStore";
import { refuse } from "./refusal";
import { portKey, connectionDragStore } from "./connectionDrag";
import { t } from "../graph/translate";

type End = MouseEvent | TouchEvent;

export interface Connecting {
  readonly isValidConnection: IsValidConnection;
  readonly onConnectStart: OnConnectStart;
  readonly onConnect: (connection: Connection) => void;
  readonly onConnectEnd: (event: End, state: FinalConnectionState) => void;
  readonly onReconnectStart: (event: unknown, edge: Edge, side: "source" | "target") => void;
  readonly onReconnect: (edge: Edge, connection: Connection) => void;
  readonly onReconnectEnd: (
    event: End,
    edge: Edge,
    side: "source" | "target",
    state: FinalConnectionState,
  ) => void;
}

export function useConnecting(): Connecting {
  const editor = useEditor();
  const view = useView();
  const flow = useReactFlow();
  const replugged = useRef<string | null>(null);

  const startWire = useCallback(
    (start: Endpoint, side: Side) => {
      const { document, catalog } = withoutPulled(editor.store.getState(), replugged.current);
      view.setState({ refusal: null });
      const other: Side = side === "output" ? "input" : "output";
      const ends = linkablePorts(document, catalog, start, side);
      const fitting = new Set(ends.map((end) => portKey(other, end)));
      connectionDragStore.setState({ wiring: { start, side, fitting } });
    },
    [editor, view],
  );

  return useMemo<Connecting>(
    () => ({
      isValidConnection: (connection) => {
        const { document, catalog } = withoutPulled(editor.store.getState(), replugged.current);
        const ends = endsOf(connection as Connection);
        return ends !== undefined && mayLink(document, catalog, ends.from, ends.to).allowed;
      },
      onConnectStart: (_event, { nodeId, handleId, handleType }) => {
        if (!nodeId || !handleId || replugged.current) return;
        startWire({ node: nodeId, port: handleId }, handleType === "source" ? "output" : "input");
      },
      onConnect: (connection) => {
        const ends = endsOf(connection);
        if (!ends) return;
        editor.dispatch((document, catalog) => connect(document, catalog, ends.from, ends.to), {
          label: t("Connect"),
        });
        speak(
          view,
          t("Connected {source} to {target}.", { source: ends.from.node, target: ends.to.node }),
        );
      },
      onConnectEnd: (event, state) => {
        const wiring = connectionDragStore.getState().wiring;
        connectionDragStore.setState({ wiring: null });
        if (replugged.current || !wiring || state.isValid) return;
        const point = pointOf(event);
        if (state.toHandle?.id && state.toNode) {
          const other = { node: state.toNode.id, port: state.toHandle.id };
          const { start, side } = wiring;
          refuse(editor, view, side === "output" ? [start, other] : [other, start], point);
          return;
        }
        const onNode = state.toNode?.type === "module" ? state.toNode.id : nodeUnder(event);
        if (onNode && onNode !== wiring.start.node) {
          plugInto(onNode, wiring.start, wiring.side, point);
          return;
        }
        if (onNode) return;
        const at = flow.screenToFlowPosition(point);
        editor.openDialog({
          kind: "module search",
          at,
          from: { end: wiring.start, side: wiring.side },
        });
      },
      onReconnectStart: (_event, edge, side) => {
        replugged.current = edge.id;
        connectionDragStore.setState({ pulled: edge.id });
        startWire(...stillEnd(edge, side));
      },
      onReconnect: (edge, connection) => {
        const ends = endsOf(connection);
        if (!ends) return;
        replugged.current = null;
        editor.dispatch(
          (document, catalog) => reconnect(document, catalog, endOf(edge.id), ends.from, ends.to),
          { label: t("Reconnect") },
        );
      },
      onReconnectEnd: (event, edge, side, state) => {
        const held = replugged.current;
        replugged.current = null;
        connectionDragStore.setState({ wiring: null, pulled: null });
        if (!held || state.isValid) return;
        const node = nodeUnder(event);
        if (node) {
          plugInto(node, ...stillEnd(edge, side), pointOf(event), endOf(held));
          return;
        }
        editor.dispatch((document) => disconnect(document, endOf(edge.id)), {
          label: t("Disconnect"),
        });
        speak(view, t("Wire removed. Press Ctrl+Z to undo."));
      },
    }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the helpers below only use these
    [editor, view, flow, startWire],
  );

  /** A wire dropped on a node uses its first compatible port, free ones first. */
  function plugInto(
    node: string,
    start: Endpoint,
    side: Side,
    point: { x: number; y: number },
    pulled?: Endpoint,
  ): void {
    const state = editor.store.getState();
    if (pulled && isAt(state.document, pulled, node, side)) return; // back to its old port
    const { document, catalog } = withoutPulled(state, pulled ? endKey(pulled) : null);
    const ports = linkablePorts(document, catalog, start, side).filter((end) => end.node === node);
    const free = ports.find((end) => side === "input" || !linkAt(document, end)) ?? ports[0];
    if (free) {
      const [from, to] = side === "output" ? [start, free] : [free, start];
      if (pulled) {
        editor.dispatch((d, c) => reconnect(d, c, pulled, from, to), { label: t("Reconnect") });
      } else editor.dispatch((d, c) => connect(d, c, from, to), { label: t("Connect") });
      return;
    }
    const module = catalog.byId.get(
      document.nodes.find((candidate) => candidate.id === node)?.module ?? "",
    );
    const port = (side === "output" ? module?.inputs : module?.outputs)?.[0];
    if (!port) return;
    const other = { node, port: port.id };
    refuse(editor, view, side === "output" ? [start, other] : [other, start], point);
  }
}

/** The pipeline without the wire whose end was pulled off, which may be connected again. */
export function withoutPulled<State extends { readonly document: PipelineDocument }>(
  state: State,
  pulled: string | null,
): State {
  return pulled ? { ...state, document: disconnect(state.document, endOf(pulled)) } : state;
}

/** Return the end of a wire that stays: React Flow names that one. */
function stillEnd(edge: Edge, side: "source" | "target"): [Endpoint, Side] {
  if (side === "target") return [endOf(edge.id), "input"];
  return [{ node: edge.source, port: edge.sourceHandle ?? "" }, "output"];
}

/** True if the loose end of a wire was at that node before it was pulled off. */
function isAt(document: PipelineDocument, pulled: Endpoint, node: string, side: Side): boolean {
  const link = linkAt(document, pulled);
  return (side === "output" ? link?.to : link?.from)?.node === node;
}

function endsOf(connection: Connection): { from: Endpoint; to: Endpoint } | undefined {
  const { source, sourceHandle, target, targetHandle } = connection;
  if (!source || !target || !sourceHandle || !targetHandle) return undefined;
  return { from: { node: source, port: sourceHandle }, to: { node: target, port: targetHandle } };
}

function pointOf(event: End): { x: number; y: number } {
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}

/** Return the node under the pointer. */
function nodeUnder(event: End): string | undefined {
  const { x, y } = pointOf(event);
  const target = event.composedPath()[0];
  const host =
    target instanceof Element ? (target.getRootNode() as Document | ShadowRoot) : document;
  const element = host.elementFromPoint(x, y);
  return element?.closest<HTMLElement>(".react-flow__node-module")?.dataset["id"];
}
