/** Enter on nodes brings the focus to the first field of their settings. */

import { type RefObject, useEffect, useRef } from "react";

import { useView, useViewState } from "../../view/context";
import { selectWantsSettings } from "../../view/viewStore";

export function useWantedFocus(): RefObject<HTMLDivElement | null> {
  const view = useView();
  const wanted = useViewState(selectWantsSettings);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!wanted) return;
    view.setState({ wantsSettings: false });
    ref.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, [wanted, view]);
  return ref;
}
