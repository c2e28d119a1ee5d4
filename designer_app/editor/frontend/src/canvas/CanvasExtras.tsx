/** What a canvas does beside its first picture; loaded after it. */

import type { ReactElement, RefObject } from "react";

import { Guides } from "./Guides";
import { Lasso } from "./Lasso";
import { RefusalCard } from "./RefusalCard";
import { useKeepInView } from "./useKeepInView";
import { useRunView } from "./useRunView";
import { useTap } from "./useTap";
import { WireHint } from "./WireHint";

interface Props {
  readonly frame: RefObject<HTMLElement | null>;
}

export function CanvasExtras({ frame }: Props): ReactElement {
  useKeepInView(frame);
  useRunView();
  useTap(frame);
  return (
    <>
      <WireHint />
      <RefusalCard />
      <Guides />
      <Lasso />
    </>
  );
}
