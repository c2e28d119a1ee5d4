/** One parameter of several nodes: the common value, or a note that they differ; a change
 * applies to all. */

import { type ReactElement, useId } from "react";

import { problemAt } from "../../graph/problems";
import { isChanged } from "../../graph/parameters";
import {
  differing,
  resetParameterOfAll,
  setParameterOfAll,
  valuesOf,
} from "../../graph/sharedSettings";
import type { JsonValue, ParameterSpec, PipelineNode } from "../../graph/types";
import { selectCatalog, selectProblems, selectSettings } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ResetButton } from "./ResetButton";
import { ValueControl } from "./ValueControl";
import { t } from "../../graph/translate";

interface Props {
  /** Parameter of the first node. */
  readonly parameter: ParameterSpec;
  readonly nodes: readonly PipelineNode[];
}

export function SharedParameter({ parameter, nodes }: Props): ReactElement {
  const editor = useEditor();
  const values = valuesOf(
    parameter,
    nodes,
    useEditorState(selectCatalog),
    useEditorState(selectSettings),
  );
  const id = useId();
  const ids = nodes.map((node) => node.id);
  const title = parameter.title ?? parameter.id;
  const differ = differing(values);
  const [value = null] = values;
  const problems = useEditorState(selectProblems);
  const problem = problemAt(
    problems,
    ids.map((node) => `${node}.${parameter.id}`),
  );
  const change = (next: JsonValue): void => {
    editor.dispatch((d, catalog) => setParameterOfAll(d, catalog, ids, parameter.id, next), {
      label: t("Set {title} of {count} nodes", { title, count: ids.length }),
      coalesceKey: `${ids.join()}.${parameter.id}`,
    });
  };
  const reset = (): void => {
    const label = t("Reset {title} of {count} nodes", { title, count: ids.length });
    editor.dispatch((d) => resetParameterOfAll(d, ids, parameter.id), { label });
  };
  const changed = nodes.some((node) => isChanged(parameter, node));
  return (
    <div className="pd-field" data-kind={parameter.type} data-changed={changed}>
      <span className="pd-field-label">
        <label htmlFor={id} title={parameter.help ?? undefined}>
          {title}
        </label>{" "}
        {parameter.unit && <small>{parameter.unit}</small>}
      </span>
      <span className="pd-field-control">
        {differ !== undefined && parameter.type === "boolean" && (
          <small className="pd-dim">{t("mixed")}</small>
        )}
        <ValueControl
          id={id}
          testId={`param-${parameter.id}`}
          parameter={parameter}
          value={value}
          differ={differ}
          invalid={problem !== undefined}
          describedBy={problem && `${id}-error`}
          onChange={change}
          onDone={() => editor.endTyping()}
        />
        {changed && <ResetButton parameter={parameter} title={title} onReset={reset} />}
      </span>
      {problem && (
        <p className="pd-error-text" id={`${id}-error`}>{`${problem.message} ${problem.cure}`}</p>
      )}
    </div>
  );
}
