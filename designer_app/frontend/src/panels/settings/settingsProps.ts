/** Props of a part of the run settings. */

import type { Differing } from "../../graph/sharedSettings";
import type { RunSettings } from "../../graph/types";

export interface SettingsProps {
  readonly settings: RunSettings;
  readonly errorOf: (name: keyof RunSettings) => string | undefined;
  /** `setting` is the label of the edit; edits of the same setting are one undo step. */
  readonly change: (changes: Partial<RunSettings>, setting: string) => void;
  /** Settings in which several nodes differ. */
  readonly differ?: Differing;
}
