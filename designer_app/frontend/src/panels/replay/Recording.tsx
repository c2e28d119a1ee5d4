/** Facts before the first node starts: what was recorded, when and where. */

import type { ReactElement } from "react";

import { type Fact, Facts } from "../../ui/Facts";
import { formatBytes, formatMoment, formatSeconds } from "../../view/format";
import { usePlayer } from "./context";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";
import { rich } from "../../ui/richText";

export function Recording(): ReactElement {
  const player = usePlayer();
  const { run, environment, document, logs, headline } = player.recorded;
  const torch = environment.libraries["torch"] ?? "unknown";
  const facts: readonly Fact[] = [
    [t("Status"), statusWords(run.status)],
    ...(headline ? [[headline.label, headline.text] as const] : []),
    [t("Duration"), formatSeconds(player.length)],
    [t("Recorded"), formatMoment(run.created)],
    [t("Experiment"), run.experiment],
    [t("Pipeline"), t("{count:,} {count:node|nodes}", { count: document.nodes.length })],
  ];
  const machine: readonly Fact[] = [
    [
      t("Machine"),
      `${t("{count:,} {count:core|cores}", { count: environment.cores })}, ${formatBytes(environment.memory_bytes)}`,
    ],
    [t("Processor"), environment.processor || environment.platform],
    [t("GPUs"), environment.gpus === 0 ? t("none") : String(environment.gpus)],
    ["Python", environment.python],
    ["torch", torch],
    [t("Logs"), t("{count:,} {count:file|files}", { count: logs.length })],
  ];
  return (
    <>
      <header className="pd-settings-head">
        <h2>{run.name}</h2>
      </header>
      <div className="pd-settings-body pd-scroll pd-recording" tabIndex={0}>
        {document.description && <p>{document.description}</p>}
        <p className="pd-dim">
          {t("A recorded run. It plays without data, GPU or network.")}{" "}
          <span className="pd-with-keys">{t("Press Space to play.")}</span>
        </p>
        <p className="pd-dim">
          {rich("{command} runs it again and compares every output.", {
            command: <code>{"designer replay rerun FILE"}</code>,
          })}
        </p>
        <Facts facts={facts} />
        <details className="pd-more-metrics">
          <summary>{t("Machine and versions")}</summary>
          <Facts facts={machine} />
        </details>
      </div>
    </>
  );
}
