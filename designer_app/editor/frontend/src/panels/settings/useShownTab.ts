/** Which tab of a node is shown: the one chosen last, but not an empty one beside a result. */

import { useState } from "react";

import type { ModuleSpec } from "../../graph/types";
import { selectStep } from "../../store/selectors";
import { useEditorState, useView, useViewState } from "../../view/context";
import { type SettingsTab, selectSettingsTab, selectWantsSettings } from "../../view/viewStore";

const HAS_RESULT: ReadonlySet<string> = new Set(["completed", "reused"]);

/** A node without parameters that has a result begins with that, until a tab is chosen. */
export function useShownTab(
  node: string,
  module: ModuleSpec | undefined,
): readonly [SettingsTab, (tab: SettingsTab) => void] {
  const view = useView();
  const tab = useViewState(selectSettingsTab);
  const wanted = useViewState(selectWantsSettings);
  const status = useEditorState(selectStep(node))?.status ?? "";
  const [chosen, setChosen] = useState(wanted);
  const isEmpty = tab === "settings" && module?.parameters.length === 0;
  const choose = (next: SettingsTab): void => {
    setChosen(true);
    view.setState({ settingsTab: next });
  };
  return [isEmpty && !chosen && HAS_RESULT.has(status) ? "result" : tab, choose];
}
