/** Styles of panels opened on demand; see panels/lazyPanels.ts. */

import dialogs from "./dialogs.css?inline";
import dock from "./dock.css?inline";
import dragPreview from "./dragPreview.css?inline";
import failures from "./failures.css?inline";
import keys from "./keys.css?inline";
import lessons from "./lessons.css?inline";
import logs from "./logs.css?inline";
import moduleCard from "./moduleCard.css?inline";
import notices from "./notices.css?inline";
import results from "./results.css?inline";
import settings from "./settings.css?inline";
import valueFields from "./valueFields.css?inline";
import versions from "./versions.css?inline";

export const lazyStyles = [
  settings,
  valueFields,
  dock,
  logs,
  dialogs,
  keys,
  versions,
  failures,
  moduleCard,
  notices,
  dragPreview,
  results,
  lessons,
].join("\n");
