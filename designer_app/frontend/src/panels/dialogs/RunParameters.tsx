/** Parameters that can be set before a run; the values are stored in the pipeline. */

import { type ReactElement, useId } from "react";

import { type RunParameter, runParameters } from "../../graph/runParameters";
import type { JsonValue } from "../../graph/types";
import { selectCatalog, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ValueField } from "../settings/ValueField";
import { t } from "../../graph/translate";

/** The same at every place of the canvas; nothing without parameters. */
export function RunParameters(): ReactElement {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  return (
    <>
      {runParameters(whole, catalog).map(({ title, parameters }) => (
        <fieldset key={title} data-testid={title ? undefined : "submit-parameters"}>
          <legend>
            {title ? t("Parameters of {title}", { title }) : t("Pipeline parameters")}
          </legend>
          {parameters.map((parameter) => (
            <Parameter key={parameter.id} parameter={parameter} />
          ))}
        </fieldset>
      ))}
    </>
  );
}

function Parameter({ parameter }: { readonly parameter: RunParameter }): ReactElement {
  const editor = useEditor();
  const field = useId();
  const { id, title, description, spec, value, binds } = parameter;
  const change = (next: JsonValue): void => {
    const before = editor.state.whole;
    editor.edit(parameter.set(before, next), t("Set {title}", { title }), `parameter.${id}`);
    for (const [node, ...names] of parameter.running) editor.code.wrote(before, node, ...names);
  };
  return (
    <div title={description}>
      <ValueField
        id={field}
        label={title}
        testId={`submit-parameter-${id}`}
        parameter={spec}
        value={value}
        binds={binds}
        onChange={change}
      />
    </div>
  );
}
