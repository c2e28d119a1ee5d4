/** Stale results of a run, and the reasons. */

import type { Catalog } from "./catalog";
import { definitionOf } from "./definitions";
import { sourceOf } from "./disabledNodes";
import { sameValue } from "./edits";
import { endKey, findNode, linkAt, nodesById } from "./lookup";
import { textOf, valueOf } from "./parameters";
import { type Pin, pinOf } from "./pins";
import { titleOf } from "./search";
import { order } from "./traversal";
import type { Definition, Endpoint, ModuleSpec, PipelineDocument, PipelineNode } from "./types";
import { t } from "./translate";

/** Function of node id that returns the artifact of its result in the run. */
export type ArtifactOf = (id: string) => string | null | undefined;

/** Return the reasons why each node's result is stale; nodes with current results are missing. */
export function stalenessOf(
  ran: PipelineDocument,
  now: PipelineDocument,
  catalog: Catalog,
  artifactOf: ArtifactOf = () => undefined,
): Readonly<Record<string, readonly string[]>> {
  const stale: Record<string, readonly string[]> = {};
  const changed = new Set<string>();
  for (const id of order(now) ?? nodesById(now).keys()) {
    const pin = pinOf(findNode(now, id));
    const reasons = pin
      ? pinReasons(pin, findNode(ran, id), artifactOf(id))
      : reasonsOf(id, ran, now, catalog, changed);
    if (reasons.length === 0) continue;
    changed.add(id);
    stale[id] = reasons;
  }
  return stale;
}

/** A pinned node has its result whatever else changed. */
function pinReasons(
  pin: Pin,
  old: PipelineNode | undefined,
  artifact: string | null | undefined,
): readonly string[] {
  const isSame = pin.artifact === artifact || pin.artifact === pinOf(old)?.artifact;
  return isSame ? [] : [t("pinned to another result")];
}

function reasonsOf(
  id: string,
  ran: PipelineDocument,
  now: PipelineDocument,
  catalog: Catalog,
  changed: ReadonlySet<string>,
): readonly string[] {
  const [old, node] = [findNode(ran, id), findNode(now, id)];
  if (!node || !old) return node ? [t("added after the run")] : [];
  if (pinOf(old)) return [t("unpinned after the run")];
  const own = resultChanges(old, node, ran, now, catalog);
  if (own.length) return own;
  const module = catalog.byId.get(node.module);
  const above = (module?.inputs ?? []).flatMap((port) => {
    const source = feedingEnd(now, catalog, id, port.id)?.node;
    return source && changed.has(source) ? [source] : [];
  });
  const names = [...new Set(above)].map((source) => {
    const other = findNode(now, source);
    return other ? titleOf(other, catalog) : source;
  });
  return names.length ? [t("{names: and } changed upstream", { names })] : [];
}

/** Return the changes that affect a node's result: module, parameters, inputs, processes. */
function resultChanges(
  old: PipelineNode,
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const module = catalog.byId.get(node.module);
  const changes: string[] = [];
  if (old.module !== node.module)
    changes.push(t("module changed to {title}", { title: module?.title ?? node.module }));
  else if (old.version !== node.version)
    changes.push(t("version {before} → {after}", { before: old.version, after: node.version }));
  else if (!sameInside(node.module, before, after)) changes.push(t("contents changed"));
  changes.push(...parameterChanges(old, node, before, after, module));
  for (const port of module?.inputs ?? []) {
    const [was, is] = [before, after].map((document) => {
      const source = feedingEnd(document, catalog, node.id, port.id);
      return source && endKey(source);
    });
    if (was !== is) changes.push(inputChange(port.title, is, after, catalog));
  }
  if (module?.distributed) {
    const [was, is] = [worldSize(old), worldSize(node)];
    if (was !== is) changes.push(t("processes: {before} → {after}", { before: was, after: is }));
  }
  return [...changes, ...launchChanges(old, node, module)];
}

/** Launch settings that affect results. */
const LAUNCH_SETTINGS = [
  "environment",
  "launcher",
  "node_count",
  "process_count_per_node",
  "parameter_server_count",
] as const;

function launchChanges(
  old: PipelineNode,
  node: PipelineNode,
  module: ModuleSpec | undefined,
): readonly string[] {
  const [before, after] = [old.run_settings, node.run_settings];
  const changes = sameValue(before.variables ?? {}, after.variables ?? {})
    ? []
    : [t("environment variables changed")];
  for (const name of module?.takes_environment ? LAUNCH_SETTINGS : []) {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (was !== is) changes.push(`${name.replaceAll("_", " ")}: ${words(was)} → ${words(is)}`);
  }
  return changes;
}

/** Return true if two versions of a sub-pipeline give the same results, whatever their positions. */
function sameInside(module: string, before: PipelineDocument, after: PipelineDocument): boolean {
  const [was, is] = [definitionOf(before, module), definitionOf(after, module)];
  if (was === is || !was || !is) return true;
  return (
    sameValue(relevantParts(was), relevantParts(is)) &&
    is.nodes.every((node) => sameInside(node.module, before, after))
  );
}

/** Return the parts of a sub-pipeline that its results may depend on. */
function relevantParts(definition: Definition): unknown {
  const nodes = definition.nodes.map((node) => ({
    ...node,
    position: 0,
    title: 0,
    color: 0,
    comment: 0,
    collapsed: 0,
  }));
  return { ...definition, nodes, title: 0, description: 0, notes: 0, groups: 0 };
}

export function parameterChanges(
  old: PipelineNode,
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  module: ModuleSpec | undefined,
): readonly string[] {
  return (module?.parameters ?? []).flatMap((parameter) => {
    const was = valueOf(parameter, old, before.settings);
    const is = valueOf(parameter, node, after.settings);
    if (sameValue(was, is)) return [];
    return [`${parameter.title ?? parameter.id}: ${words(was)} → ${words(is)}`];
  });
}

export function inputChange(
  title: string,
  source: string | undefined,
  document: PipelineDocument,
  catalog: Catalog,
): string {
  if (source === undefined) return t("{title} is no longer connected", { title });
  const node = findNode(document, source.slice(0, source.indexOf(".")));
  return t("{title} is now connected to {source}", {
    title,
    source: node ? titleOf(node, catalog) : source,
  });
}

function feedingEnd(
  document: PipelineDocument,
  catalog: Catalog,
  node: string,
  port: string,
): Endpoint | undefined {
  const link = linkAt(document, { node, port });
  return link && sourceOf(link.from, document, catalog);
}

function worldSize(node: PipelineNode): number {
  return node.run_settings.node_count * node.run_settings.process_count_per_node;
}

export function words(value: Parameters<typeof textOf>[0]): string {
  if (value === true) return t("on");
  if (value === false) return t("off");
  const text = value === null || value === "" ? t("none") : textOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
