/** The curves of a node, live while it runs. */

import type { ReactElement } from "react";

import { Facts } from "../../ui/Facts";
import { formatNumber } from "../../view/format";
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
  // One value is a fact, not a curve: speed at the end, or everything of a single epoch.
  const single = names.filter((name) => metrics[name]?.length === 1);
  return (
    <>
      {single.length > 0 && (
        <Facts facts={single.map((name) => [name, written(name, metrics[name]?.[0]?.value)])} />
      )}
      {names
        .filter((name) => !single.includes(name))
        .map((name) => (
          <LineChart key={name} title={name} points={metrics[name] ?? []} />
        ))}
    </>
  );
}

/** Shares of time and of the limit read better in per cent. */
function written(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const isShare = name.startsWith("Time ") || name.startsWith("Share of ");
  return isShare ? `${(100 * value).toFixed(1)} %` : formatNumber(value);
}

function rank(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}
