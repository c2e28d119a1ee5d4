/** Fields of the run settings, of one node or of several: target, nodes and processes, regenerate. */

import { type ReactElement, useId } from "react";

import type { ComputeTarget } from "../../graph/types";
import { MIXED, MixedOption } from "./MixedOption";
import { NumberField } from "./NumberField";
import type { SettingsProps } from "./settingsProps";
import { t } from "../../graph/translate";

interface TargetFieldProps extends SettingsProps {
  readonly inherited: string;
  readonly targets: readonly ComputeTarget[];
}

export function TargetField(props: TargetFieldProps): ReactElement {
  const { settings, inherited, targets, differ, change } = props;
  const id = useId();
  const value = settings.target;
  const isKnown = value === null || targets.some((target) => target.name === value);
  return (
    <div className="pd-field">
      <span className="pd-field-label">
        <label htmlFor={id}>{t("Compute target")}</label>
      </span>
      <select
        id={id}
        className="pd-input"
        data-testid="setting-target"
        value={differ?.target === undefined ? (value ?? "") : MIXED}
        onChange={(event) => change({ target: event.target.value || null }, t("compute target"))}
      >
        <MixedOption words={differ?.target} />
        <option value="">{t("{inherited} (pipeline default)", { inherited })}</option>
        {!isKnown && <option value={value}>{t("{value} (not found)", { value })}</option>}
        {targets.map((target) => (
          <option key={target.name} value={target.name}>
            {target.name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CountFieldsProps extends SettingsProps {
  /** The node's compute target; undefined if unknown or if nodes differ. */
  readonly target: ComputeTarget | undefined;
}

export function CountFields({
  settings,
  errorOf,
  change,
  differ,
  target,
}: CountFieldsProps): ReactElement {
  return (
    <>
      <NumberField
        label={t("Node count")}
        unit={target && t("max. {count}", { count: target.max_nodes })}
        testId="setting-node-count"
        value={settings.node_count}
        differ={differ?.node_count}
        minimum={1}
        maximum={10_000}
        error={errorOf("node_count")}
        onChange={(value) => change({ node_count: value }, t("node count"))}
      />
      <NumberField
        label={t("Process count per node")}
        unit={target && t("max. {count}", { count: target.processes_per_node })}
        testId="setting-process-count"
        value={settings.process_count_per_node}
        differ={differ?.process_count_per_node}
        minimum={1}
        maximum={10_000}
        error={errorOf("process_count_per_node")}
        onChange={(value) => change({ process_count_per_node: value }, t("process count"))}
      />
    </>
  );
}

export function RegenerateField({ settings, differ, change }: SettingsProps): ReactElement {
  const id = useId();
  const isMixed = differ?.regenerate_output !== undefined;
  return (
    <div className="pd-field" data-kind="boolean">
      <span className="pd-field-label">
        <label htmlFor={id} title={t("Run even if an earlier output could be reused")}>
          {t("Ignore cache")}
        </label>
      </span>
      <span className="pd-field-control">
        {isMixed && <small className="pd-dim">{t("mixed")}</small>}
        <input
          id={id}
          type="checkbox"
          data-testid="setting-regenerate"
          ref={(box) => void (box && (box.indeterminate = isMixed))}
          checked={!isMixed && settings.regenerate_output}
          onChange={(event) =>
            change({ regenerate_output: event.target.checked }, t("ignore cache"))
          }
        />
      </span>
    </div>
  );
}
