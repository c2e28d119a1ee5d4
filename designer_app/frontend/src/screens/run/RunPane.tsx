/** Pane next to the graph: the selected node, or the whole run. */

import { type ReactElement, useState } from "react";

import { valueOf, visibleParameters, isChanged } from "../../graph/parameters";
import { titleOf } from "../../graph/search";
import { isLineList } from "../../graph/lineLists";
import type { ModuleSpec, ParameterSpec, PipelineNode } from "../../graph/types";
import { NodeCode } from "../../panels/results/NodeCode";
import { NodeDetails } from "../../panels/results/NodeDetails";
import { NodeResult } from "../../panels/results/NodeResult";
import { useEditorState } from "../../view/context";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { type Tab, Tabs } from "../../ui/Tabs";
import { selectCatalog, selectOnlyNode, selectSettings } from "../../store/selectors";
import { RunFacts } from "./RunFacts";
import { t } from "../../graph/translate";

type PaneTab = "result" | "details" | "parameters" | "code";

const TABS: readonly Tab<PaneTab>[] = [
  { id: "result", label: t("Result"), testId: "tab-result" },
  { id: "details", label: t("Details"), testId: "tab-details" },
  { id: "parameters", label: t("Parameters"), testId: "tab-parameters" },
  { id: "code", label: t("Code"), testId: "tab-code" },
];

export function RunPane(): ReactElement {
  const node = useEditorState(selectOnlyNode);
  return (
    <aside data-region className="pd-run-pane" aria-label={t("Details")} data-testid="run-pane">
      {node ? <NodePane node={node} /> : <RunFacts />}
    </aside>
  );
}

function NodePane({ node }: { readonly node: PipelineNode }): ReactElement {
  const catalog = useEditorState(selectCatalog);
  const [tab, setTab] = useState<PaneTab>("result");
  const module = catalog.byId.get(node.module);
  return (
    <>
      <header className="pd-settings-head">
        <div className="pd-pane-head">
          <ModuleIcon module={module} catalog={catalog} />
          <h2>{titleOf(node, catalog)}</h2>
        </div>
      </header>
      <Tabs
        label={t("About this node")}
        tabs={TABS}
        selected={tab}
        panelId="pd-run-node"
        onSelect={setTab}
      />
      <div
        className="pd-settings-body pd-scroll"
        id="pd-run-node"
        role="tabpanel"
        aria-label={tab}
        tabIndex={0}
      >
        {tab === "result" && <NodeResult node={node} />}
        {tab === "details" && <NodeDetails node={node} />}
        {tab === "parameters" && <NodeParameters node={node} module={module} />}
        {tab === "code" && <NodeCode node={node.id} />}
      </div>
    </>
  );
}

interface ParametersProps {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
}

/** All relevant parameters, those that were set first. */
function NodeParameters({ node, module }: ParametersProps): ReactElement {
  const settings = useEditorState(selectSettings);
  if (!module) {
    return <p className="pd-dim">{t("The module of this node is not installed here.")}</p>;
  }
  const shown = visibleParameters(module, node);
  if (shown.length === 0) return <p className="pd-dim">{t("This node has no parameters.")}</p>;
  const set = shown.filter((parameter) => isChanged(parameter, node));
  const rest = shown.filter((parameter) => !set.includes(parameter));
  return (
    <dl className="pd-facts">
      {[...set, ...rest].map((parameter) => (
        <div className="pd-run-parameter" key={parameter.id} data-set={set.includes(parameter)}>
          <dt title={parameter.help ?? undefined}>{parameter.title ?? parameter.id}</dt>
          <dd>{written(valueOf(parameter, node, settings), parameter)}</dd>
        </div>
      ))}
    </dl>
  );
}

function written(value: unknown, { unit, tries }: ParameterSpec): string {
  if (value === null || value === undefined) return t("not set");
  if (tries && isLineList(value)) return value.join(" · ");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return unit ? `${text} ${unit}` : text;
}
