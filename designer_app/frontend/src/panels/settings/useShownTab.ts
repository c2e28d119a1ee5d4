/** Tabs of a node and the open one: the last one chosen, but not an empty one if there is a
 * result. */

import { useEffect, useState } from "react";

import { isTryable } from "../../graph/tryable";
import type { ModuleSpec, StepState } from "../../graph/types";
import { selectCatalog, selectNode, selectStep } from "../../store/selectors";
import { useEditorState, useView, useViewState } from "../../view/context";
import { type SettingsTab, selectSettingsTab } from "../../view/viewStore";

const HAS_RESULT: ReadonlySet<string> = new Set(["completed", "reused"]);
/** States in which the node did not run, so that it has no log. */
const HAS_NO_LOG: ReadonlySet<string> = new Set(["not started", "queued", "reused", "skipped"]);

interface ShownTab {
  readonly tab: SettingsTab;
  readonly offered: ReadonlySet<SettingsTab>;
  readonly choose: (tab: SettingsTab) => void;
}

/** A node without parameters that has a result starts with the result, until a tab is chosen. */
export function useShownTab(node: string, module: ModuleSpec | undefined): ShownTab {
  const view = useView();
  const kept = useViewState(selectSettingsTab);
  const step = useEditorState(selectStep(node));
  const [chosen, setChosen] = useState(false);
  const catalog = useEditorState(selectCatalog);
  const placed = useEditorState(selectNode(node));
  const offered = offeredTabs(
    module,
    step,
    placed !== undefined && isTryable(placed, catalog, step),
  );
  const tab = offered.has(kept) ? kept : "settings";
  const isEmpty = tab === "settings" && module?.parameters.length === 0;
  const begins = isEmpty && !chosen && HAS_RESULT.has(step?.status ?? "");
  const choose = (next: SettingsTab): void => {
    setChosen(true);
    view.setState({ settingsTab: next });
  };
  const shown = begins ? "result" : tab;
  useEffect(() => view.setState({ shownTab: { node, tab: shown } }), [view, node, shown]);
  return { tab: shown, offered, choose };
}

function offeredTabs(
  module: ModuleSpec | undefined,
  step: StepState | undefined,
  hasModel: boolean,
): ReadonlySet<SettingsTab> {
  return new Set<SettingsTab>([
    "settings",
    "result",
    ...(hasModel ? (["try"] as const) : []),
    "details",
    ...(module ? (["code"] as const) : []),
    ...(step && !HAS_NO_LOG.has(step.status) ? (["logs"] as const) : []),
  ]);
}
