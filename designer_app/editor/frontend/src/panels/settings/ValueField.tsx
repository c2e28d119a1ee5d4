/** A value under the name of what it is for: with what is wrong with it below. */

import type { ReactElement } from "react";

import { parameterProblem } from "../../graph/parameterProblems";
import type { JsonValue, ParameterSpec } from "../../graph/types";
import { useEditor } from "../../view/context";
import { ValueControl } from "./ValueControl";

interface Props {
  /** Id of the control, and prefix of the others. */
  readonly id: string;
  readonly label: string;
  readonly testId: string;
  readonly parameter: ParameterSpec;
  readonly value: JsonValue;
  readonly onChange: (next: JsonValue) => void;
}

export function ValueField({ id, label, testId, parameter, value, onChange }: Props): ReactElement {
  const editor = useEditor();
  const problem = parameterProblem(parameter, value);
  return (
    <>
      <div className="pd-field">
        <label htmlFor={id}>{label}</label>
        <span className="pd-field-control">
          <ValueControl
            id={id}
            testId={testId}
            parameter={parameter}
            value={value}
            invalid={problem !== undefined}
            describedBy={problem && `${id}-error`}
            onChange={onChange}
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
