/** Trials of a sweep as rows of the table of runs; some have no run. */

import type { Api } from "../../api/client";
import { EVERYTHING, type HistoryFilter, searchRuns } from "../../api/history";
import { fetchSweep } from "../../api/sweeps";
import type { ListedRun, RunColumn, RunList, SweepReport, SweepTrial } from "../../api/types.gen";
import { statusWords } from "../../graph/statusWords";
import { t } from "../../graph/translate";
import type { JsonValue } from "../../graph/types";
import { metricText, metricWords } from "../../view/metricWords";

/** Sweep whose trials are shown, from the page. */
export interface SweepTrials {
  readonly sweep: string;
  /** Titles of the varied parameters, by `NODE.PARAMETER`. */
  readonly titles: Readonly<Record<string, string>>;
  /** Numbers of the trials to show; null for all. */
  readonly numbers: readonly number[] | null;
}

/** Properties of a row that is a trial. */
export interface TrialFacts {
  readonly number: number;
  readonly isBest: boolean;
  /** False for a trial that was not submitted, or whose run was deleted. */
  readonly hasRun: boolean;
  readonly reason: string | null;
  /** Values by the key of their column. */
  readonly values: Readonly<Record<string, JsonValue>>;
}

/** Row of the table: a run or a trial. */
export interface RunItem extends ListedRun {
  readonly trial?: TrialFacts;
}

/** State of a trial, in place of the status of its run. */
export const TRIAL_STATES: readonly SweepTrial["state"][] = [
  "running",
  "planned",
  "paused",
  "interrupted",
  "completed",
  "stopped",
  "failed",
  "cancelled",
];

/** States that only trials have; here, as the first bundle has no use for them. */
const STATE_WORDS: ReadonlyMap<string, string> = new Map([
  ["planned", t("planned")],
  ["interrupted", t("interrupted")],
  ["stopped", t("stopped")],
]);

/** Return the status of a run or the state of a trial in the language of the page. */
export function stateWords(state: string): string {
  return STATE_WORDS.get(state) ?? statusWords(state);
}

/** Largest page of the server. */
const PAGE = 1000;
/** Prefix of the keys of columns of trials. */
const VALUE = "value:";
const SEEDS = `${VALUE}seeds`; // no place: those have a dot

/** Return all trials of a sweep by number, each with the facts of its run. */
export async function fetchTrials(
  api: Api,
  sweep: string,
  columns: readonly string[],
): Promise<RunList & { readonly runs: readonly RunItem[] }> {
  const filter: HistoryFilter = { ...EVERYTHING, sweep };
  const report = await fetchSweep(api, sweep);
  const first = await searchRuns(api, filter, PAGE, columns);
  const runs = [...first.runs];
  while (runs.length < first.total) {
    const page = await searchRuns(api, filter, PAGE, columns, runs.length);
    if (page.runs.length === 0) break; // runs were deleted meanwhile
    runs.push(...page.runs);
  }
  const items = trialItems(report, runs);
  return { ...first, runs: items, total: items.length };
}

/** Return a row for each trial. */
export function trialItems(report: SweepReport, runs: readonly ListedRun[]): readonly RunItem[] {
  const byId = new Map(runs.map((run) => [run.run_id, run]));
  const { objective, parameters = {} } = report.settings;
  return report.trials.map((trial) => {
    const run = trial.run === null ? undefined : byId.get(trial.run);
    const values: Record<string, JsonValue> = {};
    const seeds: string[] = [];
    for (const [place, value] of Object.entries(trial.values)) {
      if (place in parameters) values[columnKey(place)] = value;
      else seeds.push(`${place.slice(place.lastIndexOf(".") + 1)} ${JSON.stringify(value)}`);
    }
    if (seeds.length > 0) values[SEEDS] = seeds.join(", ");
    const metric = objective?.metric ?? "";
    return {
      ...(run ?? withoutRun(report, trial)),
      status: trial.state,
      headline:
        trial.objective === null
          ? null
          : {
              node: objective?.node ?? "",
              metric,
              label: metricWords(metric),
              value: trial.objective,
              text: metricText(metric, trial.objective),
              higher_is_better: objective?.goal === "maximize",
              is_chosen: false,
              details: "",
              outdated_pins: run?.headline?.outdated_pins ?? [],
            },
      trial: {
        number: trial.number,
        isBest: trial.number === report.best,
        hasRun: run !== undefined,
        reason: trial.reason,
        values,
      },
    };
  });
}

/** Return the columns of the varied parameters, and of the seeds of repetitions. */
export function trialColumns({ titles }: SweepTrials, hasSeeds: boolean): readonly RunColumn[] {
  const column = (key: string, label: string): RunColumn => ({
    key,
    kind: "parameter",
    label,
    module: "",
    higher_is_better: null,
  });
  const varied = Object.entries(titles).map(([place, title]) => column(columnKey(place), title));
  return hasSeeds ? [...varied, column(SEEDS, t("Other seeds"))] : varied;
}

/** Return true if one of the trials repeats another with other seeds. */
export function areSeedsVaried(items: readonly RunItem[]): boolean {
  return items.some(({ trial }) => trial?.values[SEEDS] !== undefined);
}

/** Return true for a trial that the page selects and the filters match. */
export function isMatch(
  item: RunItem,
  filter: HistoryFilter,
  numbers: SweepTrials["numbers"],
): boolean {
  const { trial, tags, status } = item;
  if (!trial || (numbers !== null && !numbers.includes(trial.number))) return false;
  if (filter.status !== "" && status !== filter.status) return false;
  if (filter.tag !== "" && !tags.includes(filter.tag)) return false;
  const texts = [item.run_id, item.name, item.note, trial.reason ?? "", ...tags];
  const text = texts.join("\n").toLowerCase();
  return filter.text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Return true for the key of a column of trials: a varied parameter, or the seeds. */
export function isVaried(key: string): boolean {
  return key.startsWith(VALUE);
}

function columnKey(place: string): string {
  return VALUE + place;
}

function withoutRun(report: SweepReport, trial: SweepTrial): ListedRun {
  const { created, finished, number } = trial;
  return {
    run_id: `trial-${number}`,
    name: String(number),
    experiment: "",
    description: "",
    pipeline_id: report.pipeline_id,
    pipeline_name: null,
    pipeline_label: "",
    status: trial.state,
    created,
    started: null,
    finished,
    seconds: null,
    num_nodes: 0,
    num_done: 0,
    note: "",
    tags: [],
    from_run: null,
    headline: null,
    curve: [],
    values: [],
  };
}
