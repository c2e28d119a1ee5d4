/** Before the first run: what to do. */

import { Play } from "lucide-react";
import type { ReactElement } from "react";

import { Button } from "../../ui/buttons";
import type { ScreenProps } from "../types";

export function EmptyHistory({ send }: Pick<ScreenProps, "send">): ReactElement {
  return (
    <div className="pd-runs-none" data-testid="runs-empty">
      <Play size={26} aria-hidden className="pd-dim" />
      <h2>Nothing has run yet</h2>
      <p>
        Open a pipeline or a lesson and press Run. Its run appears here with times, curves, logs and
        outputs, and stays until you delete it.
      </p>
      <Button kind="primary" onClick={() => send("go", { page: "home" })}>
        Choose a pipeline
      </Button>
    </div>
  );
}
