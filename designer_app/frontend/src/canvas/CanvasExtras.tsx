/** Parts of the canvas that are not needed for the first paint; loaded after it. */

import type { ReactElement, RefObject } from "react";

import { selectIsEmpty, selectPlace } from "../store/selectors";
import { useEditorState } from "../view/context";
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

interface Props {
  readonly frame: RefObject<HTMLElement | null>;
  /** True while a file is dragged over the canvas. */
  readonly isFileOver: boolean;
}

export function CanvasExtras({ frame, isFileOver }: Props): ReactElement {
  const place = useEditorState(selectPlace);
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
    </>
  );
}
