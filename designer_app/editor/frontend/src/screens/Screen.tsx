/** The screens of runs, loaded when Python asks for one. */

import type { ReactElement } from "react";

import { RunScreen } from "./run/RunScreen";
import { RunsScreen } from "./runs/RunsScreen";
import { addScreenStyles } from "./styleSheet";
import type { ScreenProps } from "./types";

export function drawScreen(props: ScreenProps): ReactElement {
  addScreenStyles(props.root);
  if (props.screen === "run" && props.runId) {
    return <RunScreen key={props.runId} {...props} runId={props.runId} />;
  }
  return <RunsScreen {...props} />;
}
