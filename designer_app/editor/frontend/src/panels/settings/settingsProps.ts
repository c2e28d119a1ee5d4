/** What a part of the run settings is drawn from. */

import type { RunSettings } from "../../graph/types";

export interface SettingsProps {
  readonly settings: RunSettings;
  readonly errorOf: (name: keyof RunSettings) => string | undefined;
  /** `what` says the edit's name, and which edits are one. */
  readonly change: (changes: Partial<RunSettings>, what: string) => void;
}
