/** Bottom pane: problems, outline, timeline of the run, forecast. Collapses to its tabs. */

import { ChevronDown, ChevronUp } from "lucide-react";
import { type ReactElement, type RefObject, useEffect, useRef } from "react";

import { IconButton } from "../../ui/buttons";
import { useEditor, useEditorState, useView, useViewState } from "../../view/context";
import { showDock } from "../../view/dock";
import { PaneResizer } from "../../ui/PaneResizer";
import { type Tab, Tabs } from "../../ui/Tabs";
import { useReturnFocus } from "../../ui/useReturnFocus";
import {
  type DockTab,
  selectDockTab,
  selectTimelineOpen,
  type ViewState,
} from "../../view/viewStore";
import { selectIsEmpty, selectPane, selectProblems } from "../../store/selectors";
import { ForecastPanel } from "./ForecastPanel";
import { Outline } from "./Outline";
import { Problems } from "./Problems";
import { Timeline } from "./Timeline";
import { t } from "../../graph/translate";

const selectForecastOpen = ({ forecastOpen }: ViewState): boolean => forecastOpen;

export function Dock(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const open = useOpenTab();
  const last = useViewState(selectDockTab);
  const empty = useEditorState(selectIsEmpty); // it has its own first steps
  const numProblems = useEditorState(selectProblems).length;
  const problems = empty ? 0 : numProblems;
  const pane = useReturnFocus();
  const panel = useTakenAlong(open);
  const tabs: readonly Tab<DockTab>[] = [
    {
      id: "problems",
      label: problems > 0 ? t("Problems {problems}", { problems }) : t("Problems"),
      testId: "tab-problems",
    },
    { id: "outline", label: t("Outline"), testId: "tab-outline" },
    { id: "timeline", label: t("Timeline"), testId: "tab-timeline" },
    { id: "forecast", label: t("Forecast"), testId: "tab-forecast" },
  ];
  return (
    <section
      ref={pane}
      data-region
      className="pd-dock"
      aria-label={t("Problems, outline, timeline and forecast")}
      data-open={open !== null}
    >
      {open && <PaneResizer pane="dock" label={t("Problems, outline, timeline and forecast")} />}
      <div className="pd-dock-head">
        <Tabs
          label={t("Bottom pane")}
          tabs={tabs}
          selected={open}
          panelId="pd-dock-panel"
          onSelect={(id) => showDock(editor, view, id === open ? null : id)}
        />
        <IconButton
          icon={open ? ChevronDown : ChevronUp}
          label={open ? t("Collapse pane") : t("Expand pane")}
          aria-expanded={open !== null}
          onClick={() => showDock(editor, view, open ? null : last)}
        />
      </div>
      {open && (
        <div
          ref={panel}
          className="pd-dock-body pd-scroll"
          id="pd-dock-panel"
          role="tabpanel"
          aria-label={open}
          tabIndex={0}
        >
          {open === "problems" && <Problems />}
          {open === "outline" && <Outline />}
          {open === "timeline" && <Timeline />}
          {open === "forecast" && <ForecastPanel />}
        </div>
      )}
    </section>
  );
}

/** Move the focus from the canvas to a tab opened by a key: Tab on the canvas adds a module. */
function useTakenAlong(open: DockTab | null): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const focused = (panel.current?.getRootNode() as ShadowRoot | undefined)?.activeElement;
    if (focused?.closest(".pd-canvas")) panel.current?.focus({ preventScroll: true });
  }, [open]);
  return panel;
}

/** Return the open tab: opening one by a command closes the others. */
function useOpenTab(): DockTab | null {
  const editor = useEditor();
  const view = useView();
  const problems = useEditorState(selectPane("problems"));
  const outline = useEditorState(selectPane("outline"));
  const timeline = useViewState(selectTimelineOpen);
  const forecast = useViewState(selectForecastOpen);
  useEffect(
    () =>
      editor.store.subscribe(({ panes }, before) => {
        if (panes.problems && !before.panes.problems) showDock(editor, view, "problems");
        else if (panes.outline && !before.panes.outline) showDock(editor, view, "outline");
      }),
    [editor, view],
  );
  if (problems) return "problems";
  if (outline) return "outline";
  if (timeline) return "timeline";
  return forecast ? "forecast" : null;
}
