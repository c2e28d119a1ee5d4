/** Arguments of the screens other than Design: their element, and access to the server. */

import type { Api } from "../api/client";
import type { SweepTrials } from "./runs/trials";

/** Screens that Python can request; Design is the editor itself, not one of them. */
export type ScreenName = "run" | "runs" | "replay";

export interface ScreenProps {
  readonly screen: ScreenName;
  readonly api: Api;
  readonly root: HTMLElement;
  /** Run to show, on the screen of one run. */
  readonly runId: string | null;
  /** End of the run for which the page was drawn; null while it is running. */
  readonly ended: number | null;
  /** Sweep whose trials the list of runs shows; null for all runs. */
  readonly trials: SweepTrials | null;
  /** Send the user's choice to Python. */
  readonly send: (name: string, value: unknown) => void;
}
