/** What the screens beside Design are given: where they are drawn, and how they reach the server. */

import type { Api } from "../api/client";

/** The screens that Python can ask for; Design is none of them, it is the editor itself. */
export type ScreenName = "run" | "runs" | "replay";

export interface ScreenProps {
  readonly screen: ScreenName;
  readonly api: Api;
  readonly root: HTMLElement;
  /** The run that is shown, where it is one run's screen. */
  readonly runId: string | null;
  /** When it had ended for which the page around was drawn; null while it goes on. */
  readonly ended: number | null;
  /** Tells Python what the user chose. */
  readonly send: (name: string, value: unknown) => void;
}
