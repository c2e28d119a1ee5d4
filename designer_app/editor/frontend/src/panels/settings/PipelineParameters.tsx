/** The parameters of what is shown: each a title, a value, what it sets, and a way to end it. */

import { Trash2 } from "lucide-react";
import { type ReactElement, useId } from "react";

import { parameterProblem } from "../../graph/parameterProblems";
import { pathTitle } from "../../graph/places";
import { changeParameter, removeParameter, specAt } from "../../graph/pipelineParameters";
import type { PipelineParameter } from "../../graph/types";
import { selectCatalog, selectDocument, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ValueControl } from "./ValueControl";

export function PipelineParameters(): ReactElement | null {
  const { parameters = [] } = useEditorState(selectDocument);
  if (parameters.length === 0) return null;
  return (
    <section aria-label="Parameters" data-testid="pipeline-parameters">
      <h3 className="pd-heading">Parameters</h3>
      {parameters.map((each) => (
        <ParameterRow key={each.id} parameter={each} />
      ))}
    </section>
  );
}

function ParameterRow({ parameter }: { readonly parameter: PipelineParameter }): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const [name, value] = [useId(), useId()];
  const { id } = parameter;
  const spec = specAt(document, catalog, parameter.binds[0]);
  const title = parameter.title || spec?.title || id;
  const problem = spec && parameterProblem(spec, parameter.default);
  const end = (): void => {
    editor.dispatch((d) => removeParameter(d, id), { label: `Remove the parameter ${title}` });
  };
  return (
    <div className="pd-box" data-testid={`pipeline-parameter-${id}`}>
      <div className="pd-field">
        <label htmlFor={name}>Name</label>
        <span className="pd-field-control">
          <input
            id={name}
            className="pd-input"
            maxLength={200}
            placeholder={spec?.title ?? id}
            value={parameter.title}
            onChange={(event) => {
              const options = { label: "Name the parameter", coalesceKey: `parameter.${id}.title` };
              const changes = { title: event.target.value };
              editor.dispatch((d) => changeParameter(d, id, changes), options);
            }}
            onBlur={() => editor.endTyping()}
          />
          <button
            type="button"
            className="pd-tiny"
            aria-label={`Remove the parameter ${title}`}
            title="Remove it; each node keeps its value"
            data-testid={`pipeline-parameter-remove-${id}`}
            onClick={end}
          >
            <Trash2 size={13} aria-hidden />
          </button>
        </span>
      </div>
      {spec && (
        <div className="pd-field">
          <label htmlFor={value}>Value</label>
          <span className="pd-field-control">
            <ValueControl
              id={value}
              testId={`pipeline-parameter-value-${id}`}
              parameter={spec}
              value={parameter.default}
              invalid={problem !== undefined}
              describedBy={undefined}
              onChange={(next) => {
                const options = { label: `Set ${title}`, coalesceKey: `parameter.${id}` };
                editor.dispatch((d) => changeParameter(d, id, { default: next }), options);
              }}
              onDone={() => editor.endTyping()}
            />
          </span>
        </div>
      )}
      {problem && <p className="pd-error-text">{`${problem.message} ${problem.cure}`}</p>}
      <Sets parameter={parameter} />
    </div>
  );
}

/** "Sets Epochs of Train PyTorch Model." */
function Sets({ parameter }: { readonly parameter: PipelineParameter }): ReactElement {
  const document = useEditorState(selectDocument);
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const words = parameter.binds.map((bind) => {
    const [node = "", name = ""] = bind.split(".");
    const title = specAt(document, catalog, bind)?.title ?? name;
    return `${title} of ${pathTitle(whole, catalog, node)}`;
  });
  return <p className="pd-dim">{words.length ? `Sets ${words.join(", ")}.` : "Sets nothing."}</p>;
}
