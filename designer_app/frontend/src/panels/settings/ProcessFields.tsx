/** Cores, GPU share and environment variables of a node's processes; collapsed if none is set. */

import { type ReactElement, useState } from "react";

import type { ComputeTarget, RunSettings } from "../../graph/types";
import { useEditor } from "../../view/context";
import { Fold } from "./Fold";
import { NumberField } from "./NumberField";
import type { SettingsProps } from "./settingsProps";
import { VariableRows } from "./VariableRows";
import { t } from "../../graph/translate";

const MOST_STEPS_PER_GPU = 16;

interface Props extends SettingsProps {
  readonly target: ComputeTarget | undefined;
}

export function ProcessFields({ settings, errorOf, change, target }: Props): ReactElement {
  const editor = useEditor();
  const { cores_per_process: cores, steps_per_gpu: steps, variables = {} } = settings;
  const error = errorOf("cores_per_process") ?? errorOf("steps_per_gpu") ?? errorOf("variables");
  const canShare = target !== undefined && sharesGpus(target, settings);
  const [open, setOpen] = useState(error !== undefined);
  return (
    <Fold
      title={canShare ? t("CPU, GPU and variables") : t("CPU and environment variables")}
      note={noteOf(settings)}
      testId="fold-processes"
      isOpen={open}
      onToggle={() => setOpen(!open)}
    >
      <NumberField
        label={t("Cores per process")}
        unit={t("0: share all evenly")}
        testId="setting-cores"
        value={cores ?? 0}
        minimum={0}
        maximum={10_000}
        error={errorOf("cores_per_process")}
        onChange={(value) => change({ cores_per_process: value || null }, t("cores per process"))}
      />
      {(canShare || steps) && (
        <NumberField
          label={t("Steps per GPU")}
          unit={
            canShare || !target
              ? t("0: automatic")
              : t("no effect on {target}", { target: target.name })
          }
          testId="setting-steps-per-gpu"
          value={steps ?? 0}
          minimum={0}
          maximum={MOST_STEPS_PER_GPU}
          error={errorOf("steps_per_gpu")}
          onChange={(value) => change({ steps_per_gpu: value || null }, t("steps per GPU"))}
        />
      )}
      <VariableRows
        variables={variables}
        error={errorOf("variables")}
        onChange={(value) => change({ variables: value }, t("environment variables"))}
        onDone={() => editor.endTyping()}
      />
    </Fold>
  );
}

/** Return true if steps can share GPUs there: Ray divides single ones only. */
function sharesGpus({ kind, gpus, processes_per_node }: ComputeTarget, run: RunSettings): boolean {
  if (kind === "ray") return gpus > 0 && run.process_count_per_node * gpus === processes_per_node;
  return kind === "local" && gpus > 0;
}

/** "2 cores, 2 steps per GPU, 3 variables" */
function noteOf(settings: RunSettings): string | undefined {
  const { cores_per_process: cores, steps_per_gpu: steps, variables = {} } = settings;
  const count = Object.keys(variables).length;
  const said = [
    ...(cores ? [t("{count} {count:core|cores}", { count: cores })] : []),
    ...(steps ? [t("{count} {count:step|steps} per GPU", { count: steps })] : []),
    ...(count ? [t("{count} {count:variable|variables}", { count })] : []),
  ];
  return said.join(", ") || undefined;
}
