/** Guide lines along which a dragged element is aligned with others. */

import { ViewportPortal } from "@xyflow/react";
import type { CSSProperties, ReactElement } from "react";
import { useStore } from "zustand";

import type { Guide } from "../graph/layout/guides";
import { guideStore } from "./alignment";
import { aligned } from "./aligning";

const selectGuides = ({ guides }: { readonly guides: readonly Guide[] }): readonly Guide[] =>
  guides;

guideStore.setState({ align: aligned });

export function Guides(): ReactElement | null {
  const guides = useStore(guideStore, selectGuides);
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      {guides.map((guide) => (
        <div key={guide.axis} className="pd-guide" data-testid="guide" style={placeOf(guide)} />
      ))}
    </ViewportPortal>
  );
}

function placeOf({ axis, at, from, to }: Guide): CSSProperties {
  if (axis === "x") return { left: at, top: from, width: 1, height: to - from };
  return { left: from, top: at, width: to - from, height: 1 };
}
