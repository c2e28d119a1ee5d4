/** Value with a label, and its problem below. */

import type { ReactElement } from "react";

import { reachedBy } from "../../graph/binds";
import { problemAt } from "../../graph/problems";
import type { JsonValue, ParameterSpec } from "../../graph/types";
import { selectProblems, selectWhole } from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { ValueControl } from "./ValueControl";

interface Props {
  /** Id of the control, and prefix of other ids. */
  readonly id: string;
  readonly label: string;
  readonly testId: string;
  readonly parameter: ParameterSpec;
  readonly value: JsonValue;
  /** Parameters of nodes that it sets, such as `train.epochs`. */
  readonly binds: readonly string[];
  readonly onChange: (next: JsonValue) => void;
}

export function ValueField(props: Props): ReactElement {
  const { id, label, testId, parameter, value, binds, onChange } = props;
  const editor = useEditor();
  const whole = useEditorState(selectWhole);
  const problems = useEditorState(selectProblems);
  const reached = binds.flatMap((bind) => reachedBy(whole, bind));
  const problem = problemAt(problems, reached);
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
