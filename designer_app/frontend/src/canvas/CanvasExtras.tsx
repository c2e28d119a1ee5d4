/** Parts of the canvas that are not needed for the first paint; loaded after it. */

import { type ReactElement, type RefObject, Suspense, lazy } from "react";
import { useStore } from "zustand";

import { comparisonOf } from "../store/comparisonStore";
import { selectIsEmpty, selectPlace } from "../store/selectors";
import { importWithRetry } from "../ui/importWithRetry";
import { useEditor, useEditorState } from "../view/context";
import { Breadcrumb } from "./Breadcrumb";
import { EmptyCanvas } from "./EmptyCanvas";
import { Guides } from "./Guides";
import { Lasso } from "./Lasso";
import { RefusalCard } from "./RefusalCard";
import { useClearOfNotice } from "./useClearOfNotice";
import { useKeepInView } from "./useKeepInView";
import { useRunView } from "./useRunView";
import { useTap } from "./useTap";
import { WireHint } from "./WireHint";
import { t } from "../graph/translate";

const ComparisonLayer = lazy(() => importWithRetry(() => import("./comparison/ComparisonLayer")));

interface Props {
  readonly frame: RefObject<HTMLElement | null>;
  /** True while a file is dragged over the canvas. */
  readonly isFileOver: boolean;
}

export function CanvasExtras({ frame, isFileOver }: Props): ReactElement {
  const place = useEditorState(selectPlace);
  const comparison = useStore(comparisonOf(useEditor()));
  const isEmpty = useEditorState(selectIsEmpty);
  useKeepInView(frame);
  useClearOfNotice(frame);
  useRunView();
  useTap(frame);
  return (
    <>
      {isEmpty && <EmptyCanvas />}
      {isFileOver && (
        <div className="pd-drop">
          {t("Drop images (folder or zip), a pipeline file, an exported PNG or a replay")}
        </div>
      )}
      <WireHint />
      <RefusalCard />
      <Guides />
      <Lasso />
      {place !== "" && <Breadcrumb />}
      {comparison?.difference && (
        <Suspense fallback={null}>
          <ComparisonLayer comparison={comparison} />
        </Suspense>
      )}
    </>
  );
}
