/** Pane without a selection: result of the run, and settings of the whole pipeline. */

import { type ReactElement, useId } from "react";

import { setDescription, setSettings } from "../../graph/edits";
import type { ComputeTarget } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { formatBytes, formatCost } from "../../view/format";
import { selectDocument, selectTargets } from "../../store/selectors";
import { PipelineParameters } from "./PipelineParameters";
import { RunResult } from "../results/RunResult";
import { t } from "../../graph/translate";
import { rich } from "../../ui/richText";

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
          <h2>{document.name || t("Pipeline")}</h2>
        </div>
        <p>
          {t(
            "{nodes:,} {nodes:node|nodes}, {wires:,} {wires:wire|wires}. Click a node to see its settings.",
            { nodes: document.nodes.length, wires: document.links.length },
          )}
        </p>
      </header>
      <div className="pd-settings-body pd-scroll">
        <RunResult />
        <div className="pd-field" data-wide>
          <label htmlFor={about}>{t("Description")}</label>
          <textarea
            id={about}
            className="pd-input"
            rows={5}
            maxLength={20_000}
            placeholder={t("What is this pipeline for?")}
            value={document.description}
            onChange={(event) => {
              const options = { label: t("Set description"), coalesceKey: "description" };
              editor.dispatch((d) => setDescription(d, event.target.value), options);
            }}
            onBlur={() => editor.endTyping()}
          />
        </div>
        <div className="pd-field">
          <label htmlFor={where}>{t("Compute target")}</label>
          <select
            id={where}
            className="pd-input"
            data-testid="setting-pipeline-target"
            value={document.settings.target}
            onChange={(event) => {
              const label = t("Set compute target");
              editor.dispatch((d) => setSettings(d, { target: event.target.value }), { label });
            }}
          >
            {!target && (
              <option value={document.settings.target}>
                {t("{target} (not found)", { target: document.settings.target })}
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
            <label htmlFor={seed}>{t("Random seed")}</label>
          </span>
          <input
            id={seed}
            className="pd-input"
            inputMode="numeric"
            data-testid="setting-pipeline-seed"
            placeholder={t("set in each node")}
            value={document.settings.random_seed ?? ""}
            onChange={(event) => {
              const text = event.target.value.replace(/\D/g, "").slice(0, 10);
              const value = text === "" ? null : Math.min(Number(text), 2 ** 32 - 1);
              const options = { label: t("Set random seed"), coalesceKey: "random_seed" };
              editor.dispatch((d) => setSettings(d, { random_seed: value }), options);
            }}
            onBlur={() => editor.endTyping()}
          />
        </div>
        <PipelineParameters />
        {target && (
          <div className="pd-box">
            {rich("{target} offers {offer}.", {
              target: <b>{target.name}</b>,
              offer: offerWords(target),
            })}
            {target.is_preemptible && ` ${t("Preemptible machines.")}`}
          </div>
        )}
      </div>
    </>
  );
}

function offerWords(target: ComputeTarget): string {
  const { max_nodes: machines, processes_per_node: processes, gpus } = target;
  return [
    t(
      "{machines:,} {machines:machine|machines} with {processes} {processes:process|processes} each",
      { machines, processes },
    ),
    gpus > 0 ? t("{count:,} {count:GPU|GPUs}", { count: gpus }) : t("no GPU"),
    target.memory_bytes && t("{size} of memory", { size: formatBytes(target.memory_bytes) }),
    target.price_per_hour !== null &&
      t("{cost} per machine and hour", { cost: formatCost(target.price_per_hour) }),
  ]
    .filter(Boolean)
    .join(", ");
}
