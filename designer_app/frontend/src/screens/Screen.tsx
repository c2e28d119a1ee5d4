/** Screens of runs, loaded when Python requests one. */

import type { ReactElement } from "react";

import type { Api } from "../api/client";
import { prepareRun } from "./run/openRun";
import { RunScreen } from "./run/RunScreen";
import { RunsScreen } from "./runs/RunsScreen";
import { addScreenStyles } from "./styleSheet";
import type { ScreenProps } from "./types";

type MountedProps = Omit<ScreenProps, "ended" | "trials">;

/** Start loading a run whose screen will be opened soon. */
export function prepareScreen(api: Api, runId: string): void {
  prepareRun(api, runId);
}

/** `ended` and `trials` are null by default. */
export function drawScreen(data: Partial<ScreenProps> & MountedProps): ReactElement {
  const props: ScreenProps = { ended: null, trials: null, ...data };
  addScreenStyles(props.root);
  if (props.screen === "run" && props.runId) {
    return <RunScreen key={props.runId} {...props} runId={props.runId} />;
  }
  return <RunsScreen {...props} />;
}
