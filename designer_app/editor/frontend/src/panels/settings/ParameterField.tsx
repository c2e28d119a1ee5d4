/** One parameter of a node: label with unit and help, the control, what is wrong, the way back. */

import { CircleHelp, RotateCcw } from "lucide-react";
import { memo, type ReactElement, useEffect, useId, useRef, useState } from "react";

import { resetParameter, setParameter } from "../../graph/edits";
import { isChanged, parameterProblem, textOf, valueOf } from "../../graph/parameters";
import type { JsonValue, ParameterSpec, PipelineNode, Settings } from "../../graph/types";
import { useEditor, useView, useViewState } from "../../view/context";
import { selectWantedParameter } from "../../view/viewStore";
import { useChoicesThere } from "./useChoicesThere";
import { ValueControl } from "./ValueControl";

interface Props {
  readonly parameter: ParameterSpec;
  readonly node: PipelineNode;
  readonly settings: Settings;
  /** What the server found wrong with it. */
  readonly found: string | undefined;
}

export const ParameterField = memo(function ParameterField(props: Props): ReactElement {
  const { parameter, node, settings, found } = props;
  const editor = useEditor();
  const [helping, setHelping] = useState(false);
  const field = useWanted(parameter.id);
  const id = useId();
  const title = parameter.title ?? parameter.id;
  const value = valueOf(parameter, node, settings);
  const problem = parameterProblem(parameter, value);
  const error = problem ? `${problem.message} ${problem.cure}` : found;
  const changed = isChanged(parameter, node);
  const there = useChoicesThere(parameter, node.id);
  const change = (next: JsonValue): void => {
    const options = { label: `Set ${title}`, coalesceKey: `${node.id}.${parameter.id}` };
    editor.dispatch((d, c) => setParameter(d, c, node.id, parameter.id, next), options);
  };
  const reset = (): void => {
    const label = `Reset ${title}`;
    editor.dispatch((d) => resetParameter(d, node.id, parameter.id), { label });
  };
  return (
    <div
      className="pd-field"
      ref={field}
      data-kind={parameter.type}
      data-wide={isWide(parameter)}
      data-changed={changed}
    >
      <span className="pd-field-label">
        <label htmlFor={id}>{title}</label> {parameter.unit && <small>{parameter.unit}</small>}
        {parameter.help && (
          <button
            type="button"
            className="pd-tiny"
            aria-label={`About ${title}`}
            aria-expanded={helping}
            title={parameter.help}
            onClick={() => setHelping(!helping)}
          >
            <CircleHelp size={13} aria-hidden />
          </button>
        )}
      </span>
      <span className="pd-field-control">
        <ValueControl
          id={id}
          testId={`param-${parameter.id}`}
          parameter={parameter}
          value={value}
          invalid={error !== undefined}
          describedBy={error === undefined ? undefined : `${id}-error`}
          there={there}
          onChange={change}
          onDone={() => editor.endTyping()}
        />
        {changed && (
          <button
            type="button"
            className="pd-tiny"
            aria-label={`Reset ${title}`}
            title={`Back to the default: ${textOf(parameter.default) || "nothing"}`}
            data-testid={`reset-${parameter.id}`}
            onClick={reset}
          >
            <RotateCcw size={13} aria-hidden />
          </button>
        )}
      </span>
      {error !== undefined && (
        <p className="pd-error-text" id={`${id}-error`}>
          {error}
        </p>
      )}
      {helping && <p className="pd-field-help">{parameter.help}</p>}
    </div>
  );
});

/** Focuses the field when a problem's click asked for it. */
function useWanted(parameter: string): React.RefObject<HTMLDivElement | null> {
  const view = useView();
  const wanted = useViewState(selectWantedParameter) === parameter;
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!wanted) return;
    view.setState({ wantedParameter: null });
    const control = field.current?.querySelector<HTMLElement>("input, select, textarea");
    control?.scrollIntoView({ block: "center" });
    control?.focus();
  }, [wanted, view]);
  return field;
}

/** Long texts take the whole width. */
function isWide(parameter: ParameterSpec): boolean {
  const free = parameter.type === "string" && !parameter.choices;
  return free || parameter.type === "array" || parameter.type === "object";
}
