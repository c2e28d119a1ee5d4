/** Responses to the cases of Python; `tests/designer_app/schemas/test_typescript.py` compares them.
 *
 * Without the folder that it names in DESIGNER_EXCHANGE there is nothing to do. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { pythonOf } from "../src/export/python";
import { groupNodes, addNote } from "../src/graph/annotations";
import { type Catalog, makeCatalog } from "../src/graph/catalog";
import {
  addNode,
  connect,
  moveNodes,
  renameNode,
  setComment,
  setParameter,
  setRunSettings,
} from "../src/graph/edits";
import { nodesById } from "../src/graph/lookup";
import { withOwnModules } from "../src/graph/ownModules";
import { possibleLinks } from "../src/graph/connections";
import { fold } from "../src/graph/runState";
import { duplicate } from "../src/graph/copies";
import { removeAndHeal } from "../src/graph/insertions";
import type { CatalogSpec, PipelineDocument, RunEvent } from "../src/graph/types";

const folder = process.env["DESIGNER_EXCHANGE"];

test.runIf(folder)("answers", () => {
  const cases = read<{
    catalog: CatalogSpec;
    documents: PipelineDocument[];
    runs: RunEvent[][];
  }>("given.json");
  const catalog = makeCatalog(cases.catalog);
  const { documents } = cases;
  const own = (document: PipelineDocument): Catalog => withOwnModules(catalog, document);
  const edited = documents.flatMap((document, seed) => [
    document,
    wander(document, own(document), seed),
  ]);
  write("answers.json", {
    documents: edited,
    states: cases.runs.map(fold),
    scripts: documents.map((document) =>
      Object.fromEntries(
        document.nodes.map(({ id }) => [id, pythonOf(document, own(document), id)] as const),
      ),
    ),
  });
  expect(edited.length).toBeGreaterThan(0);
});

/** A few dozen edits, the same ones for the same seed. */
function wander(start: PipelineDocument, catalog: Catalog, seed: number): PipelineDocument {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];
  let document = start;
  for (let step = 0; step < 40; step += 1) {
    const ids = [...nodesById(document).keys()];
    const [one, other] = [pick(ids) ?? "", pick(ids) ?? ""];
    const module = pick(catalog.modules)?.id ?? "";
    const parameter = pick(
      catalog.byId.get(nodesById(document).get(one)?.module ?? "")?.parameters ?? [],
    );
    const value = pick([0, -1, 2.5, 1e-7, 1e21, 123456789, "text", "", true, null, "ü🐦\u2028"]);
    const [link] = possibleLinks(document, catalog, one, other);
    const x = pick([0.1 + 0.2, -0, 1e6, 33, 1e-9]) ?? 0;
    const edits: (() => PipelineDocument)[] = [
      () => addNode(document, catalog, module, x, step),
      () => moveNodes(document, new Map([[one, { x, y: -x }]])),
      () => renameNode(document, one, `Nr. ${step} "ü" </script>`),
      () => setComment(document, one, "*a*\n\tb"),
      () => setRunSettings(document, one, { time_limit_minutes: 0.5, retries: step % 11 }),
      () => groupNodes(document, [one], "Group", "blue"),
      () => addNote(document, x, step, "# Note"),
      () => duplicate(document, [one, other]),
      () => (ids.length > 3 ? removeAndHeal(document, catalog, one) : document),
      () => (link ? connect(document, catalog, link.from, link.to) : document),
      () =>
        parameter && value !== undefined
          ? setParameter(document, catalog, one, parameter.id, value)
          : document,
    ];
    document = (pick(edits) ?? edits[0])?.() ?? document;
  }
  return document;
}

/** Numbers from 0 to 1 (a linear congruential generator, Numerical Recipes). */
function randomNumbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(folder ?? "", name), "utf8")) as Content;
}

function write(name: string, content: unknown): void {
  writeFileSync(join(folder ?? "", name), JSON.stringify(content));
}
