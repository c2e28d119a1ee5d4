/** Parameters of the shown document: title, value, description, binds, and a button to remove
 * each. */

import { Trash2 } from "lucide-react";
import { type ReactElement, useId } from "react";

import { halves } from "../../graph/binds";
import { isOuter } from "../../graph/outerBinds";
import { pathTitle } from "../../graph/places";
import {
  bind,
  bindable,
  changeParameter,
  removeParameter,
  specAt,
} from "../../graph/pipelineParameters";
import type { PipelineParameter } from "../../graph/types";
import { selectCatalog, selectDocument, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ParameterValue } from "./ParameterValue";
import { t } from "../../graph/translate";

export function PipelineParameters(): ReactElement | null {
  const own = useEditorState(selectDocument).parameters?.filter(({ id }) => !isOuter(id)) ?? [];
  if (own.length === 0) return null;
  return (
    <section aria-label={t("Parameters")} data-testid="pipeline-parameters">
      <h3 className="pd-heading">{t("Parameters")}</h3>
      {own.map((parameter) => (
        <ParameterRow key={parameter.id} parameter={parameter} />
      ))}
    </section>
  );
}

interface RowProps {
  readonly parameter: PipelineParameter;
}

function ParameterRow({ parameter }: RowProps): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const [name, value, about] = [useId(), useId(), useId()];
  const { id } = parameter;
  const own = specAt(document, catalog, parameter.binds[0])?.title ?? id;
  const title = parameter.title || own;
  const change = (changes: Partial<Pick<PipelineParameter, "title" | "description">>): void => {
    const coalesceKey = `parameter.${id}.${Object.keys(changes).join()}`;
    const options = { label: t("Describe the parameter {title}", { title }), coalesceKey };
    editor.dispatch((d) => changeParameter(d, id, changes), options);
  };
  return (
    <div className="pd-box" data-testid={`pipeline-parameter-${id}`}>
      <div className="pd-field">
        <label htmlFor={name}>{t("Name")}</label>
        <span className="pd-field-control">
          <input
            id={name}
            className="pd-input"
            maxLength={200}
            placeholder={own}
            value={parameter.title}
            onChange={(event) => change({ title: event.target.value })}
            onBlur={() => editor.endTyping()}
          />
          <button
            type="button"
            className="pd-tiny"
            aria-label={t("Remove the parameter {title}", { title })}
            title={t("Remove the parameter; each node keeps its value")}
            data-testid={`pipeline-parameter-remove-${id}`}
            onClick={() => {
              const label = t("Remove the parameter {title}", { title });
              editor.dispatch((d, c) => removeParameter(d, c, id), { label });
            }}
          >
            <Trash2 size={13} aria-hidden />
          </button>
        </span>
      </div>
      <ParameterValue parameter={parameter} label={t("Value")} id={value} />
      <div className="pd-field">
        <label htmlFor={about}>{t("Description")}</label>
        <input
          id={about}
          className="pd-input"
          maxLength={20_000}
          placeholder={t("What is this parameter for?")}
          data-testid={`pipeline-parameter-about-${id}`}
          value={parameter.description}
          onChange={(event) => change({ description: event.target.value })}
          onBlur={() => editor.endTyping()}
        />
      </div>
      <Sets parameter={parameter} />
    </div>
  );
}

/** "Sets Epochs of Train PyTorch Model.", and a list of further parameters that it could set. */
function Sets({ parameter }: RowProps): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const words = (bound: string): string => {
    const [node, name] = halves(bound);
    const title = specAt(document, catalog, bound)?.title ?? name;
    return t("{title} of {node}", { title, node: pathTitle(whole, catalog, node) });
  };
  const { id, binds } = parameter;
  const more = bindable(document, catalog, parameter);
  return (
    <>
      <p className="pd-dim">
        {binds.length
          ? t("Sets {names}.", { names: binds.map(words).join(", ") })
          : t("Not connected to any node.")}
      </p>
      {more.length > 0 && (
        <select
          className="pd-input"
          aria-label={t("Add another parameter to set")}
          data-testid={`pipeline-parameter-bind-${id}`}
          value=""
          onChange={({ target }) => {
            const label = t("Set {words} as well", { words: words(target.value) });
            editor.dispatch((d) => bind(d, id, target.value), { label });
          }}
        >
          <option value="">{t("Add parameter ...")}</option>
          {more.map((bound) => (
            <option key={bound} value={bound}>
              {words(bound)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
