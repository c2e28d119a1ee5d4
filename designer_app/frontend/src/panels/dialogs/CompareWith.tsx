/** Choice of the pipeline to compare with: saved versions, runs, published versions, others. */

import { Network, Package, Play, RotateCcw, type LucideIcon } from "lucide-react";
import { type ReactElement, useCallback } from "react";

import { type Baselines, fetchBaselines } from "../../api/comparing";
import { searchTitles } from "../../graph/search";
import { statusWords } from "../../graph/statusWords";
import { t } from "../../graph/translate";
import { startComparing } from "../../store/comparison";
import type { Baseline } from "../../store/comparisonStore";
import { useEditor } from "../../view/context";
import { formatMoment } from "../../view/format";
import { useAnswer } from "../../view/useAnswer";
import { Finder, type Found } from "../search/Finder";

/** Entries of each kind that are listed before anything is typed. */
const FIRST = 6;

interface Choice extends Baseline {
  readonly title: string;
  readonly detail: string;
  readonly icon: LucideIcon;
}

export default function CompareWith(): ReactElement {
  const editor = useEditor();
  const ask = useCallback(
    () => editor.flush().then(() => fetchBaselines(editor.api, editor.id)),
    [editor],
  );
  const { value, failed } = useAnswer(ask);
  const kinds = value ? choicesIn(value, editor.id) : [];
  const find = (query: string): readonly Found[] => {
    const words = query.trim();
    const shown = words
      ? searchTitles(kinds.flat(), words)
      : kinds.flatMap((choices) => choices.slice(0, FIRST));
    return shown.map(({ reference, title, detail, icon: Icon }) => ({
      id: reference,
      title,
      detail,
      icon: <Icon size={16} aria-hidden />,
    }));
  };
  return (
    <Finder
      label={t("Compare with")}
      placeholder={t("Compare with a version, run or pipeline")}
      testId="compare-with"
      at={null}
      find={find}
      onChoose={(reference) => {
        editor.closeDialog();
        const choice = kinds.flat().find((one) => one.reference === reference);
        if (choice) void startComparing(editor, choice);
      }}
      onClose={() => editor.closeDialog()}
      nothing={nothingText(failed !== null, value !== null && value !== undefined)}
    />
  );
}

function nothingText(isFailed: boolean, isLoaded: boolean): string {
  if (isFailed) return t("The server is not responding. Close this and try again.");
  return isLoaded
    ? t("Nothing to compare with. Save a version, run the pipeline, or use other words.")
    : t("Loading versions, runs and pipelines ...");
}

/** Return the choices by kind: versions, runs, published versions, other pipelines. */
function choicesIn(offered: Baselines, id: string): readonly (readonly Choice[])[] {
  const revisions = offered.revisions.slice(1).map((entry) => {
    const { revision, name, created, num_nodes: count, changes } = entry;
    const label = name
      ? t("version {revision}, {name}", { revision, name })
      : t("version {revision}", { revision });
    return {
      reference: `pipeline:${id}@${revision}`,
      label,
      title: capitalised(label),
      detail: [
        t("Saved {moment}", { moment: formatMoment(created) }),
        t("{count:,} {count:node|nodes}", { count }),
        changes,
      ]
        .filter(Boolean)
        .join(" · "),
      icon: RotateCcw,
    };
  });
  const runs = offered.runs.map((run) => {
    const name = run.name || run.run_id;
    return {
      reference: `run:${run.run_id}`,
      label: t("run “{name}”", { name }),
      title: name,
      detail: [t("Run"), statusWords(run.status), formatMoment(run.created)].join(" · "),
      icon: Play,
    };
  });
  const published = offered.published.flatMap(({ name, versions, description }) =>
    [...versions].reverse().map((version) => ({
      reference: `published:${name}@${version}`,
      label: t("published {name}, version {version}", { name, version }),
      title: t("Published {name}, version {version}", { name, version }),
      detail: description.split("\n", 1)[0] ?? "",
      icon: Package,
    })),
  );
  const pipelines = offered.pipelines
    .filter((pipeline) => pipeline.id !== id)
    .map((pipeline) => ({
      reference: `pipeline:${pipeline.id}`,
      label: pipeline.name || pipeline.id,
      title: pipeline.name || pipeline.id,
      detail: t("Pipeline {id}", { id: pipeline.id }),
      icon: Network,
    }));
  return [revisions, runs, published, pipelines];
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
