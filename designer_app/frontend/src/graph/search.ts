/** Fuzzy search: every word of the query must match; best matches first. */

import type { Catalog } from "./catalog";
import { stepAt } from "./paths";
import type { ModuleSpec, PipelineNode, StepState } from "./types";

/** Return the matching modules, best first; all, in palette order, for an empty query. */
export function searchModules(
  catalog: Catalog,
  query: string,
  among: readonly ModuleSpec[] = catalog.modules,
): readonly ModuleSpec[] {
  return ranked(among, query, (module) => [
    [module.title, 100],
    [module.keywords.join(" "), 60],
    [module.category, 30],
    [`${module.summary} ${module.description}`, 20],
    [module.parameters.map((parameter) => parameter.title ?? parameter.id).join(" "), 10],
  ]);
}

/** Return the nodes that match by title, id, module, comment or status, best first. */
export function searchNodes(
  nodes: readonly PipelineNode[],
  catalog: Catalog,
  query: string,
  steps: Readonly<Record<string, StepState>> = {},
): readonly PipelineNode[] {
  return ranked(nodes, query, (node) => [
    [titleOf(node, catalog), 100],
    [stepAt(steps, node.id)?.status ?? "", 90],
    [node.id, 60],
    [node.module, 40],
    [node.comment, 20],
  ]);
}

/** Return the items whose title matches, best first; all for an empty query. */
export function searchTitles<Item extends { readonly title: string }>(
  items: readonly Item[],
  query: string,
): readonly Item[] {
  return ranked(items, query, ({ title }) => [[title, 100]]);
}

/** Return the title of a node: its own, or that of its module. */
export function titleOf(node: PipelineNode, catalog: Catalog): string {
  return node.title ?? catalog.byId.get(node.module)?.title ?? node.module;
}

type Field = readonly [text: string, weight: number];

/** Score of one word in a text: 1 at best, 0 without a match. */
export function matchWord(word: string, text: string): number {
  const place = text.indexOf(word);
  if (place === 0) return text.length === word.length ? 1 : 0.95;
  if (place > 0) return /[^a-z0-9]/.test(text.charAt(place - 1)) ? 0.85 : 0.6;
  return Math.max(word.length > 2 ? spread(word, text) : 0, likeness(word, text));
}

/** Other forms of a word: "scoring" in "score"; and synonyms: "pictures" and "images". */
function likeness(word: string, text: string): number {
  const stem = word.replace(/(ing|e?s|e[dr]?)$/, "");
  const wanted = /^(pictur|photo)/.test(stem) ? "imag" : stem;
  return wanted.length > 3 && ` ${text}`.includes(` ${wanted}`) ? 0.5 : 0;
}

/** Match letters in order within a word at most twice as long: "dnsnet" in "densenet". */
function spread(word: string, text: string): number {
  for (const part of text.split(/[^a-z0-9]+/)) {
    let next = 0;
    for (const letter of part) if (letter === word.charAt(next)) next += 1;
    const starts = part.charAt(0) === word.charAt(0);
    if (next === word.length && starts && part.length <= word.length * 2) return 0.4;
  }
  return 0;
}

function ranked<Item>(
  items: readonly Item[],
  query: string,
  fieldsOf: (item: Item) => readonly Field[],
): readonly Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items
    .map((item, place) => ({ item, place, score: score(words, fieldsOf(item)) }))
    .filter((hit) => hit.score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .map((hit) => hit.item);
}

function score(words: readonly string[], fields: readonly Field[]): number {
  let total = 0;
  for (const word of words) {
    const best = Math.max(
      ...fields.map(([text, weight]) => weight * matchWord(word, text.toLowerCase())),
    );
    if (best === 0) return 0;
    total += best;
  }
  return total;
}
