/** What an error was seen by, as a small table. */

import type { ReactElement } from "react";

import { evidenceOf } from "../graph/evidence";
import type { Problem } from "../graph/types";
import { formatCount } from "../view/format";

export function Evidence({ problem }: { readonly problem: Problem }): ReactElement | null {
  const evidence = evidenceOf(problem);
  if (!evidence) return null;
  const rest = evidence.total - evidence.rows.length;
  return (
    <details className="pd-evidence" open data-testid="evidence">
      <summary>{evidence.title}</summary>
      <dl className="pd-scroll">
        {evidence.rows.map(([name, value], place) => (
          <Row key={place} name={name} value={value} />
        ))}
      </dl>
      {rest > 0 && <small>and {formatCount(rest)} more</small>}
    </details>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <>
      <dt title={name}>{name}</dt>
      <dd title={value}>{value}</dd>
    </>
  );
}
