/** Undoing any sequence of commands restores the start, redoing it the end. */

import fc from "fast-check";
import { afterEach, expect, test } from "vitest";

import { COMMANDS, perform } from "../src/commands/registry";
import { addNode, connect, moveNodes, setParameter } from "../src/graph/edits";
import { endKey } from "../src/graph/lookup";
import { possibleLinks } from "../src/graph/connections";
import { insertOnLink } from "../src/graph/insertions";
import type { PipelineDocument } from "../src/graph/types";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { silentApi } from "./server";
import { expectWhole } from "./documents";

const START = pipeline(["one:constant", "two:constant", "sum:add"], ["one.output -> sum.a"]);

const editors: Editor[] = [];
afterEach(() => {
  for (const editor of editors.splice(0)) editor.close();
});

/** Commands that change the document at once; the others read, wait or leave the page. */
const WAITING = new Set(["paste", "cut", "tidy-up", "import", "cure", "undo", "redo"]);
const AT_ONCE = COMMANDS.filter(
  (command) =>
    ["Edit", "Select", "Arrange", "Insert"].includes(command.group) && !WAITING.has(command.id),
).map((command) => command.id);

type Action = (editor: Editor) => void;

const commands: fc.Arbitrary<Action> = fc
  .constantFrom(...AT_ONCE)
  .map((id) => (editor) => void perform(editor, id));

const selections: fc.Arbitrary<Action> = fc
  .array(fc.nat(20), { maxLength: 4 })
  .map((places) => (editor) => {
    const { nodes, links } = editor.state.document;
    const ids = places.map((place) => nodes[place % Math.max(1, nodes.length)]?.id ?? "");
    const link = links[places.length];
    editor.select({ nodes: [...new Set(ids)], links: link ? [endKey(link.to)] : [] });
  });

const edits: fc.Arbitrary<Action> = fc
  .record({
    kind: fc.constantFrom("add", "move", "connect", "set", "insert"),
    place: fc.nat(50),
    other: fc.nat(50),
    number: fc.integer({ min: -500, max: 500 }),
  })
  .map(({ kind, place, other, number }) => (editor) => {
    const { nodes, links } = editor.state.document;
    const node = nodes[place % Math.max(1, nodes.length)]?.id ?? "";
    const target = nodes[other % Math.max(1, nodes.length)]?.id ?? "";
    const module = CATALOG.modules[other % CATALOG.modules.length]?.id ?? "";
    const link = links[place % Math.max(1, links.length)];
    editor.dispatch(
      (document, catalog) => {
        if (kind === "add") return addNode(document, catalog, module, number, number);
        if (kind === "move") return moveNodes(document, new Map([[node, { x: number, y: 0 }]]));
        if (kind === "set") return setParameter(document, catalog, node, "value", number);
        if (kind === "insert" && link) return insertOnLink(document, catalog, module, link.to);
        const [first] = possibleLinks(document, catalog, node, target);
        return first ? connect(document, catalog, first.from, first.to) : document;
      },
      { label: kind, ...(kind === "set" ? { coalesceKey: `${node}.value` } : {}) },
    );
  });

test("undo restores the start, redo the end, and one action is one step", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(commands, selections, edits), { maxLength: 30 }), (actions) => {
      const editor = open(START);
      for (const action of actions) act(editor, action);
      const end = editor.state.document;
      expectWhole(end);
      const steps = editor.state.history.past.length;
      for (let step = 0; step < steps; step += 1) perform(editor, "undo");
      expect(editor.state.document).toBe(START);
      expect(perform(editor, "undo")).toBe(false);
      for (let step = 0; step < steps; step += 1) perform(editor, "redo");
      expect(editor.state.document).toBe(end);
      editor.close();
    }),
    { numRuns: 150 },
  );
});

test("one action adds at most one step, and its undo restores the exact document", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(selections, edits, commands), { maxLength: 15 }), (actions) => {
      const editor = open(START);
      for (const action of actions) {
        editor.endTyping();
        const { document, history } = editor.state;
        action(editor);
        const added = editor.state.history.past.length - history.past.length;
        if (editor.state.document === document) continue;
        // L replaces the link that it made before: no new step
        expect([0, 1]).toContain(added);
        if (added === 1) expect(editor.state.history.past.at(-1)?.document).toBe(document);
      }
      editor.close();
    }),
    { numRuns: 60 },
  );
});

test("typing into a field is one step, typing into the next field another", () => {
  const editor = open(START);
  for (const value of [2, 25, 250]) type(editor, "one", value);
  type(editor, "two", 7);
  expect(editor.state.history.past).toHaveLength(2);
  editor.endTyping();
  type(editor, "two", 8);
  expect(editor.state.history.past).toHaveLength(3);
  editor.undo();
  editor.undo();
  editor.undo();
  expect(editor.state.document).toBe(START);
});

test("two hundred steps are kept", () => {
  const editor = open(START);
  for (let value = 2; value < 260; value += 1) {
    type(editor, "one", value);
    editor.endTyping();
  }
  expect(editor.state.history.past).toHaveLength(200);
});

test("undo never changes the results of a run", () => {
  const editor = open(START);
  const run = { id: "r" } as never;
  type(editor, "one", 2);
  editor.store.setState({ run });
  editor.undo();
  expect(editor.state.run).toBe(run);
});

test("L connects the next pair of ports, as one step", () => {
  const editor = open(pipeline(["one:constant", "sum:add"]));
  editor.select({ nodes: ["one", "sum"] });
  perform(editor, "connect-selected");
  expect(editor.state.document.links.map((link) => link.to.port)).toEqual(["a"]);
  perform(editor, "connect-selected");
  expect(editor.state.document.links.map((link) => link.to.port)).toEqual(["b"]);
  expect(editor.state.history.past).toHaveLength(1);
});

test("a refused edit changes nothing and is explained", () => {
  const editor = open(START);
  const done = editor.dispatch((document, catalog) => addNode(document, catalog, "constnt"), {
    label: "Add",
  });
  expect(done).toBe(false);
  expect(editor.state.document).toBe(START);
  expect(editor.state.notices[0]?.message).toContain("Did you mean 'constant'?");
});

function type(editor: Editor, node: string, value: number): void {
  editor.dispatch((document, catalog) => setParameter(document, catalog, node, "value", value), {
    label: "Set Value",
    coalesceKey: `${node}.value`,
  });
}

/** Commands of React are missing: without a canvas they do nothing. */
function act(editor: Editor, action: Action): void {
  action(editor);
  if (editor.state.dialog) editor.closeDialog();
}

function open(document: PipelineDocument): Editor {
  const editor = new Editor({
    api: silentApi(),
    catalog: CATALOG,
    document,
    revision: '"1"',
    storage: null,
  });
  editors.push(editor);
  return editor;
}
