/** Launcher of a module that starts its own processes, and the number of processes. */

import { type ReactElement, useId } from "react";

import { type Launcher, launcherOf, LAUNCHERS, processesInWords } from "../../graph/launchers";
import { NumberField } from "./NumberField";
import type { SettingsProps } from "./settingsProps";
import { t } from "../../graph/translate";

export function LauncherField({ settings, errorOf, change }: SettingsProps): ReactElement {
  const id = useId();
  const chosen = LAUNCHERS.find((launcher) => launcher.id === launcherOf(settings));
  const error = errorOf("launcher");
  return (
    <div className="pd-field" data-wide="true">
      <span className="pd-field-label">
        <label htmlFor={id}>{t("Launcher")}</label>
      </span>
      <select
        id={id}
        className="pd-input"
        data-testid="setting-launcher"
        value={launcherOf(settings)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => change(launchedBy(event.target.value as Launcher), "launcher")}
      >
        {LAUNCHERS.map((launcher) => (
          <option key={launcher.id} value={launcher.id}>
            {launcher.title}
          </option>
        ))}
      </select>
      <p className="pd-field-help" id={`${id}-help`}>
        {chosen?.help}
      </p>
      {error !== undefined && <p className="pd-error-text">{error}</p>}
    </div>
  );
}

/** Only TensorFlow has parameter servers. */
function launchedBy(launcher: Launcher): Parameters<SettingsProps["change"]>[0] {
  return launcher === "tensorflow" ? { launcher } : { launcher, parameter_server_count: 0 };
}

export function ParameterServerField({ settings, errorOf, change }: SettingsProps): ReactElement {
  return (
    <NumberField
      label={t("Parameter servers")}
      unit={t("0: none")}
      testId="setting-parameter-servers"
      value={settings.parameter_server_count ?? 0}
      minimum={0}
      maximum={10_000}
      error={errorOf("parameter_server_count")}
      onChange={(value) => change({ parameter_server_count: value }, t("parameter servers"))}
    />
  );
}

/** "2 nodes x 4 processes = 8 in total". */
export function ProcessTotal({ settings }: Pick<SettingsProps, "settings">): ReactElement {
  return (
    <p className="pd-box" data-testid="process-total" aria-live="polite">
      {processesInWords(settings)}
    </p>
  );
}
