/** Enter on nodes moves the focus to the first field of their settings, or to the message shown
 * instead. */

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
    const panel = ref.current;
    (panel?.querySelector<HTMLElement>("input, select, textarea") ?? panel)?.focus();
  }, [wanted, view]);
  return ref;
}
