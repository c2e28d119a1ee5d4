/** Settings of several nodes: common values, differences, and one edit for all. */

import { runsInProcesses } from "./catalog";
import type { Catalog } from "./catalog";
import { resetParameter, sameValue, setRunSettings } from "./edits";
import { setLeading } from "./followers";
import { groupedParameters, textOf, valueOf, visibleParameters } from "./parameters";
import type { ParameterGroup } from "./parameters";
import { givenBy, isLike } from "./pipelineParameters";
import type {
  JsonValue,
  ModuleSpec,
  ParameterSpec,
  PipelineDocument,
  PipelineNode,
  RunSettings,
  Settings,
} from "./types";
import { t } from "./translate";

/** Texts of the run settings in which nodes differ, by name. */
export type Differing = Readonly<Partial<Record<keyof RunSettings, string>>>;

const MOST = 3;

/** "4, 8": the differing values; undefined if all are equal. */
export function differing(values: readonly (JsonValue | undefined)[]): string | undefined {
  const [first] = values;
  if (values.every((value) => sameValue(value, first))) return undefined;
  const texts = [...new Set(values.map((value) => textOf(value ?? null) || t("none")))];
  const shown = texts.slice(0, MOST).join(", ");
  const rest = texts.length - MOST;
  return rest > 0 ? t("{items} and {count:,} more", { items: shown, count: rest }) : shown;
}

/** Return the parameters that all nodes show and set themselves, by heading. */
export function sharedParameters(
  document: PipelineDocument,
  catalog: Catalog,
  nodes: readonly PipelineNode[],
): readonly ParameterGroup[] {
  const [first] = nodes;
  const module = catalog.byId.get(first?.module ?? "");
  if (!first || !module) return [];
  const isShared = (spec: ParameterSpec): boolean =>
    isSimple(spec) &&
    nodes.every((node) => hasOwn(document, catalog.byId.get(node.module), node, spec));
  return groupedParameters(module, first)
    .map((group) => ({ ...group, parameters: group.parameters.filter(isShared) }))
    .filter((group) => group.parameters.length > 0);
}

/** Return the values of a parameter in the nodes, in their order. */
export function valuesOf(
  spec: ParameterSpec,
  nodes: readonly PipelineNode[],
  catalog: Catalog,
  settings: Settings,
): readonly JsonValue[] {
  return nodes.map((node) => {
    const own = catalog.byId.get(node.module)?.parameters.find(({ id }) => id === spec.id);
    return valueOf(own ?? spec, node, settings);
  });
}

/** Return the run settings in which the nodes differ. */
export function differingSettings(nodes: readonly PipelineNode[]): Differing {
  const names = [...new Set(nodes.flatMap((node) => Object.keys(node.run_settings)))];
  const entries = names.map((name) => {
    const values = nodes.map(
      ({ run_settings: settings }) => settings[name as keyof RunSettings] ?? null,
    );
    return [name, differing(values as readonly JsonValue[])] as const;
  });
  return Object.fromEntries(entries.filter(([, words]) => words !== undefined));
}

/** Return true if node and process counts apply to all nodes. */
export function allInProcesses(catalog: Catalog, nodes: readonly PipelineNode[]): boolean {
  return nodes.every(({ module: id }) => {
    const module = catalog.byId.get(id);
    return !module || runsInProcesses(module);
  });
}

/** Set a parameter of all nodes, and the parameters that follow it. */
export function setParameterOfAll(
  document: PipelineDocument,
  catalog: Catalog,
  ids: readonly string[],
  name: string,
  value: JsonValue,
): PipelineDocument {
  return ids.reduce((changed, id) => setLeading(changed, catalog, id, name, value), document);
}

/** Reset a parameter of all nodes. */
export function resetParameterOfAll(
  document: PipelineDocument,
  ids: readonly string[],
  name: string,
): PipelineDocument {
  return ids.reduce((changed, id) => resetParameter(changed, id, name), document);
}

/** Change some run settings of all nodes. */
export function setRunSettingsOfAll(
  document: PipelineDocument,
  ids: readonly string[],
  settings: Partial<RunSettings>,
): PipelineDocument {
  return ids.reduce((changed, id) => setRunSettings(changed, id, settings), document);
}

/** Return false for programs and lists, which are written for one node. */
function isSimple({ code, runs, items, type }: ParameterSpec): boolean {
  return !code && !runs && !items && type !== "object";
}

/** Return true if the node shows the parameter and no pipeline parameter sets it. */
function hasOwn(
  document: PipelineDocument,
  module: ModuleSpec | undefined,
  node: PipelineNode,
  spec: ParameterSpec,
): boolean {
  const own = module && visibleParameters(module, node).find(({ id }) => id === spec.id);
  return own !== undefined && isLike(own, spec) && !givenBy(document, node.id, spec.id);
}
