/** Where and how a node runs: target, nodes and processes with what the target offers, and retries. */

import { type ReactElement, useId } from "react";

import { runsInProcesses } from "../../graph/catalog";
import { setRunSettings } from "../../graph/edits";
import type {
  ComputeTarget,
  ModuleSpec,
  PipelineNode,
  Problem,
  RunSettings,
} from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { selectSettings, selectTargets } from "../../store/selectors";
import { EnvironmentField } from "./EnvironmentField";
import { LimitFields } from "./LimitFields";
import { LauncherField, ParameterServerField, ProcessTotal } from "./LaunchFields";
import { NumberField } from "./NumberField";
import { ProcessFields } from "./ProcessFields";
import { TrainingArithmetic } from "./TrainingArithmetic";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly problems: readonly Problem[];
}

export function RunSettingsFields({ node, module, problems }: Props): ReactElement {
  const editor = useEditor();
  const targets = useEditorState(selectTargets);
  const settings = useEditorState(selectSettings);
  const run = node.run_settings;
  const target = targets.find((each) => each.name === (run.target ?? settings.target));
  const change = (changes: Partial<RunSettings>, what: string): void => {
    const options = { label: `Set ${what}`, coalesceKey: `${node.id}.${what}` };
    const before = editor.state.whole;
    editor.dispatch((document) => setRunSettings(document, node.id, changes), options);
    if (changes.variables) editor.code.wrote(before, node.id, "variables");
  };
  const errorOf = (name: keyof RunSettings): string | undefined => {
    const problem = problems.find((each) => each.parameter === name);
    return problem && `${problem.message} ${problem.cure}`;
  };
  const distributed = module ? runsInProcesses(module) : true;
  const shared = { settings: run, errorOf, change };
  const parallel = distributed || run.node_count > 1 || run.process_count_per_node > 1;
  return (
    <section className="pd-section" aria-label="Run settings">
      <h3 className="pd-heading">Run settings</h3>
      <TargetField
        value={run.target}
        inherited={settings.target}
        targets={targets}
        onChange={(value) => change({ target: value }, "compute target")}
      />
      {module?.takes_environment && <EnvironmentField {...shared} />}
      {module?.launches && <LauncherField {...shared} />}
      {parallel && (
        <>
          <NumberField
            label="Node count"
            unit={target && `of ${target.max_nodes}`}
            testId="setting-node-count"
            value={run.node_count}
            minimum={1}
            maximum={10_000}
            error={errorOf("node_count")}
            onChange={(value) => change({ node_count: value }, "node count")}
          />
          <NumberField
            label="Process count per node"
            unit={target && `of ${target.processes_per_node}`}
            testId="setting-process-count"
            value={run.process_count_per_node}
            minimum={1}
            maximum={10_000}
            error={errorOf("process_count_per_node")}
            onChange={(value) => change({ process_count_per_node: value }, "process count")}
          />
        </>
      )}
      {run.launcher === "tensorflow" && <ParameterServerField {...shared} />}
      {module?.launches && <ProcessTotal settings={run} />}
      <TrainingArithmetic node={node} module={module} />
      <RegenerateField
        checked={run.regenerate_output}
        onChange={(value) => change({ regenerate_output: value }, "regenerate output")}
      />
      <LimitFields {...shared} />
      <ProcessFields {...shared} />
    </section>
  );
}

interface TargetFieldProps {
  readonly value: string | null;
  readonly inherited: string;
  readonly targets: readonly ComputeTarget[];
  readonly onChange: (value: string | null) => void;
}

function TargetField({ value, inherited, targets, onChange }: TargetFieldProps): ReactElement {
  const id = useId();
  const isKnown = value === null || targets.some((target) => target.name === value);
  return (
    <div className="pd-field">
      <span className="pd-field-label">
        <label htmlFor={id}>Compute target</label>
      </span>
      <select
        id={id}
        className="pd-input"
        data-testid="setting-target"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
      >
        <option value="">{inherited} (the pipeline’s)</option>
        {!isKnown && <option value={value}>{value} (not there)</option>}
        {targets.map((target) => (
          <option key={target.name} value={target.name}>
            {target.name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface RegenerateProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function RegenerateField({ checked, onChange }: RegenerateProps): ReactElement {
  const id = useId();
  return (
    <div className="pd-field" data-kind="boolean">
      <span className="pd-field-label">
        <label htmlFor={id} title="Run it even where an earlier output could be reused">
          Regenerate output
        </label>
      </span>
      <span className="pd-field-control">
        <input
          id={id}
          type="checkbox"
          data-testid="setting-regenerate"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
      </span>
    </div>
  );
}
