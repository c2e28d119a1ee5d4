/** The styles of what opens on demand; see panels/lazyPanels.ts. */

import annotations from "./annotations.css?inline";
import dialogs from "./dialogs.css?inline";
import dock from "./dock.css?inline";
import failures from "./failures.css?inline";
import keys from "./keys.css?inline";
import lessons from "./lessons.css?inline";
import logs from "./logs.css?inline";
import previews from "./previews.css?inline";
import results from "./results.css?inline";
import settings from "./settings.css?inline";
import valueFields from "./valueFields.css?inline";
import versions from "./versions.css?inline";
import wires from "./wires.css?inline";

export const lazyStyles = [
  annotations,
  settings,
  valueFields,
  dock,
  logs,
  dialogs,
  keys,
  versions,
  failures,
  results,
  previews,
  lessons,
  wires,
].join("\n");
