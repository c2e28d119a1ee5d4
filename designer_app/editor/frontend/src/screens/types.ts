/** Arguments of the screens other than Design: their element, and access to the server. */

import type { Api } from "../api/client";

/** The screens that Python can ask for; Design is none of them, it is the editor itself. */
export type ScreenName = "run" | "runs" | "replay";

export interface ScreenProps {
  readonly screen: ScreenName;
  readonly api: Api;
  readonly root: HTMLElement;
  /** The run that is shown, where it is one run's screen. */
  readonly runId: string | null;
  /** End of the run for which the page was drawn; null while it is running. */
  readonly ended: number | null;
  /** Send the user's choice to Python. */
  readonly send: (name: string, value: unknown) => void;
}
