/** Note at the top of a pinned node's settings: they have no effect until it is unpinned. */

import type { ReactElement } from "react";

import { setPin } from "../../graph/edits";
import { pinOf } from "../../graph/pins";
import { titleOf } from "../../graph/search";
import type { PipelineNode } from "../../graph/types";
import { selectCatalog, selectIsReadOnly, selectProblemsOf } from "../../store/selectors";
import { PageLink } from "../../ui/PageLink";
import { useEditor, useEditorState } from "../../view/context";
import { pinMoment } from "../../view/pinWords";
import { t } from "../../graph/translate";

export function PinBox({ node }: { readonly node: PipelineNode }): ReactElement | null {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const readOnly = useEditorState(selectIsReadOnly);
  const problems = useEditorState(selectProblemsOf(node.id));
  const pin = pinOf(node);
  if (!pin) return null;
  const fault = problems.find(({ remedy }) => remedy?.["unpin"] !== undefined);
  const unpin = (): void => {
    const label = t("Unpin {names}", { names: titleOf(node, catalog) });
    editor.dispatch((document) => setPin(document, [node.id], undefined), { label });
  };
  const when = pinMoment(pin.run);
  return (
    <div className="pd-box" data-kind={fault?.severity} data-testid="pin-box">
      {fault ? (
        fault.message
      ) : (
        <>
          {t("Pinned to the result of run")}{" "}
          <PageLink
            href={`/run?run=${pin.run}`}
            to={{ page: "run", run: pin.run }}
            testId="pin-run"
          >
            {pin.run}
          </PageLink>
          {when && ` (${when})`}. {t("Settings and inputs have no effect until you unpin it.")}
        </>
      )}{" "}
      {!readOnly && (
        <button type="button" className="pd-link" data-testid="unpin" onClick={unpin}>
          {t("Unpin")}
        </button>
      )}
    </div>
  );
}
