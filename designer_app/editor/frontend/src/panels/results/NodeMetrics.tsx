/** The curves of a node, live while it runs. */

import type { ReactElement } from "react";

import { LineChart } from "./LineChart";
import { useCurves } from "./useCurves";

/** What one looks for first. */
const FIRST = ["Train loss", "Valid loss", "Top-1 validation accuracy"];

export function NodeMetrics({ node }: { readonly node: string }): ReactElement {
  const metrics = useCurves(node);
  const names = Object.keys(metrics).sort((one, other) => rank(one) - rank(other));
  if (names.length === 0) {
    return (
      <p className="pd-dim">
        No metrics yet. A training draws its curves here, one point an epoch, while it runs.
      </p>
    );
  }
  return (
    <>
      {names.map((name) => (
        <LineChart key={name} title={name} points={metrics[name] ?? []} />
      ))}
    </>
  );
}

function rank(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}
