/** Run settings of a node: target, nodes and processes with the target's limits, and retries. */

import type { ReactElement } from "react";

import { runsInProcesses } from "../../graph/catalog";
import { setRunSettings } from "../../graph/edits";
import type { ModuleSpec, PipelineNode, Problem, RunSettings } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { selectSettings, selectTargets } from "../../store/selectors";
import { EnvironmentField } from "./EnvironmentField";
import { LimitFields } from "./LimitFields";
import { LauncherField, ParameterServerField, ProcessTotal } from "./LaunchFields";
import { ProcessFields } from "./ProcessFields";
import { CountFields, RegenerateField, TargetField } from "./RunFields";
import { TrainingArithmetic } from "./TrainingArithmetic";
import { t } from "../../graph/translate";

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
  const target = targets.find((candidate) => candidate.name === (run.target ?? settings.target));
  const change = (changes: Partial<RunSettings>, setting: string): void => {
    const options = {
      label: t("Set {setting}", { setting }),
      coalesceKey: `${node.id}.${setting}`,
    };
    const before = editor.state.whole;
    editor.dispatch((document) => setRunSettings(document, node.id, changes), options);
    if (changes.variables) editor.code.wrote(before, node.id, "variables");
  };
  const errorOf = (name: keyof RunSettings): string | undefined => {
    const problem = problems.find((candidate) => candidate.parameter === name);
    return problem && `${problem.message} ${problem.cure}`;
  };
  const distributed = module ? runsInProcesses(module) : true;
  const shared = { settings: run, errorOf, change };
  const parallel = distributed || run.node_count > 1 || run.process_count_per_node > 1;
  return (
    <section className="pd-section" aria-label={t("Run settings")}>
      <h3 className="pd-heading">{t("Run settings")}</h3>
      <TargetField {...shared} inherited={settings.target} targets={targets} />
      {module?.takes_environment && <EnvironmentField {...shared} />}
      {module?.launches && <LauncherField {...shared} />}
      {parallel && <CountFields {...shared} target={target} />}
      {run.launcher === "tensorflow" && <ParameterServerField {...shared} />}
      {module?.launches && <ProcessTotal settings={run} />}
      <TrainingArithmetic node={node} module={module} />
      <RegenerateField {...shared} />
      <LimitFields {...shared} />
      <ProcessFields {...shared} target={target} />
    </section>
  );
}
