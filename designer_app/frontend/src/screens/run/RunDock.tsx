/** Bottom pane: timeline of the nodes, and logs of the processes. */

import type { ReactElement } from "react";

import { Timeline } from "../../panels/dock/Timeline";
import { type Tab, Tabs } from "../../ui/Tabs";
import { useView, useViewState } from "../../view/context";
import { selectSettingsTab } from "../../view/viewStore";
import { RunLogs } from "./RunLogs";
import { t } from "../../graph/translate";

type DockTab = "timeline" | "logs";

const TABS: readonly Tab<DockTab>[] = [
  { id: "timeline", label: t("Timeline"), testId: "tab-timeline" },
  { id: "logs", label: t("Logs"), testId: "tab-logs" },
];

export function RunDock(): ReactElement {
  const view = useView();
  // the Log button of a failed node's card opens "logs"
  const tab: DockTab = useViewState(selectSettingsTab) === "logs" ? "logs" : "timeline";
  const setTab = (next: DockTab): void =>
    view.setState({ settingsTab: next === "logs" ? "logs" : "settings" });
  return (
    <section className="pd-run-dock" aria-label={t("Timeline and logs")}>
      <div className="pd-dock-head">
        <Tabs
          label={t("Bottom pane")}
          tabs={TABS}
          selected={tab}
          panelId="pd-run-panel"
          onSelect={setTab}
        />
      </div>
      <div
        className="pd-run-dock-body pd-scroll"
        id="pd-run-panel"
        role="tabpanel"
        aria-label={tab}
        tabIndex={0}
      >
        {tab === "timeline" ? <Timeline /> : <RunLogs />}
      </div>
    </section>
  );
}
