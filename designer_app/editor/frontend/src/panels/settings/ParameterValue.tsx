/** The value of a parameter of the pipeline: in the settings, and before a run. */

import type { ReactElement } from "react";

import { parameterProblem } from "../../graph/parameterProblems";
import { changeParameter, placesOf, specAt } from "../../graph/pipelineParameters";
import type { PipelineParameter } from "../../graph/types";
import { selectCatalog, selectDocument } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ValueControl } from "./ValueControl";

interface Props {
  readonly parameter: PipelineParameter;
  readonly label: string;
  /** Of the control, and the beginning of the others'. */
  readonly id: string;
}

/** Nothing where the parameter gives no node its value. */
export function ParameterValue({ parameter, label, id }: Props): ReactElement | null {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const spec = specAt(document, catalog, parameter.binds[0]);
  if (!spec) return null;
  const title = parameter.title || spec.title || parameter.id;
  const problem = parameterProblem(spec, parameter.default);
  return (
    <>
      <div className="pd-field">
        <label htmlFor={id}>{label || title}</label>
        <span className="pd-field-control">
          <ValueControl
            id={id}
            testId={`pipeline-parameter-value-${parameter.id}`}
            parameter={spec}
            value={parameter.default}
            invalid={problem !== undefined}
            describedBy={problem && `${id}-error`}
            onChange={(next) => {
              const options = { label: `Set ${title}`, coalesceKey: `parameter.${parameter.id}` };
              const before = editor.state.whole;
              editor.dispatch((d) => changeParameter(d, parameter.id, { default: next }), options);
              for (const [node, ...names] of placesOf(document, catalog, parameter)) {
                editor.code.wrote(before, node, ...names);
              }
            }}
            onDone={() => editor.endTyping()}
          />
        </span>
      </div>
      {problem && (
        <p className="pd-error-text" id={`${id}-error`}>{`${problem.message} ${problem.cure}`}</p>
      )}
    </>
  );
}
