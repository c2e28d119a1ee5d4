/** Sizes of the panes and panes collapsed by hand, stored by this browser for every pipeline. */

import { createStore } from "zustand/vanilla";

export type SizedPane = "palette" | "settings" | "dock";

export interface PanePreferences {
  /** Width in pixels; height for the dock. */
  readonly sizes: Readonly<Record<SizedPane, number>>;
  readonly paletteFolded: boolean;
  /** True if the settings do not open when a node is selected. */
  readonly settingsClosed: boolean;
  /** True if the view follows the running node. */
  readonly followsRun: boolean;
}

export interface Limits {
  readonly least: number;
  readonly usual: number;
  readonly most: number;
}

export const LIMITS: Readonly<Record<SizedPane, Limits>> = {
  palette: { least: 180, usual: 232, most: 420 },
  settings: { least: 260, usual: 320, most: 640 },
  dock: { least: 96, usual: 128, most: 480 },
};

const KEY = "pipeline-designer.panes";

export const panePreferences = createStore<PanePreferences>(() => read(stored()));

panePreferences.subscribe((preferences) => {
  try {
    globalThis.localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // storage is forbidden or full: the preferences last until the page is closed
  }
});

export function resizePane(pane: SizedPane, size: number): void {
  const { sizes } = panePreferences.getState();
  panePreferences.setState({ sizes: { ...sizes, [pane]: within(LIMITS[pane], size) } });
}

export const selectPaneSizes = (state: PanePreferences): PanePreferences["sizes"] => state.sizes;
export const selectFollowsRun = (state: PanePreferences): boolean => state.followsRun;

/** Parse stored preferences; invalid values are ignored. */
export function read(text: string | null): PanePreferences {
  const stored = parsed(text);
  const sizes = parsedObject(stored["sizes"]);
  const sizeOf = (pane: SizedPane): number => within(LIMITS[pane], sizes[pane]);
  return {
    sizes: { palette: sizeOf("palette"), settings: sizeOf("settings"), dock: sizeOf("dock") },
    paletteFolded: stored["paletteFolded"] === true,
    settingsClosed: stored["settingsClosed"] === true,
    followsRun: stored["followsRun"] === true,
  };
}

function stored(): string | null {
  try {
    return globalThis.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return parsedObject(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

function parsedObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function within({ least, usual, most }: Limits, size: unknown): number {
  if (typeof size !== "number" || !Number.isFinite(size)) return usual;
  return Math.round(Math.min(most, Math.max(least, size)));
}
