/** Names and values of environment variables, one row each; an invalid row shows its error. */

import { Plus, X } from "lucide-react";
import { type ReactElement, useId, useState } from "react";

import { sameValue } from "../../graph/edits";
import {
  rowFault,
  rowsOf,
  type VariableRow,
  type Variables,
  variablesOf,
} from "../../graph/variables";
import { Button, IconButton } from "../../ui/buttons";
import { t } from "../../graph/translate";

interface Props {
  readonly variables: Variables;
  readonly error: string | undefined;
  readonly onChange: (variables: Variables) => void;
  readonly onDone: () => void;
}

export function VariableRows({ variables, error, onChange, onDone }: Props): ReactElement {
  const id = useId();
  const [rows, setRows] = useDraft(variables);
  const write = (next: readonly VariableRow[]): void => {
    setRows(next);
    const fit = variablesOf(next);
    if (!sameValue(fit, variables)) onChange(fit);
  };
  const change = (place: number, part: Partial<VariableRow>): void =>
    write(rows.map((row, at) => (at === place ? { ...row, ...part } : row)));
  return (
    <div role="group" aria-labelledby={id} data-testid="setting-variables">
      <p className="pd-field-label" id={id}>
        {t("Environment variables")}
      </p>
      {rows.map((row, place) => (
        <Row
          key={place}
          row={row}
          place={place}
          fault={rowFault(rows, place)}
          onChange={(part) => change(place, part)}
          onDone={onDone}
          onRemove={() => write(rows.filter((_, at) => at !== place))}
        />
      ))}
      <Button
        small
        kind="plain"
        data-testid="add-variable"
        onClick={() => setRows([...rows, { name: "", value: "" }])}
      >
        <Plus size={13} aria-hidden /> {t("Add variable")}
      </Button>
      {error && <p className="pd-error-text">{error}</p>}
    </div>
  );
}

/** Rows as typed, until the document changes otherwise. */
function useDraft(
  variables: Variables,
): [readonly VariableRow[], (rows: readonly VariableRow[]) => void] {
  const [draft, setDraft] = useState(() => rowsOf(variables));
  const isCurrent = sameValue(variablesOf(draft), variables);
  return [isCurrent ? draft : rowsOf(variables), setDraft];
}

interface RowProps {
  readonly row: VariableRow;
  readonly place: number;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<VariableRow>) => void;
  readonly onDone: () => void;
  readonly onRemove: () => void;
}

function Row({ row, place, fault, onChange, onDone, onRemove }: RowProps): ReactElement {
  const id = useId();
  return (
    <div className="pd-variable">
      <input
        className="pd-input"
        data-testid={`variable-name-${place}`}
        aria-label={t("Name of variable {place}", { place: place + 1 })}
        placeholder={t("NAME")}
        value={row.name}
        autoFocus={row.name === "" && row.value === ""}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : id}
        onChange={(event) => onChange({ name: event.target.value.trim() })}
        onBlur={onDone}
      />
      <input
        className="pd-input"
        data-testid={`variable-value-${place}`}
        aria-label={t("Value of {name}", {
          name: row.name || t("variable {place}", { place: place + 1 }),
        })}
        placeholder={t("value")}
        value={row.value}
        maxLength={10_000}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ value: event.target.value })}
        onBlur={onDone}
      />
      <IconButton
        icon={X}
        label={t("Remove {name}", {
          name: row.name || t("variable {place}", { place: place + 1 }),
        })}
        data-testid={`remove-variable-${place}`}
        onClick={onRemove}
      />
      {fault && (
        <p className="pd-error-text" id={id}>
          {fault}
        </p>
      )}
    </div>
  );
}
