/** Current level of detail: while the user zooms in on the overview, it changes only when the
 * zoom rests. */

import { type ReactFlowState, useStoreApi } from "@xyflow/react";
import { createContext, type RefObject, useContext, useLayoutEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";

import { type LevelOfDetail, FEW, REST, selectLevelOfDetail } from "./levelOfDetail";

type FlowStore = Pick<StoreApi<ReactFlowState>, "getState" | "subscribe">;

export const LevelOfDetailContext = createContext<StoreApi<LevelOfDetail> | null>(null);

/** Return the level of detail of nodes; renders again only when it changes. */
export function useLevelOfDetail(): LevelOfDetail {
  const store = useContext(LevelOfDetailContext);
  if (!store) throw new Error("Render this inside <DetailContext value=...>.");
  return useStore(store);
}

/** Store of the level of detail of one canvas; `frame` is marked while the zoom of many nodes
 * changes. */
export function useLevelOfDetailStore(
  frame: RefObject<HTMLElement | null>,
): StoreApi<LevelOfDetail> {
  const flow = useStoreApi();
  const [store] = useState(() => createStore(() => selectLevelOfDetail(flow.getState())));
  useLayoutEffect(() => {
    const element = frame.current;
    return followZoom(flow, store, (zooming) => element?.toggleAttribute("data-zooming", zooming));
  }, [flow, store, frame]);
  return store;
}

/** Update the level of detail for the view, and report when many nodes are zoomed; returns a
 * function that stops it. */
export function followZoom(
  flow: FlowStore,
  detail: StoreApi<LevelOfDetail>,
  tell: (zooming: boolean) => void,
): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    rest = undefined;
    tell(false);
    detail.setState(selectLevelOfDetail(flow.getState()), true);
  };
  const stop = flow.subscribe((now, before) => {
    if (now.transform[2] !== before.transform[2]) {
      if (rest === undefined && now.nodes.length > FEW) tell(true);
      clearTimeout(rest);
      rest = setTimeout(settle, REST);
    }
    // hundreds of nodes are not rendered in full during a movement
    const wanted = selectLevelOfDetail(now);
    const unfolds = detail.getState() === "overview" && wanted === "near";
    if (rest === undefined || !unfolds) detail.setState(wanted, true);
  });
  detail.setState(selectLevelOfDetail(flow.getState()), true);
  return () => {
    stop();
    clearTimeout(rest);
  };
}
