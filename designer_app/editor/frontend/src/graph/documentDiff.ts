/** What is different between two versions of a pipeline, in words; and which results are stale. */

import { type Catalog, inputOf } from "./catalog";
import { sameValue } from "./edits";
import { endKey, findNode, linkAt, nodesById } from "./lookup";
import { order } from "./traversal";
import { textOf, valueOf } from "./parameters";
import { titleOf } from "./search";
import type { ModuleSpec, PipelineDocument, PipelineNode, RunSettings } from "./types";
import { sourceOf } from "./checks";

/** Every difference that has a meaning, one sentence each; places on the canvas have none. */
export function changesOf(
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const found: string[] = [];
  for (const node of before.nodes) {
    if (!findNode(after, node.id)) found.push(`${titleOf(node, catalog)} removed`);
  }
  for (const node of after.nodes) {
    const old = findNode(before, node.id);
    if (!old) found.push(`${titleOf(node, catalog)} added`);
    else found.push(...named(node, catalog, nodeChanges(old, node, before, after, catalog)));
  }
  found.push(...settingChanges(before, after));
  if (before.name !== after.name) found.push(`renamed to ${after.name || after.id}`);
  return found;
}

/** For each node: why it would no longer give what it gave in a run; those that would are missing. */
export function stalenessOf(
  ran: PipelineDocument,
  now: PipelineDocument,
  catalog: Catalog,
): Readonly<Record<string, readonly string[]>> {
  const stale: Record<string, readonly string[]> = {};
  const changed = new Set<string>();
  for (const id of order(now) ?? nodesById(now).keys()) {
    const reasons = reasonsOf(id, ran, now, catalog, changed);
    if (reasons.length === 0) continue;
    changed.add(id);
    stale[id] = reasons;
  }
  return stale;
}

function reasonsOf(
  id: string,
  ran: PipelineDocument,
  now: PipelineDocument,
  catalog: Catalog,
  changed: ReadonlySet<string>,
): readonly string[] {
  const [old, node] = [findNode(ran, id), findNode(now, id)];
  if (!node || !old) return node ? ["it was added after the run"] : [];
  const own = resultChanges(old, node, ran, now, catalog);
  if (own.length) return own;
  const module = catalog.byId.get(node.module);
  const above = (module?.inputs ?? []).flatMap((port) => {
    const source = feeding(now, catalog, id, port.id);
    return source && changed.has(source) ? [source] : [];
  });
  const names = [...new Set(above)].map((source) => {
    const other = findNode(now, source);
    return other ? titleOf(other, catalog) : source;
  });
  return names.length ? [`${names.join(" and ")} before it has changed`] : [];
}

/** What changes a node's result: its module, its parameters, what feeds it, how it is spread. */
function resultChanges(
  old: PipelineNode,
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const module = catalog.byId.get(node.module);
  const found: string[] = [];
  if (old.module !== node.module) found.push(`the module is now ${module?.title ?? node.module}`);
  else if (old.version !== node.version) found.push(`version ${old.version} → ${node.version}`);
  found.push(...parameterChanges(old, node, before, after, module));
  for (const port of module?.inputs ?? []) {
    const [was, is] = [before, after].map((each) => feedingEnd(each, catalog, node.id, port.id));
    if (was !== is) found.push(inputChange(port.title, is, after, catalog));
  }
  if (module?.distributed) {
    const [was, is] = [worldSize(old), worldSize(node)];
    if (was !== is) found.push(`processes: ${was} → ${is}`);
  }
  return found;
}

function nodeChanges(
  old: PipelineNode,
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const found: string[] = [];
  const module = catalog.byId.get(node.module);
  if (old.module !== node.module) found.push(`the module is now ${module?.title ?? node.module}`);
  else if (old.version !== node.version) found.push(`version ${old.version} → ${node.version}`);
  if (old.title !== node.title) found.push(`renamed from ${titleOf(old, catalog)}`);
  if (old.disabled !== node.disabled) found.push(node.disabled ? "disabled" : "enabled");
  found.push(...parameterChanges(old, node, before, after, module));
  found.push(...linkChanges(node, before, after, catalog, module));
  for (const each of Object.keys({ ...old.run_settings, ...node.run_settings })) {
    const name = each as keyof RunSettings;
    const [was, value] = [old.run_settings[name] ?? null, node.run_settings[name] ?? null];
    if (was !== value) found.push(`${inWords(name)}: ${words(was)} → ${words(value)}`);
  }
  return found;
}

function parameterChanges(
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

function linkChanges(
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
  module: ModuleSpec | undefined,
): readonly string[] {
  const ports = new Set(
    [before, after]
      .flatMap((document) => document.links)
      .filter((link) => link.to.node === node.id)
      .map((link) => link.to.port),
  );
  return [...ports].flatMap((port) => {
    const [was, is] = [before, after].map((each) => {
      const link = linkAt(each, { node: node.id, port });
      return link && endKey(link.from);
    });
    const title = (module && inputOf(module, port)?.title) ?? port;
    return was === is ? [] : [inputChange(title, is, after, catalog)];
  });
}

function settingChanges(before: PipelineDocument, after: PipelineDocument): readonly string[] {
  const found: string[] = [];
  const [was, is] = [before.settings, after.settings];
  if (was.target !== is.target) found.push(`compute target: ${was.target} → ${is.target}`);
  if (was.random_seed !== is.random_seed) {
    found.push(`random seed: ${words(was.random_seed)} → ${words(is.random_seed)}`);
  }
  return found;
}

function inputChange(
  title: string,
  source: string | undefined,
  document: PipelineDocument,
  catalog: Catalog,
): string {
  if (source === undefined) return `${title} is no longer connected`;
  const node = findNode(document, source.slice(0, source.indexOf(".")));
  return `${title} now comes from ${node ? titleOf(node, catalog) : source}`;
}

function feeding(
  document: PipelineDocument,
  catalog: Catalog,
  node: string,
  port: string,
): string | undefined {
  const link = linkAt(document, { node, port });
  return link && sourceOf(link.from, document, catalog)?.node;
}

function feedingEnd(
  document: PipelineDocument,
  catalog: Catalog,
  node: string,
  port: string,
): string | undefined {
  const link = linkAt(document, { node, port });
  const source = link && sourceOf(link.from, document, catalog);
  return source && endKey(source);
}

function worldSize(node: PipelineNode): number {
  return node.run_settings.node_count * node.run_settings.process_count_per_node;
}

function named(
  node: PipelineNode,
  catalog: Catalog,
  changes: readonly string[],
): readonly string[] {
  return changes.map((each) => `${titleOf(node, catalog)}: ${each}`);
}

function inWords(name: string): string {
  const text = name.replaceAll("_", " ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function words(value: Parameters<typeof textOf>[0]): string {
  if (value === true) return "on";
  if (value === false) return "off";
  const text = value === null || value === "" ? "none" : textOf(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
