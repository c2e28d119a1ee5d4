/** Search and filters of the history; in narrow windows the filters are behind a button. */

import { ListFilter, Search, X } from "lucide-react";
import { type ReactElement, useState } from "react";

import { EVERYTHING, type HistoryFilter, pipelineLabels } from "../../api/history";
import type { RunList } from "../../api/types.gen";
import { Button } from "../../ui/buttons";
import { TRIAL_STATES, stateWords } from "./trials";
import { t } from "../../graph/translate";

interface Props {
  readonly filter: HistoryFilter;
  readonly page: RunList;
  /** True if the rows are the trials of a sweep: of one experiment and pipeline. */
  readonly areTrials: boolean;
  readonly onChange: (filter: HistoryFilter) => void;
}

const STATUSES = ["running", "queued", "completed", "failed", "cancelled", "paused"];

export function Filters({ filter, page, areTrials, onChange }: Props): ReactElement {
  const set = (part: Partial<HistoryFilter>): void => onChange({ ...filter, ...part });
  const pipelines = pipelineLabels(page.runs);
  const isOn = Object.values(filter).some((value) => value !== "");
  const { status, experiment, pipeline, tag } = filter;
  const numOn = [status, experiment, pipeline, tag].filter((value) => value !== "").length;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="pd-runs-filters" role="search">
      <label className="pd-runs-search">
        <Search size={15} aria-hidden />
        <input
          className="pd-input"
          type="search"
          aria-label={areTrials ? t("Search trials") : t("Search runs")}
          data-testid="runs-search"
          placeholder={t("Search name, id, note, tag")}
          value={filter.text}
          onChange={(event) => set({ text: event.target.value })}
        />
      </label>
      <button
        type="button"
        className="pd-button pd-runs-filters-button"
        aria-expanded={isOpen}
        data-testid="runs-filters"
        data-on={numOn > 0 || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ListFilter size={15} aria-hidden />
        {numOn > 0 ? t("Filters ({count})", { count: numOn }) : t("Filters")}
      </button>
      <div className="pd-runs-choices" data-testid="runs-choices" data-open={isOpen}>
        <Choice
          label={t("status")}
          value={filter.status}
          options={areTrials ? TRIAL_STATES : STATUSES}
          wordsOf={stateWords}
          onChoose={(status) => set({ status })}
        />
        {!areTrials && (
          <>
            <Choice
              label={t("experiment")}
              value={filter.experiment}
              options={page.experiments}
              onChoose={(experiment) => set({ experiment })}
            />
            <Choice
              label={t("pipeline")}
              value={filter.pipeline}
              options={[...pipelines.keys()]}
              names={pipelines}
              onChoose={(pipeline) => set({ pipeline })}
            />
          </>
        )}
        <Choice
          label={t("tag")}
          value={filter.tag}
          options={page.tags}
          onChoose={(tag) => set({ tag })}
        />
        {isOn && (
          <Button onClick={() => onChange(EVERYTHING)}>
            <X size={14} aria-hidden /> {t("Clear")}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  /** Labels of the options, if they differ from the options. */
  readonly names?: ReadonlyMap<string, string>;
  readonly wordsOf?: (value: string) => string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, names, wordsOf, onChoose }: ChoiceProps): ReactElement {
  const all = options.includes(value) || value === "" ? options : [value, ...options];
  const choices = all.map((value) => ({
    value: value,
    name: names?.get(value) ?? wordsOf?.(value) ?? value,
  }));
  if (names) choices.sort((one, other) => one.name.localeCompare(other.name));
  return (
    <select
      className="pd-input"
      aria-label={t("Filter by {label}", { label })}
      data-testid={`filter-${label}`}
      data-on={value !== "" || undefined}
      value={value}
      disabled={options.length === 0 && value === ""}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{t("Any {label}", { label })}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.name}
        </option>
      ))}
    </select>
  );
}
