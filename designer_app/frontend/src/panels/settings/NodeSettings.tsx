/** Pane of one node: title, and tabs for its settings, result, details, logs and code. */

import { lazy, type ReactElement, Suspense } from "react";

import { isForeignCode } from "../../graph/problems";
import { titleOf } from "../../graph/search";
import type { PipelineNode } from "../../graph/types";
import { useEditor, useEditorState } from "../../view/context";
import { importWithRetry } from "../../ui/importWithRetry";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { ProblemText } from "../../ui/ProblemText";
import { RemedyButton } from "../../ui/RemedyButton";
import { type Tab, Tabs } from "../../ui/Tabs";
import type { SettingsTab } from "../../view/viewStore";
import {
  selectCatalog,
  selectHasChanged,
  selectProblemsOf,
  selectSettings,
  selectStep,
} from "../../store/selectors";
import { NodeCode } from "../results/NodeCode";
import { NodeDetails } from "../results/NodeDetails";
import { NodeLogs } from "../results/NodeLogs";
import { LogPatterns } from "../results/LogPatterns";
import { NodeResult } from "../results/NodeResult";
import { TryPanel } from "../results/TryPanel";
import { ScriptFiles } from "../results/ScriptFiles";
import { CommentField } from "./CommentField";
import { ParameterFields } from "./ParameterFields";
import { PinBox } from "./PinBox";
import { RunSettingsFields } from "./RunSettingsFields";
import { TransformationPreview } from "./TransformationPreview";
import { useShownTab } from "./useShownTab";
import { useWantedFocus } from "./useWantedFocus";
import { t } from "../../graph/translate";

const OwnTraining = lazy(() => importWithRetry(() => import("./OwnTraining")));

interface Props {
  readonly node: PipelineNode;
}

const TABS: readonly Tab<SettingsTab>[] = [
  { id: "settings", label: t("Settings"), testId: "tab-settings" },
  { id: "result", label: t("Result"), testId: "tab-result" },
  { id: "try", label: t("Try"), testId: "tab-try" },
  { id: "details", label: t("Details"), testId: "tab-details" },
  { id: "code", label: t("Code"), testId: "tab-code" },
  { id: "logs", label: t("Logs"), testId: "tab-logs" }, // last, because it appears when the node runs
];

/** Module whose settings are shown on an image. */
const TRANSFORMATION = "init_image_transformation";

export function NodeSettings({ node }: Props): ReactElement {
  const catalog = useEditorState(selectCatalog);
  const module = catalog.byId.get(node.module);
  const { tab, offered, choose } = useShownTab(node.id, module);
  const tabs = TABS.filter(({ id }) => offered.has(id));
  const title = titleOf(node, catalog);
  const panel = useWantedFocus();
  return (
    <>
      <header className="pd-settings-head">
        <div className="pd-pane-head">
          <ModuleIcon module={module} catalog={catalog} />
          <h2>{title}</h2>
        </div>
        <p>
          {node.title && module ? `${module.title}. ` : ""}
          {module?.summary ??
            t("The module of this node is not installed. Install it, or delete the node.")}
          {module && <About module={module.id} />}
        </p>
      </header>
      <Tabs
        label={t("About this node")}
        tabs={tabs}
        selected={tab}
        onSelect={choose}
        panelId="pd-node-panel"
      />
      <div
        ref={panel}
        className="pd-settings-body pd-scroll"
        id="pd-node-panel"
        role="tabpanel"
        tabIndex={0}
        aria-label={tab}
      >
        {tab === "settings" && <SettingsTabPanel node={node} />}
        {(tab === "result" || tab === "logs") && <LogPatterns node={node} />}
        {tab === "result" && (
          <>
            <NodeResult node={node} />
            <ScriptFiles node={node} />
          </>
        )}
        {tab === "try" && <TryPanel key={node.id} node={node} />}
        {tab === "details" && <NodeDetails node={node} />}
        {tab === "logs" && <NodeLogs node={node.id} />}
        {tab === "code" && <NodeCode node={node.id} />}
      </div>
    </>
  );
}

function SettingsTabPanel({ node }: { readonly node: PipelineNode }): ReactElement {
  const catalog = useEditorState(selectCatalog);
  const settings = useEditorState(selectSettings);
  const problems = useEditorState(selectProblemsOf(node.id));
  const step = useEditorState(selectStep(node.id));
  const changed = useEditorState(selectHasChanged);
  const module = catalog.byId.get(node.module);
  const foreign = problems.find(isForeignCode);
  return (
    <>
      {step?.problem && (
        <div className="pd-box" data-kind="error">
          <ProblemText problem={step.problem} />{" "}
          {!changed && <RemedyButton problem={step.problem} />}
        </div>
      )}
      {foreign && (
        <div className="pd-box" data-kind="warning" data-testid="node-foreign">
          {foreign.message} <RemedyButton problem={foreign} />
        </div>
      )}
      <PinBox node={node} />
      {module?.id === TRANSFORMATION && <TransformationPreview node={node} module={module} />}
      {module?.parameters.some(({ tries }) => tries) && (
        <Suspense>
          <OwnTraining node={node} module={module} />
        </Suspense>
      )}
      {module && <ParameterFields module={module} node={node} settings={settings} />}
      <RunSettingsFields node={node} module={module} problems={problems} />
      <CommentField node={node} />
    </>
  );
}

function About({ module }: { readonly module: string }): ReactElement {
  const editor = useEditor();
  return (
    <>
      {" "}
      <button
        type="button"
        className="pd-link"
        title={t("Description, inputs, outputs and parameters (F1)")}
        data-testid="node-documentation"
        onClick={() => editor.openDialog({ kind: "documentation", module })}
      >
        {t("Documentation")}
      </button>
    </>
  );
}
