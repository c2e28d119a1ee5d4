/** Differences between two versions of a pipeline, as text. */

import { type Catalog, inputOf } from "./catalog";
import { endKey, findNode, linkAt } from "./lookup";
import { titleOf } from "./search";
import { inputChange, parameterChanges, words } from "./staleness";
import type { ModuleSpec, PipelineDocument, PipelineNode, RunSettings } from "./types";
import { t } from "./translate";

/** Return all relevant differences, one sentence each; positions on the canvas are ignored. */
export function changesOf(
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const changes: string[] = [];
  for (const node of before.nodes) {
    if (!findNode(after, node.id))
      changes.push(t("{title} removed", { title: titleOf(node, catalog) }));
  }
  for (const node of after.nodes) {
    const old = findNode(before, node.id);
    if (!old) changes.push(t("{title} added", { title: titleOf(node, catalog) }));
    else changes.push(...named(node, catalog, nodeChanges(old, node, before, after, catalog)));
  }
  changes.push(...settingChanges(before, after));
  if (before.name !== after.name)
    changes.push(t("renamed to {name}", { name: after.name || after.id }));
  return changes;
}

function nodeChanges(
  old: PipelineNode,
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const changes: string[] = [];
  const module = catalog.byId.get(node.module);
  if (old.module !== node.module)
    changes.push(t("module changed to {title}", { title: module?.title ?? node.module }));
  else if (old.version !== node.version)
    changes.push(t("version {before} → {after}", { before: old.version, after: node.version }));
  if (old.title !== node.title)
    changes.push(t("renamed from {title}", { title: titleOf(old, catalog) }));
  if (old.disabled !== node.disabled) changes.push(node.disabled ? t("disabled") : t("enabled"));
  if (old.pin?.artifact !== node.pin?.artifact) {
    changes.push(node.pin ? t("pinned to the result of run {run}", node.pin) : t("unpinned"));
  }
  changes.push(...parameterChanges(old, node, before, after, module));
  changes.push(...linkChanges(node, before, after, catalog, module));
  for (const key of Object.keys({ ...old.run_settings, ...node.run_settings })) {
    const name = key as keyof RunSettings;
    const [was, value] = [old.run_settings[name] ?? null, node.run_settings[name] ?? null];
    if (was !== value) changes.push(`${settingText(name)}: ${words(was)} → ${words(value)}`);
  }
  return changes;
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
    const [was, is] = [before, after].map((document) => {
      const link = linkAt(document, { node: node.id, port });
      return link && endKey(link.from);
    });
    const title = (module && inputOf(module, port)?.title) ?? port;
    return was === is ? [] : [inputChange(title, is, after, catalog)];
  });
}

function settingChanges(before: PipelineDocument, after: PipelineDocument): readonly string[] {
  const changes: string[] = [];
  const [was, is] = [before.settings, after.settings];
  if (was.target !== is.target)
    changes.push(t("compute target: {before} → {after}", { before: was.target, after: is.target }));
  if (was.random_seed !== is.random_seed) {
    changes.push(
      t("random seed: {before} → {after}", {
        before: words(was.random_seed),
        after: words(is.random_seed),
      }),
    );
  }
  return changes;
}

function named(
  node: PipelineNode,
  catalog: Catalog,
  changes: readonly string[],
): readonly string[] {
  return changes.map((change) => `${titleOf(node, catalog)}: ${change}`);
}

function settingText(name: string): string {
  const text = name.replaceAll("_", " ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
