/** Name of the pipeline, edited in place. */

import type { ReactElement } from "react";

import { isComposing } from "../../browser/composing";
import { setName } from "../../graph/edits";
import { useEditor, useEditorState } from "../../view/context";
import { selectName } from "../../store/selectors";
import { t } from "../../graph/translate";

export function PipelineName(): ReactElement {
  const editor = useEditor();
  const name = useEditorState(selectName);
  return (
    <input
      className="pd-name"
      aria-label={t("Pipeline name")}
      data-testid="pipeline-name"
      value={name}
      placeholder={t("Name this pipeline")}
      title={name}
      maxLength={200}
      spellCheck={false}
      onChange={(event) => {
        const options = { label: t("Rename pipeline"), coalesceKey: "name" };
        editor.dispatch((document) => setName(document, event.target.value), options);
      }}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
      }}
      onBlur={() => editor.endTyping()}
    />
  );
}
