/** Reason why a wire was refused, at the place of the drop, with the module that would connect
 * the two. */

import { type ReactElement, useEffect, useRef } from "react";

import { addedNodes } from "../graph/edits";
import { makeRoom } from "../graph/layout/makeRoom";
import { insertBridge } from "../graph/insertions";
import { Button } from "../ui/buttons";
import { useEditor, useEditorState, useView, useViewState } from "../view/context";
import { useFloating } from "../ui/useFloating";
import { type Refusal, selectRefusal } from "../view/viewStore";
import { selectCatalog } from "../store/selectors";
import { t } from "../graph/translate";

export function RefusalCard(): ReactElement | null {
  const refusal = useViewState(selectRefusal);
  return refusal && <Card refusal={refusal} />;
}

function Card({ refusal }: { readonly refusal: Refusal }): ReactElement {
  const editor = useEditor();
  const view = useView();
  const catalog = useEditorState(selectCatalog);
  const ref = useRef<HTMLDivElement>(null);
  const style = useFloating(ref, refusal.x + 12, refusal.y + 12);
  const bridge = refusal.bridge ? catalog.byId.get(refusal.bridge) : undefined;
  const close = (): void => view.setState({ refusal: null });
  useEffect(() => ref.current?.querySelector<HTMLElement>("button")?.focus(), [refusal]);
  const insert = (): void => {
    close();
    const { from, to } = refusal;
    editor.dispatch(
      (document, catalog) => {
        const grown = insertBridge(document, catalog, from, to);
        return makeRoom(grown, addedNodes(document, grown)[0] ?? "");
      },
      { label: t("Insert {title}", { title: bridge?.title ?? "" }), select: "added" },
    );
    editor.canvas?.focus();
  };
  return (
    <div
      ref={ref}
      className="pd-refusal"
      role="alertdialog"
      aria-label={t("These ports cannot be connected")}
      data-testid="refusal"
      style={style}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") close();
      }}
    >
      <strong>{t("These ports cannot be connected")}</strong>
      <p>{refusal.message}</p>
      <div className="pd-refusal-actions">
        {bridge && (
          <Button small kind="primary" data-testid="insert-bridge" onClick={insert}>
            {t("Insert {title}", { title: bridge.title })}
          </Button>
        )}
        <Button small onClick={close}>
          {t("Close")}
        </Button>
      </div>
    </div>
  );
}
