/** Button that resets a parameter to its default. */

import { RotateCcw } from "lucide-react";
import type { ReactElement } from "react";

import { textOf } from "../../graph/parameters";
import type { ParameterSpec } from "../../graph/types";
import { t } from "../../graph/translate";

interface Props {
  readonly parameter: ParameterSpec;
  readonly title: string;
  readonly onReset: () => void;
}

export function ResetButton({ parameter, title, onReset }: Props): ReactElement {
  return (
    <button
      type="button"
      className="pd-tiny pd-reset"
      aria-label={t("Reset {title}", { title })}
      title={t("Reset to default: {value}", { value: textOf(parameter.default) || "empty" })}
      data-testid={`reset-${parameter.id}`}
      onClick={onReset}
    >
      <RotateCcw size={13} aria-hidden />
    </button>
  );
}
