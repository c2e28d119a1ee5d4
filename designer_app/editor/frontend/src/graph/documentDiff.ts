/** Differences between two versions of a pipeline, as text. */

import { type Catalog, inputOf } from "./catalog";
import { endKey, findNode, linkAt } from "./lookup";
import { titleOf } from "./search";
import { inputChange, parameterChanges, words } from "./staleness";
import type { ModuleSpec, PipelineDocument, PipelineNode, RunSettings } from "./types";

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

function nodeChanges(
  old: PipelineNode,
  node: PipelineNode,
  before: PipelineDocument,
  after: PipelineDocument,
  catalog: Catalog,
): readonly string[] {
  const found: string[] = [];
  const module = catalog.byId.get(node.module);
  if (old.module !== node.module) found.push(`module changed to ${module?.title ?? node.module}`);
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
