/** The styles of what opens on demand; see panels/lazyPanels.ts. */

import dialogs from "./dialogs.css?inline";
import failures from "./failures.css?inline";
import logs from "./logs.css?inline";

export const lazyStyles = [logs, dialogs, failures].join("\n");
