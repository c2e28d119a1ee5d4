/** Lanes of a step's ranks under its bar: machine, progress, speed. */

import type { ReactElement } from "react";

import { hostsOf } from "../../graph/phases";
import { hasSucceeded, lanesIn, shownRanks, slowestOf } from "../../graph/runState";
import type { PipelineNode, StepState } from "../../graph/types";
import { formatRate } from "../../view/format";
import { t } from "../../graph/translate";

const MAX_LANES = 16;

interface Props {
  readonly node: PipelineNode;
  readonly step: StepState;
  /** Left edge and width of the step's bar, in per cent. */
  readonly left: number;
  readonly width: number;
}

export function RankLanes({ node, step, left, width }: Props): ReactElement | null {
  const { node_count: nodes, process_count_per_node: processes } = node.run_settings;
  const lanes = lanesIn(step, nodes * processes);
  if (lanes.length < 2 || step.status === "reused" || step.status === "skipped") return null;
  const slowest = slowestOf(lanes);
  const hosts = hostsOf(step);
  const simulated = (rank: number): string | undefined =>
    nodes > 1 ? t("machine {floor}", { floor: 1 + Math.floor(rank / processes) }) : undefined;
  return (
    <ul className="pd-rank-lanes" aria-label={t("Ranks")} data-testid={`ranks-${node.id}`}>
      {shownRanks(lanes.length, MAX_LANES, slowest).map((rank) => {
        const lane = lanes[rank];
        const share = hasSucceeded(step) ? 1 : lane && lane.total > 0 ? lane.done / lane.total : 0;
        const rate = lane?.own_images_per_second;
        return (
          <li className="pd-gantt" key={rank} data-slowest={rank === slowest || undefined}>
            <span>{nameOf(rank, hosts[Math.floor(rank / processes)] ?? simulated(rank))}</span>
            <span className="pd-gantt-track">
              <i style={{ left: `${left}%`, width: `${width * Math.min(1, share)}%` }} />
            </span>
            <span title={rank === slowest ? t("The other ranks wait for it.") : undefined}>
              {rate ? formatRate(rate, "images") : ""}
              {rank === slowest && " slowest"}
            </span>
          </li>
        );
      })}
      {lanes.length > MAX_LANES && (
        <li className="pd-gantt">
          <span>
            {t("+ {count:,} more {count:rank|ranks}", { count: lanes.length - MAX_LANES })}
          </span>
        </li>
      )}
    </ul>
  );
}

function nameOf(rank: number, host: string | undefined): string {
  return host === undefined ? t("rank {rank}", { rank }) : t("{host}, rank {rank}", { host, rank });
}
