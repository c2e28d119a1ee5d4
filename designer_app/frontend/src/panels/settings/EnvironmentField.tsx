/** Environment (Python and packages) in which the scripts of a node run. */

import { type ReactElement, useCallback, useId } from "react";

import { listEnvironments } from "../../api/environments";
import type { EnvironmentSummary } from "../../api/types.gen";
import { useAnswer } from "../../view/useAnswer";
import { useEditor } from "../../view/context";
import { formatBytes } from "../../view/format";
import type { SettingsProps } from "./settingsProps";
import { t } from "../../graph/translate";

export function EnvironmentField({ settings, errorOf, change }: SettingsProps): ReactElement {
  const id = useId();
  const { value: there, failed } = useEnvironments();
  const chosen = settings.environment ?? "";
  const error = errorOf("environment");
  const references = (there ?? []).map((environment) => environment.reference);
  const names = [...new Set((there ?? []).map((environment) => environment.name))];
  const isKnown = chosen === "" || references.includes(chosen) || names.includes(chosen);
  return (
    <div className="pd-field" data-wide="true">
      <span className="pd-field-label">
        <label htmlFor={id}>{t("Environment")}</label>
      </span>
      <select
        id={id}
        className="pd-input"
        data-testid="setting-environment"
        value={chosen}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => change({ environment: event.target.value || null }, t("environment"))}
      >
        <option value="">{t("designer (default)")}</option>
        {!isKnown && (
          <option value={chosen}>
            {there ? t("{value} (not found)", { value: chosen }) : chosen}
          </option>
        )}
        {names.includes(chosen) && (
          <option value={chosen}>{t("{chosen} (newest version)", { chosen })}</option>
        )}
        {references.map((reference) => (
          <option key={reference} value={reference}>
            {reference}
          </option>
        ))}
      </select>
      <p className="pd-field-help" id={`${id}-help`}>
        {failed ?? aboutOf(there?.find((environment) => isMeant(environment, chosen)))}{" "}
        <a className="pd-link" href="/environments" target="_blank" rel="noreferrer">
          {t("Environments")}
        </a>
      </p>
      {error !== undefined && <p className="pd-error-text">{error}</p>}
    </div>
  );
}

function useEnvironments(): ReturnType<typeof useAnswer<readonly EnvironmentSummary[]>> {
  const editor = useEditor();
  return useAnswer(useCallback(() => listEnvironments(editor.api), [editor]));
}

/** A name alone is its newest version. */
function isMeant(environment: EnvironmentSummary, chosen: string): boolean {
  return environment.reference === chosen || environment.name === chosen;
}

/** "Built, 0.5 MB: lightning, tensorboard." */
function aboutOf(environment: EnvironmentSummary | undefined): string {
  if (!environment) return t("The Python and packages of this designer.");
  const { built, requirements } = environment;
  const state = built
    ? t("Built, {size}", { size: formatBytes(built.own_bytes) })
    : t("Built on first use");
  const [first, second, third, ...others] = requirements;
  const named = [first, second, third].filter(Boolean).join(", ");
  if (!named) return `${state}.`;
  const items =
    others.length > 0
      ? t("{items} and {count:,} more", { items: named, count: others.length })
      : named;
  return `${state}: ${items}.`;
}
