/** Facts before the first node starts: what was recorded, when and where. */

import type { ReactElement } from "react";

import { type Fact, Facts } from "../../ui/Facts";
import { formatBytes, formatMoment, formatSeconds, plural } from "../../view/format";
import { usePlayer } from "./context";

export function Recording(): ReactElement {
  const player = usePlayer();
  const { run, environment, document, logs } = player.recorded;
  const torch = environment.libraries["torch"] ?? "unknown";
  const facts: readonly Fact[] = [
    ["Status", run.status],
    ["Duration", formatSeconds(player.length)],
    ["Recorded", formatMoment(run.created)],
    ["Experiment", run.experiment],
    ["Pipeline", plural(document.nodes.length, "node")],
    ["Machine", `${plural(environment.cores, "core")}, ${formatBytes(environment.memory_bytes)}`],
    ["Processor", environment.processor || environment.platform],
    ["GPUs", environment.gpus === 0 ? "none" : String(environment.gpus)],
    ["Python", environment.python],
    ["torch", torch],
    ["Logs", plural(logs.length, "file")],
  ];
  return (
    <>
      <header className="pd-settings-head">
        <h2>{run.name}</h2>
      </header>
      <div className="pd-settings-body pd-scroll pd-recording" tabIndex={0}>
        {document.description && <p>{document.description}</p>}
        <p className="pd-dim">
          A recorded run. It plays without data, GPU or network.{" "}
          <span className="pd-with-keys">Press Space to play.</span>
        </p>
        <p className="pd-dim">
          <code>designer replay rerun FILE</code> runs it again and compares every output.
        </p>
        <Facts facts={facts} />
      </div>
    </>
  );
}
