/** First steps before any run. */

import { Play } from "lucide-react";
import type { ReactElement } from "react";

import { Button } from "../../ui/buttons";
import type { ScreenProps } from "../types";

export function EmptyHistory({ send }: Pick<ScreenProps, "send">): ReactElement {
  return (
    <div className="pd-runs-none" data-testid="runs-empty">
      <Play size={26} aria-hidden className="pd-dim" />
      <h2>No runs yet</h2>
      <p>
        Open a pipeline or a lesson and press Run. The run appears here with times, curves, logs and
        outputs.
      </p>
      <Button kind="primary" onClick={() => send("go", { page: "home" })}>
        Open a pipeline
      </Button>
    </div>
  );
}
