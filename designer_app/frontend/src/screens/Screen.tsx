/** Screens of runs, loaded when Python requests one. */

import type { ReactElement } from "react";

import type { Api } from "../api/client";
import { prepareRun } from "./run/openRun";
import { RunScreen } from "./run/RunScreen";
import { RunsScreen } from "./runs/RunsScreen";
import { addScreenStyles } from "./styleSheet";
import type { ScreenProps } from "./types";

/** Start loading a run whose screen will be opened soon. */
export function prepareScreen(api: Api, runId: string): void {
  prepareRun(api, runId);
}

export function drawScreen(props: ScreenProps): ReactElement {
  addScreenStyles(props.root);
  if (props.screen === "run" && props.runId) {
    return <RunScreen key={props.runId} {...props} runId={props.runId} />;
  }
  return <RunsScreen {...props} />;
}
