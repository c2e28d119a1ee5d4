/** First steps before any run. */

import { Play } from "lucide-react";
import type { ReactElement } from "react";

import { Button } from "../../ui/buttons";
import type { ScreenProps } from "../types";
import { t } from "../../graph/translate";

export function EmptyHistory({ send }: Pick<ScreenProps, "send">): ReactElement {
  return (
    <div className="pd-runs-none" data-testid="runs-empty">
      <Play size={26} aria-hidden className="pd-dim" />
      <h2>{t("No runs yet")}</h2>
      <p>
        {t(
          "Open a pipeline or a lesson and press Run. The run appears here with times, curves, logs and outputs.",
        )}
      </p>
      <Button kind="primary" onClick={() => send("go", { page: "home" })}>
        {t("Open a pipeline")}
      </Button>
    </div>
  );
}
