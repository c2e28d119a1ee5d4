/** Cores and environment variables of every process of a node; collapsed if neither is set. */

import { type ReactElement, useState } from "react";

import type { RunSettings } from "../../graph/types";
import { useEditor } from "../../view/context";
import { Fold } from "./Fold";
import { NumberField } from "./NumberField";
import type { SettingsProps } from "./settingsProps";
import { VariableRows } from "./VariableRows";
import { t } from "../../graph/translate";

export function ProcessFields({ settings, errorOf, change }: SettingsProps): ReactElement {
  const editor = useEditor();
  const { cores_per_process: cores, variables = {} } = settings;
  const error = errorOf("cores_per_process") ?? errorOf("variables");
  const [open, setOpen] = useState(error !== undefined);
  return (
    <Fold
      title={t("CPU and environment variables")}
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
      <VariableRows
        variables={variables}
        error={errorOf("variables")}
        onChange={(value) => change({ variables: value }, t("environment variables"))}
        onDone={() => editor.endTyping()}
      />
    </Fold>
  );
}

/** "2 cores, 3 variables" */
function noteOf({ cores_per_process: cores, variables = {} }: RunSettings): string | undefined {
  const count = Object.keys(variables).length;
  const said = [
    ...(cores ? [t("{count} {count:core|cores}", { count: cores })] : []),
    ...(count ? [t("{count} {count:variable|variables}", { count })] : []),
  ];
  return said.join(", ") || undefined;
}
