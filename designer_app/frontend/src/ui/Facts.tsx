/** Names and values, in two columns. */

import type { ReactElement, ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactElement {
  return (
    <dl className="pd-facts">
      {facts.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

interface RowProps {
  readonly name: string;
  readonly value: ReactNode;
}

function FactRow({ name, value }: RowProps): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
