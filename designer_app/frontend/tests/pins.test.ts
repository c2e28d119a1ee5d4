/** Pinned results: the command, what runs leave out, outdated results, copies and fixes. */

import { afterEach, describe, expect, test } from "vitest";

import { commandFor } from "../src/commands/keyboard";
import { commandOf, isEnabled, perform } from "../src/commands/registry";
import { duplicate } from "../src/graph/copies";
import { changesOf } from "../src/graph/documentDiff";
import { replaceModule, setDisabled, setParameter, setPin } from "../src/graph/edits";
import { madeAt, unneededNodes } from "../src/graph/pins";
import { remedyOf } from "../src/graph/remedies";
import { NEW_RUN, NEW_STEP } from "../src/graph/runState";
import { stalenessOf } from "../src/graph/staleness";
import { makeSubPipeline } from "../src/graph/subPipelines";
import type { PipelineDocument, Problem, StepState } from "../src/graph/types";
import { Editor } from "../src/store/editor";
import {
  selectIsUnneeded,
  selectNumOutdated,
  selectStaleness,
  selectUsedPin,
} from "../src/store/selectors";
import { CATALOG, load, pipeline } from "./cases";
import { documentOf } from "./documents";
import { silentApi } from "./server";

const LINKS = ["one.output -> sum.a", "two.output -> sum.b", "sum.output -> out.a"];
const SUM = pipeline(["one:constant", "two:constant", "sum:add", "out:whole"], LINKS);
const RUN = "20261130-140552-1a2b";
const PIN = { artifact: "0a-sum", run: RUN };
const EMPTY = { nodes: [], links: [], notes: [], groups: [] };
const editors: Editor[] = [];

afterEach(() => {
  for (const editor of editors.splice(0)) editor.close();
});

function open(document: PipelineDocument): Editor {
  const options = { api: silentApi(), catalog: CATALOG, document, revision: '"1"' };
  const editor = new Editor({ ...options, storage: null });
  editors.push(editor);
  return editor;
}

/** Show a run in which these nodes have ended. */
function showRun(editor: Editor, steps: Readonly<Record<string, Partial<StepState>>>): void {
  const all = Object.entries(steps).map(([id, step]) => [
    id,
    { ...NEW_STEP, status: "completed", artifact_id: `0a-${id}`, ...step },
  ]);
  editor.store.setState({
    run: {
      id: RUN,
      connection: "ended",
      state: { ...NEW_RUN, status: "completed" },
      steps: Object.fromEntries(all),
      metrics: {},
      document: editor.state.whole,
      runnerProblem: null,
      headline: null,
    },
  });
}

function pinsOf({ nodes }: PipelineDocument): Readonly<Record<string, unknown>> {
  return Object.fromEntries(nodes.flatMap(({ id, pin }) => (pin ? [[id, pin]] : [])));
}

interface PinCase {
  readonly name: string;
  readonly document: unknown;
  readonly unneeded: readonly string[];
}

describe("what runs leave out", () => {
  test.each(load<PinCase[]>("pins.json"))("$name", ({ document, unneeded }) => {
    const leftOut = unneededNodes(documentOf(document))(CATALOG);
    expect([...leftOut].sort()).toEqual([...unneeded].sort());
  });
});

describe("the command", () => {
  test("pins the selected nodes with results in one step, and unpins them", () => {
    const editor = open(SUM);
    editor.select({ ...EMPTY, nodes: ["one", "sum", "out"] });
    expect(isEnabled(editor, "pin")).toBe(false);
    showRun(editor, { one: { status: "failed", artifact_id: null }, sum: {}, out: {} });
    expect(commandOf("pin").labelFor?.(editor.state)).toBe("Pin these results");
    perform(editor, "pin");
    expect(pinsOf(editor.state.document)).toEqual({
      sum: { artifact: "0a-sum", run: RUN },
      out: { artifact: "0a-out", run: RUN },
    });
    editor.select({ ...EMPTY, nodes: ["sum", "out"] });
    expect(commandOf("pin").labelFor?.(editor.state)).toBe("Unpin");
    perform(editor, "pin");
    expect(editor.state.document.nodes.some((node) => "pin" in node)).toBe(false);
    editor.undo();
    editor.undo();
    expect(editor.state.document).toBe(SUM);
  });

  test("names the run that computed a reused result", () => {
    const editor = open(SUM);
    showRun(editor, { sum: { status: "reused", reused_from: "20200101-000000-aaaa" } });
    perform(editor, "pin", { node: "sum" });
    expect(pinsOf(editor.state.document)).toEqual({
      sum: { artifact: "0a-sum", run: "20200101-000000-aaaa" },
    });
  });

  test("is not for disabled nodes, and has a key", () => {
    const editor = open(setDisabled(SUM, ["sum"], true));
    showRun(editor, { sum: {} });
    editor.select({ ...EMPTY, nodes: ["sum"] });
    expect(isEnabled(editor, "pin")).toBe(false);
    const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
    expect(commandFor({ key: "k", code: "KeyK", isComposing: false, ...none }, false)?.id).toBe(
      "pin",
    );
  });

  test("pins inside a sub-pipeline, in its definition", async () => {
    const inside = makeSubPipeline(SUM, CATALOG, ["sum", "out"]);
    const front = inside.nodes.find(({ module }) => module.startsWith("definition:"))?.id ?? "";
    const editor = open(inside);
    showRun(editor, { [`${front}/sum`]: {} });
    await editor.enter(front);
    perform(editor, "pin", { node: `${front}/sum` });
    const [definition] = editor.state.whole.definitions ?? [];
    const sum = definition?.nodes.find(({ id }) => id === "sum");
    expect(sum?.pin).toEqual({ artifact: `0a-${front}/sum`, run: RUN });
  });
});

describe("a pinned node", () => {
  test("is current whatever changes, as is what follows", () => {
    const pinned = setPin(SUM, ["sum"], PIN);
    const changed = setParameter(pinned, CATALOG, "one", "value", 7);
    const artifacts = (id: string): string => `0a-${id}`;
    expect(stalenessOf(SUM, changed, CATALOG, artifacts)).toEqual({
      one: ["Value: 1 → 7"],
    });
    const other = setPin(SUM, ["sum"], { ...PIN, artifact: "0b" });
    expect(Object.keys(stalenessOf(SUM, other, CATALOG, artifacts))).toEqual(["sum", "out"]);
    expect(stalenessOf(pinned, SUM, CATALOG)["sum"]).toEqual(["unpinned after the run"]);
    expect(stalenessOf(pinned, pinned, CATALOG)).toEqual({});
  });

  test("says that the run used its pin, and what is not computed", () => {
    const editor = open(setPin(SUM, ["sum"], PIN));
    showRun(editor, {
      one: { status: "skipped", artifact_id: null },
      two: { status: "skipped", artifact_id: null },
      sum: { status: "reused", reused_from: RUN },
      out: {},
    });
    expect(selectUsedPin("sum")(editor.state)).toEqual(PIN);
    expect(selectUsedPin("out")(editor.state)).toBeUndefined();
    expect(selectIsUnneeded("one")(editor.state)).toBe(true);
    expect(selectStaleness("sum")(editor.state)).toEqual([]);
    expect(selectNumOutdated(editor.state)).toBe(0);
  });

  test("is pinned in differences, not in copies or with another module", () => {
    const pinned = setPin(SUM, ["sum"], PIN);
    expect(changesOf(SUM, pinned, CATALOG)).toEqual([`Add: pinned to the result of run ${RUN}`]);
    expect(changesOf(pinned, SUM, CATALOG)).toEqual(["Add: unpinned"]);
    expect(Object.keys(pinsOf(duplicate(pinned, ["sum"])))).toEqual(["sum"]);
    expect(pinsOf(replaceModule(pinned, CATALOG, "sum", "multiply"))).toEqual({});
  });

  test("with a problem is unpinned by its fix", () => {
    const pinned = setPin(SUM, ["sum"], PIN);
    const problem = { node: "sum", port: null, remedy: { unpin: "sum" } } as unknown as Problem;
    const remedy = remedyOf(problem, pinned, CATALOG);
    expect(remedy?.label).toBe("Unpin");
    expect(remedy?.edit?.(pinned, CATALOG)).toEqual(SUM);
  });
});

test("the id of a run has its time", () => {
  expect(madeAt(RUN)).toBe(new Date(2026, 10, 30, 14, 5, 52).getTime());
  expect(madeAt("imported")).toBeUndefined();
});
