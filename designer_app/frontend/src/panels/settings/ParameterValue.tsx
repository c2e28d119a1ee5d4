/** Value of a parameter of the pipeline or of the shown sub-pipeline. */

import type { ReactElement } from "react";

import { changeParameter, placesOf, specAt } from "../../graph/pipelineParameters";
import type { JsonValue, PipelineParameter } from "../../graph/types";
import { selectCatalog, selectDocument } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ValueField } from "./ValueField";
import { t } from "../../graph/translate";

interface Props {
  readonly parameter: PipelineParameter;
  readonly label: string;
  readonly id: string;
}

/** Value of a parameter; nothing without binds. */
export function ParameterValue({ parameter, label, id }: Props): ReactElement | null {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const spec = specAt(document, catalog, parameter.binds[0]);
  if (!spec) return null;
  const title = parameter.title || spec.title || parameter.id;
  const change = (next: JsonValue): void => {
    const options = {
      label: t("Set {title}", { title }),
      coalesceKey: `parameter.${parameter.id}`,
    };
    const before = editor.state.whole;
    editor.dispatch((d) => changeParameter(d, parameter.id, { default: next }), options);
    for (const [node, ...names] of placesOf(document, catalog, parameter)) {
      editor.code.wrote(before, node, ...names);
    }
  };
  return (
    <ValueField
      id={id}
      label={label}
      testId={`pipeline-parameter-value-${parameter.id}`}
      parameter={spec}
      value={parameter.default}
      binds={parameter.binds}
      onChange={change}
    />
  );
}
