/** State of the view: drags, open tabs, expanded parts; it is not saved with the pipeline. */

import { createStore, type StoreApi } from "zustand/vanilla";

import type { RunForecast, NodeForecast } from "../api/types.gen";
import type { Estimates } from "../graph/runShare";
import type { JsonValue } from "../graph/types";

/** Item that becomes a node where it is dropped. */
export interface Placeable {
  readonly module: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** Item being dragged, in pixels of the window. */
export interface Drag extends Placeable {
  readonly x: number;
  readonly y: number;
}

export type DockTab = "problems" | "outline" | "timeline" | "forecast";
export type SettingsTab = "settings" | "result" | "try" | "details" | "logs" | "code";
export type Drawer = "revisions" | null;

export interface Menu {
  /** Pixels of the window. */
  readonly x: number;
  readonly y: number;
  readonly on: "canvas" | "node" | "link" | "note" | "group" | "more";
}

export interface ViewState {
  readonly drag: Drag | null;
  readonly menu: Menu | null;
  /** Tab to show when the dock is opened. */
  readonly dockTab: DockTab;
  readonly timelineOpen: boolean;
  readonly forecastOpen: boolean;
  readonly settingsTab: SettingsTab;
  /** Tab that a node's pane displays: the chosen one, or the result of a node without settings. */
  readonly shownTab: { readonly node: string; readonly tab: SettingsTab } | null;
  /** Image that was dropped on a node, for its tab Try. */
  readonly triedFile: { readonly node: string; readonly file: File } | null;
  /** Field to focus as soon as it is shown. */
  readonly wantedParameter: string | null;
  /** True if the settings pane should take the focus. */
  readonly wantsSettings: boolean;
  /** Nodes whose error card was closed, with the run that it belongs to. */
  readonly closedFaults: ReadonlySet<string>;
  /** True for a replay, which cannot be resumed. */
  readonly recorded: boolean;
  readonly drawer: Drawer;
  readonly tourStep: number | null;
  /** Forecast of a run by node; removed as soon as the pipeline changes. */
  readonly forecast: Readonly<Record<string, NodeForecast>> | null;
  /** Last forecast, also after the pipeline has changed. */
  readonly lastForecast: RunForecast | null;
  /** Times of the last forecast that was requested, for the progress of a run. */
  readonly estimates: Estimates;
  /** Nodes of that forecast that run one after the other, as each uses all cores. */
  readonly takeTurns: ReadonlySet<string>;
  /** Text announced to screen readers. */
  readonly spoken: string;
  /** Reason why a wire was refused, and the place to show it. */
  readonly refusal: Refusal | null;
}

export interface Refusal {
  readonly message: string;
  readonly bridge: string | null;
  readonly from: { readonly node: string; readonly port: string };
  readonly to: { readonly node: string; readonly port: string };
  /** Pixels of the window. */
  readonly x: number;
  readonly y: number;
}

/** Accept a dropped item; false if it is not on the canvas. */
type Drop = (drag: Drag) => boolean;

export interface View extends StoreApi<ViewState> {
  /** Register the canvas for drops; returns a function that unregisters it. */
  readonly onDrop: (drop: Drop) => () => void;
  readonly drop: Drop;
}

export function createView(): View {
  const store = createStore<ViewState>(() => ({
    drag: null,
    menu: null,
    dockTab: "problems",
    timelineOpen: false,
    forecastOpen: false,
    settingsTab: "settings",
    shownTab: null,
    triedFile: null,
    wantedParameter: null,
    wantsSettings: false,
    closedFaults: new Set(),
    recorded: false,
    drawer: null,
    tourStep: null,
    forecast: null,
    lastForecast: null,
    estimates: {},
    takeTurns: new Set(),
    spoken: "",
    refusal: null,
  }));
  let taker: Drop | null = null;
  return Object.assign(store, {
    onDrop: (drop: Drop) => {
      taker = drop;
      return () => {
        taker = null;
      };
    },
    drop: (drag: Drag) => taker?.(drag) ?? false,
  });
}

/** Return the estimated seconds by node, where known, and which nodes run one after the other. */
export function estimatesIn({ nodes }: RunForecast): Pick<ViewState, "estimates" | "takeTurns"> {
  const estimates = Object.fromEntries(
    nodes.flatMap(({ node, reused, seconds }) => {
      if (reused) return [[node, 0]];
      return seconds === null ? [] : [[node, seconds]];
    }),
  );
  const turns = nodes.filter((node) => node.takes_turns);
  return { estimates, takeTurns: new Set(turns.map(({ node }) => node)) };
}

/** Announce a sentence to screen readers, also if it is the same as before. */
export function speak(view: View, sentence: string): void {
  const again = view.getState().spoken === sentence;
  view.setState({ spoken: again ? `${sentence}\u00a0` : sentence });
}

export const selectDrag = (state: ViewState): Drag | null => state.drag;
export const selectMenu = (state: ViewState): Menu | null => state.menu;
export const selectDockTab = (state: ViewState): DockTab => state.dockTab;
export const selectTimelineOpen = (state: ViewState): boolean => state.timelineOpen;
export const selectSettingsTab = (state: ViewState): SettingsTab => state.settingsTab;
export const selectTriedFile = (state: ViewState): ViewState["triedFile"] => state.triedFile;
export const selectWantedParameter = (state: ViewState): string | null => state.wantedParameter;
export const selectWantsSettings = (state: ViewState): boolean => state.wantsSettings;
export const selectDrawer = (state: ViewState): Drawer => state.drawer;
export const selectTourStep = (state: ViewState): number | null => state.tourStep;
export const selectForecastOf =
  (node: string) =>
  (state: ViewState): NodeForecast | undefined =>
    state.forecast?.[node];
export const selectEstimates = (state: ViewState): Estimates => state.estimates;
export const selectTakeTurns = (state: ViewState): ReadonlySet<string> => state.takeTurns;
export const selectSpoken = (state: ViewState): string => state.spoken;
export const selectRefusal = (state: ViewState): Refusal | null => state.refusal;
