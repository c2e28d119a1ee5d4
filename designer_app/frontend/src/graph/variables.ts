/** Environment variables as rows of a form: invalid rows stay in the form. */

import { t } from "./translate";

export interface VariableRow {
  readonly name: string;
  readonly value: string;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export type Variables = Readonly<Record<string, string>>;

export function rowsOf(variables: Variables): readonly VariableRow[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}

/** Return the error in the name of a row, with its fix; undefined if it can be saved. */
export function rowFault(rows: readonly VariableRow[], place: number): string | undefined {
  const name = rows[place]?.name ?? "";
  if (name === "") return undefined;
  if (!NAME.test(name)) return t("Use letters, digits and _; do not start with a digit.");
  if (rows.findIndex((row) => row.name === name) < place)
    return t("{name} is already listed.", { name });
  return undefined;
}

/** Return the rows that have a valid name. */
export function variablesOf(rows: readonly VariableRow[]): Variables {
  const fit = rows.filter(({ name }, place) => name !== "" && rowFault(rows, place) === undefined);
  return Object.fromEntries(fit.map(({ name, value }) => [name, value]));
}
