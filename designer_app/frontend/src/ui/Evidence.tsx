/** Evidence of an error, as a small table. */

import type { ReactElement } from "react";

import { echoesOf, type Evidence as Table, evidenceOf } from "../graph/evidence";
import type { Problem } from "../graph/types";
import { formatCount } from "../view/format";
import { t } from "../graph/translate";

export function Evidence({ problem }: { readonly problem: Problem }): ReactElement | null {
  return <EvidenceTable evidence={evidenceOf(problem)} open testId="evidence" />;
}

/** One line for the ranks with secondary errors, which can be expanded. */
export function Echoes({ problem }: { readonly problem: Problem }): ReactElement | null {
  return <EvidenceTable evidence={echoesOf(problem)} open={false} testId="echoes" />;
}

interface TableProps {
  readonly evidence: Table | undefined;
  readonly open: boolean;
  readonly testId: string;
}

function EvidenceTable({ evidence, open, testId }: TableProps): ReactElement | null {
  if (!evidence) return null;
  const rest = evidence.total - evidence.rows.length;
  return (
    <details className="pd-evidence" open={open} data-testid={testId}>
      <summary>{evidence.title}</summary>
      <dl className="pd-scroll">
        {evidence.rows.map(([name, value], place) => (
          <Row key={place} name={name} value={value} />
        ))}
      </dl>
      {rest > 0 && <small>{t("and {count} more", { count: formatCount(rest) })}</small>}
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
