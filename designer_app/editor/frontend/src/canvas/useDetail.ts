/** How much is drawn now: while a hand zooms in on a crowd, the crowd stays until the hand rests. */

import { type ReactFlowState, useStoreApi } from "@xyflow/react";
import { createContext, type RefObject, useContext, useLayoutEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";

import { type Detail, FEW, REST, selectDetail } from "./detail";

type FlowStore = Pick<StoreApi<ReactFlowState>, "getState" | "subscribe">;

export const DetailContext = createContext<StoreApi<Detail> | null>(null);

/** What is drawn of every node; draws again only where that changes. */
export function useDetail(): Detail {
  const store = useContext(DetailContext);
  if (!store) throw new Error("Draw this inside <DetailContext value=...>.");
  return useStore(store);
}

/** The detail of one canvas; `frame` is marked while the zoom of many nodes changes. */
export function useDetailStore(frame: RefObject<HTMLElement | null>): StoreApi<Detail> {
  const flow = useStoreApi();
  const [store] = useState(() => createStore(() => selectDetail(flow.getState())));
  useLayoutEffect(() => {
    const element = frame.current;
    return followZoom(flow, store, (zooming) => element?.toggleAttribute("data-zooming", zooming));
  }, [flow, store, frame]);
  return store;
}

/** Keeps the detail as the view wants it, and tells when many nodes are zoomed; gives what ends it. */
export function followZoom(
  flow: FlowStore,
  detail: StoreApi<Detail>,
  tell: (zooming: boolean) => void,
): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    rest = undefined;
    tell(false);
    detail.setState(selectDetail(flow.getState()), true);
  };
  const stop = flow.subscribe((now, before) => {
    if (now.transform[2] !== before.transform[2]) {
      if (rest === undefined && now.nodes.length > FEW) tell(true);
      clearTimeout(rest);
      rest = setTimeout(settle, REST);
    }
    // hundreds of nodes are not unfolded in the middle of a movement
    const wanted = selectDetail(now);
    const unfolds = detail.getState() === "crowd" && wanted === "near";
    if (rest === undefined || !unfolds) detail.setState(wanted, true);
  });
  detail.setState(selectDetail(flow.getState()), true);
  return () => {
    stop();
    clearTimeout(rest);
  };
}
