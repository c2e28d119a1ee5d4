/** Estimate of one trial of a sweep, from that of a run with the values on the canvas. */

import type { NodeForecast, RunForecast } from "../api/types.gen";
import { outermost } from "../graph/paths";
import { nodesOfTrials } from "../graph/sweep";
import type { PipelineDocument } from "../graph/types";
import type { SweepSettings } from "../graph/types.gen";

/**
 * Return the forecast of a trial: a trial has other values, so that the varied nodes and those
 * after them run even if the outputs for the current values exist. Their times are the last ones.
 */
export function trialForecast(
  forecast: RunForecast,
  document: PipelineDocument,
  sweep: SweepSettings,
): RunForecast {
  const run = nodesOfTrials(document, sweep);
  const isRepeated = (node: NodeForecast): boolean => node.reused && run.has(outermost(node.node));
  const repeated = forecast.nodes.filter(isRepeated);
  if (repeated.length === 0) return forecast;
  const seconds = repeated.reduce((sum, { last }) => sum + (last?.seconds ?? 0), 0);
  const { totals, other_work: otherWork } = forecast;
  const [least, most] = totals.range_seconds;
  return {
    nodes: forecast.nodes.map((node) =>
      isRepeated(node) ? { ...node, reused: false, seconds: node.last?.seconds ?? null } : node,
    ),
    totals: {
      ...totals,
      seconds: totals.seconds + seconds,
      critical_path_seconds: totals.critical_path_seconds + seconds,
      range_seconds: [least + seconds, most + seconds],
      nodes_reused: totals.nodes_reused - repeated.length,
      nodes_unknown: totals.nodes_unknown + repeated.filter(({ last }) => !last).length,
    },
    // a load was measured for the nodes of the run, not for these
    other_work: { ...otherWork, words: "" },
  };
}

/** False if no node that would run has an estimate: zero seconds would be wrong. */
export function hasEstimate({ nodes, totals }: Pick<RunForecast, "nodes" | "totals">): boolean {
  return totals.nodes_unknown === 0 || nodes.some((node) => !node.reused && node.seconds !== null);
}
