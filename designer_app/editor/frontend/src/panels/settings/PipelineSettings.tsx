/** Pane without a selection: result of the run, and settings of the whole pipeline. */

import { type ReactElement, useId } from "react";

import { setDescription, setSettings } from "../../graph/edits";
import { useEditor, useEditorState } from "../../view/context";
import { formatBytes, formatCost, plural } from "../../view/format";
import { selectDocument, selectTargets } from "../../store/selectors";
import { PipelineParameters } from "./PipelineParameters";
import { RunResult } from "../results/RunResult";

export function PipelineSettings(): ReactElement {
  const editor = useEditor();
  const document = useEditorState(selectDocument);
  const targets = useEditorState(selectTargets);
  const [about, where, seed] = [useId(), useId(), useId()];
  const target = targets.find((target) => target.name === document.settings.target);
  return (
    <>
      <header className="pd-settings-head">
        <div className="pd-pane-head">
          <h2>{document.name || "Pipeline"}</h2>
        </div>
        <p>
          {plural(document.nodes.length, "node")}, {plural(document.links.length, "wire")}. Click a
          node to see its settings.
        </p>
      </header>
      <div className="pd-settings-body pd-scroll">
        <RunResult />
        <div className="pd-field" data-wide>
          <label htmlFor={about}>Description</label>
          <textarea
            id={about}
            className="pd-input"
            rows={5}
            maxLength={20_000}
            placeholder="What is this pipeline for?"
            value={document.description}
            onChange={(event) => {
              const options = { label: "Set description", coalesceKey: "description" };
              editor.dispatch((d) => setDescription(d, event.target.value), options);
            }}
            onBlur={() => editor.endTyping()}
          />
        </div>
        <div className="pd-field">
          <label htmlFor={where}>Compute target</label>
          <select
            id={where}
            className="pd-input"
            data-testid="setting-pipeline-target"
            value={document.settings.target}
            onChange={(event) => {
              const label = "Set compute target";
              editor.dispatch((d) => setSettings(d, { target: event.target.value }), { label });
            }}
          >
            {!target && (
              <option value={document.settings.target}>
                {document.settings.target} (not found)
              </option>
            )}
            {targets.map((target) => (
              <option key={target.name} value={target.name}>
                {target.name}
              </option>
            ))}
          </select>
        </div>
        <div className="pd-field">
          <span className="pd-field-label">
            <label htmlFor={seed}>Random seed</label>
          </span>
          <input
            id={seed}
            className="pd-input"
            inputMode="numeric"
            data-testid="setting-pipeline-seed"
            placeholder="set in each node"
            value={document.settings.random_seed ?? ""}
            onChange={(event) => {
              const text = event.target.value.replace(/\D/g, "").slice(0, 10);
              const value = text === "" ? null : Math.min(Number(text), 2 ** 32 - 1);
              const options = { label: "Set random seed", coalesceKey: "random_seed" };
              editor.dispatch((d) => setSettings(d, { random_seed: value }), options);
            }}
            onBlur={() => editor.endTyping()}
          />
        </div>
        <PipelineParameters />
        {target && (
          <div className="pd-box">
            <b>{target.name}</b> offers {plural(target.max_nodes, "machine")} with{" "}
            {target.processes_per_node} {target.processes_per_node === 1 ? "process" : "processes"}{" "}
            each
            {target.gpus > 0 ? `, ${plural(target.gpus, "GPU")}` : ", no GPU"}
            {target.memory_bytes ? `, ${formatBytes(target.memory_bytes)} of memory` : ""}
            {target.price_per_hour === null
              ? ""
              : `, ${formatCost(target.price_per_hour)} per machine and hour`}
            .{target.is_preemptible && " Preemptible machines."}
          </div>
        )}
      </div>
    </>
  );
}
