/** Common settings of all selected nodes, edited together: each change is one undo step. */

import { type ReactElement, useState } from "react";

import { findNode } from "../../graph/lookup";
import type { ParameterGroup } from "../../graph/parameters";
import {
  allInProcesses,
  differingSettings,
  setRunSettingsOfAll,
  sharedParameters,
} from "../../graph/sharedSettings";
import type { PipelineNode, RunSettings } from "../../graph/types";
import {
  selectCatalog,
  selectDocument,
  selectIsReadOnly,
  selectSettings,
  selectTargets,
} from "../../store/selectors";
import { useEditor, useEditorState } from "../../view/context";
import { Fold } from "./Fold";
import { LimitFields } from "./LimitFields";
import { CountFields, RegenerateField, TargetField } from "./RunFields";
import type { SettingsProps } from "./settingsProps";
import { SharedParameter } from "./SharedParameter";
import { useWantedFocus } from "./useWantedFocus";
import { t } from "../../graph/translate";

export function SharedSettings({ ids }: { readonly ids: readonly string[] }): ReactElement {
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const isFrozen = useEditorState(selectIsReadOnly);
  const fields = useWantedFocus();
  const nodes = ids.flatMap((id) => findNode(document, id) ?? []);
  const groups = sharedParameters(document, catalog, nodes);
  return (
    <div ref={fields} inert={isFrozen}>
      {groups.map((group) => (
        <Group key={group.title} group={group} nodes={nodes} />
      ))}
      {groups.length === 0 && (
        <p className="pd-dim">
          {t("These modules have no parameters in common. Select fewer nodes.")}
        </p>
      )}
      <SharedRunSettings nodes={nodes} />
    </div>
  );
}

interface GroupProps {
  readonly group: ParameterGroup;
  readonly nodes: readonly PipelineNode[];
}

function Group({ group, nodes }: GroupProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const fields = group.parameters.map((parameter) => (
    <SharedParameter key={parameter.id} parameter={parameter} nodes={nodes} />
  ));
  const title = group.title || t("Parameters");
  if (!group.folded) {
    return (
      <section aria-label={title}>
        {group.title && <h3 className="pd-heading">{group.title}</h3>}
        {fields}
      </section>
    );
  }
  return (
    <Fold
      title={title}
      testId={`fold-${title.toLowerCase()}`}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      {fields}
    </Fold>
  );
}

function SharedRunSettings({ nodes }: Pick<GroupProps, "nodes">): ReactElement | null {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const targets = useEditorState(selectTargets);
  const settings = useEditorState(selectSettings);
  const [first] = nodes;
  if (!first) return null;
  const ids = nodes.map(({ id }) => id);
  const change = (changes: Partial<RunSettings>, setting: string): void => {
    const label = t("Set {setting} of {count} nodes", { setting, count: ids.length });
    editor.dispatch((document) => setRunSettingsOfAll(document, ids, changes), {
      label,
      coalesceKey: `${ids.join()}.${setting}`,
    });
  };
  const differ = differingSettings(nodes);
  const shared: SettingsProps = {
    settings: first.run_settings,
    errorOf: () => undefined, // the node's own pane shows its problems
    change,
    differ,
  };
  const target =
    differ.target === undefined
      ? targets.find(({ name }) => name === (first.run_settings.target ?? settings.target))
      : undefined;
  return (
    <section className="pd-section" aria-label={t("Run settings")}>
      <h3 className="pd-heading">{t("Run settings")}</h3>
      <TargetField {...shared} inherited={settings.target} targets={targets} />
      {allInProcesses(catalog, nodes) && <CountFields {...shared} target={target} />}
      <RegenerateField {...shared} />
      <LimitFields {...shared} />
    </section>
  );
}
