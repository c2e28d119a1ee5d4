/** Limits and retries of a step; collapsed, since few set them. */

import { type ReactElement, useState } from "react";

import type { Differing } from "../../graph/sharedSettings";
import type { RunSettings } from "../../graph/types";
import { formatSeconds } from "../../view/format";
import { Fold } from "./Fold";
import { NumberField } from "./NumberField";
import type { SettingsProps } from "./settingsProps";
import { t } from "../../graph/translate";

const MINUTE = 60;
const LIMITS = ["time_limit_minutes", "stall_limit_minutes", "retries"] as const;

export function LimitFields({ settings, errorOf, change, differ }: SettingsProps): ReactElement {
  const errors = {
    time: errorOf("time_limit_minutes"),
    stall: errorOf("stall_limit_minutes"),
    retries: errorOf("retries"),
  };
  const [open, setOpen] = useState(Object.values(errors).some(Boolean));
  return (
    <Fold
      title={t("Limits and retries")}
      note={noteOf(settings, differ)}
      testId="fold-limits"
      isOpen={open}
      onToggle={() => setOpen(!open)}
    >
      <NumberField
        label={t("Time limit")}
        unit={t("minutes, 0: none")}
        testId="setting-time-limit"
        value={settings.time_limit_minutes}
        differ={differ?.time_limit_minutes}
        minimum={0}
        maximum={1_000_000}
        fraction
        error={errors.time}
        onChange={(value) => change({ time_limit_minutes: value }, t("time limit"))}
      />
      <NumberField
        label={t("Stall limit")}
        unit={t("minutes idle, 0: none")}
        testId="setting-stall-limit"
        value={settings.stall_limit_minutes ?? 0}
        differ={differ?.stall_limit_minutes}
        minimum={0}
        maximum={1_000_000}
        fraction
        error={errors.stall}
        onChange={(value) => change({ stall_limit_minutes: value || null }, t("stall limit"))}
      />
      <NumberField
        label={t("Retries")}
        testId="setting-retries"
        value={settings.retries}
        differ={differ?.retries}
        minimum={0}
        maximum={10}
        error={errors.retries}
        onChange={(value) => change({ retries: value }, t("retries"))}
      />
    </Fold>
  );
}

/** "30 min, 2 retries" */
function noteOf(settings: RunSettings, differ: Differing = {}): string | undefined {
  if (LIMITS.some((name) => differ[name] !== undefined)) return t("mixed");
  const { time_limit_minutes: most, stall_limit_minutes: still, retries } = settings;
  const said = [
    ...(most ? [formatSeconds(MINUTE * most)] : []),
    ...(still ? [t("{time} without progress", { time: formatSeconds(MINUTE * still) })] : []),
    ...(retries ? [t("{retries} {retries:retry|retries}", { retries })] : []),
  ];
  return said.join(", ") || undefined;
}
