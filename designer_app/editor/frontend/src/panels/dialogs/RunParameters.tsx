/** The pipeline's parameters before a run: what is set here is set in the pipeline. */

import { type ReactElement, useId } from "react";

import { selectDocument, selectPlace } from "../../store/selectors";
import { useEditorState } from "../../view/context";
import { ParameterValue } from "../settings/ParameterValue";

/** Nothing inside a sub-pipeline: the parameters there are not those of the run. */
export function RunParameters(): ReactElement | null {
  const { parameters = [] } = useEditorState(selectDocument);
  const isInside = useEditorState(selectPlace) !== "";
  const prefix = useId();
  if (isInside || parameters.length === 0) return null;
  return (
    <fieldset data-testid="submit-parameters">
      <legend>Parameters of the pipeline</legend>
      {parameters.map((each) => (
        <div key={each.id} title={each.description}>
          <ParameterValue parameter={each} label="" id={`${prefix}-${each.id}`} />
        </div>
      ))}
    </fieldset>
  );
}
