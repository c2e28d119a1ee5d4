/** The styles of what opens on demand; see panels/later.ts. */

import dialogs from "./dialogs.css?inline";
import logs from "./logs.css?inline";

export const laterStyles = [logs, dialogs].join("\n");
