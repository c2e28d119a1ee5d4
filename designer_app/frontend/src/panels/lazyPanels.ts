/** Panels that the first paint does not need: one chunk of the bundle, loaded in parallel. */

export { tidyArrival } from "../commands/arrival";
export { Dialogs } from "./dialogs/Dialogs";
export { Dock } from "./dock/Dock";
export { CatchUp } from "./CatchUp";
export { LessonPane } from "./lesson/LessonPane";
export { ContextMenu } from "./menu/ContextMenu";
export { DragPreview } from "./palette/DragPreview";
export { ModuleCard } from "./palette/ModuleCard";
export { ModuleFailures } from "./palette/ModuleFailures";
export { RunWatch } from "./notices/RunWatch";
export { Toasts } from "./notices/Toasts";
export { SettingsPane } from "./settings/SettingsPane";
export { Tour } from "./tour/Tour";
export { LazyStyles } from "./LazyStyles";
