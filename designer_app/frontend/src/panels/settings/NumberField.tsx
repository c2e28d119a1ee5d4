/** Number of the run settings: only numbers in range reach the document, others show an error. */

import { type ReactElement, useId, useState } from "react";

import { AMBIGUOUS, numberOf } from "../../graph/parameters";
import { useEditor } from "../../view/context";
import { t } from "../../graph/translate";

interface Props {
  readonly label: string;
  readonly unit?: string | undefined;
  readonly testId: string;
  readonly value: number;
  /** Text for several nodes with different values. */
  readonly differ?: string | undefined;
  readonly minimum: number;
  readonly maximum: number;
  readonly fraction?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (value: number) => void;
}

export function NumberField(props: Props): ReactElement {
  const { label, unit, testId, value, differ, error, onChange } = props;
  const shown = differ === undefined ? String(value) : "";
  const editor = useEditor();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const fault =
    draft === null || (draft === "" && differ !== undefined) ? undefined : faultOf(draft, props);
  const said = fault ?? error;
  return (
    <div className="pd-field">
      <span className="pd-field-label">
        <label htmlFor={id}>{label}</label> {unit && <small>{unit}</small>}
      </span>
      <input
        id={id}
        className="pd-input"
        type="text"
        inputMode="decimal"
        data-testid={testId}
        value={draft ?? shown}
        placeholder={differ && "mixed"}
        title={differ && t("Set to {value}", { value: differ })}
        autoComplete="off"
        aria-invalid={said !== undefined}
        aria-describedby={said === undefined ? undefined : `${id}-error`}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setDraft(event.target.value);
          if (faultOf(event.target.value, props) === undefined) {
            onChange(numberOf(event.target.value, !props.fraction));
          }
        }}
        onBlur={() => {
          setDraft(null);
          editor.endTyping();
        }}
      />
      {said !== undefined && (
        <p className="pd-error-text" id={`${id}-error`}>
          {said}
        </p>
      )}
    </div>
  );
}

function faultOf(text: string, { minimum, maximum, fraction }: Props): string | undefined {
  const number = numberOf(text, !fraction);
  const isWhole = fraction || Number.isInteger(number);
  if (isWhole && number >= minimum && number <= maximum) return undefined;
  if (fraction && AMBIGUOUS.test(text.trim())) return t("Remove the comma.");
  return fraction
    ? t("Enter a number from {minimum} to {maximum:,}.", { minimum, maximum })
    : t("Enter a whole number from {minimum} to {maximum:,}.", { minimum, maximum });
}
