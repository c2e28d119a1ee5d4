/** Wire being drawn: its start and the ports that accept it. */

import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";

import type { Endpoint, Side } from "../graph/types";

interface ConnectionDrag {
  readonly start: Endpoint;
  readonly side: Side;
  /** `side node.port` of every compatible port. */
  readonly fitting: ReadonlySet<string>;
}

interface WiringState {
  readonly wiring: ConnectionDrag | null;
  /** Wire whose end is pulled off. */
  readonly pulled: string | null;
  /** Wire under a dragged module, into which dropping inserts the module. */
  readonly dropLink: string | null;
}

/** One pointer draws one wire: shared by all editors of the page. */
export const connectionDragStore = createStore<WiringState>(() => ({
  wiring: null,
  pulled: null,
  dropLink: null,
}));

export const portKey = (side: Side, end: Endpoint): string => `${side} ${end.node}.${end.port}`;

/** Return true if the wire being drawn fits this port; undefined if none is being drawn. */
export function useFits(side: Side, node: string, port: string): boolean | undefined {
  return useStore(connectionDragStore, ({ wiring }) => {
    if (!wiring) return undefined;
    if (wiring.start.node === node && wiring.start.port === port) return true;
    return wiring.fitting.has(portKey(side, { node, port }));
  });
}

export function useIsDropLink(link: string): boolean {
  return useStore(connectionDragStore, (state) => state.dropLink === link);
}
