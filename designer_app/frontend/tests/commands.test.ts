/** Effects of commands on an open pipeline, by keyboard: connect, follow wires, copy, go to. */

import { afterEach, describe, expect, test, vi } from "vitest";

import { ACCEPTED } from "../src/browser/files";
import { shownRanks } from "../src/graph/runState";
import { withoutPulled } from "../src/canvas/useConnecting";
import { COMMANDS, commandOf, perform } from "../src/commands/registry";
import { withProgressNotice } from "../src/commands/progressNotice";
import { addNote, changeGroup, groupNodes } from "../src/graph/annotations";
import { linkablePorts, nearestRefusal, refusalOf } from "../src/graph/connections";
import { UNKNOWN_NODE, problemOf } from "../src/graph/problems";
import { searchTitles } from "../src/graph/search";
import { extract } from "../src/graph/copies";
import type { PipelineDocument } from "../src/graph/types";
import { isDragging } from "../src/panels/palette/usePaletteDrag";
import { ITEMS } from "../src/panels/menu/items";
import { foldedBy, paneFolding } from "../src/view/responsivePanes";
import { goToNode, goToProblem } from "../src/commands/goTo";
import { createView } from "../src/view/viewStore";
import { Editor } from "../src/store/editor";
import { withNotice } from "../src/store/notices";
import type { Notice } from "../src/store/types";
import { CATALOG, pipeline } from "./cases";
import { silentApi } from "./server";

const editors: Editor[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const editor of editors.splice(0)) editor.close();
});

function open(document: PipelineDocument, readOnly = false): Editor {
  const options = { api: silentApi(), catalog: CATALOG, document, revision: '"1"', readOnly };
  const editor = new Editor({ ...options, storage: null });
  editors.push(editor);
  return editor;
}

describe("L on two nodes that cannot be connected", () => {
  const document = pipeline(["constant", "factorial", "other:constant"]);

  test("explains why, like the pointer", () => {
    const editor = open(document);
    editor.select({ nodes: ["constant", "factorial"] });
    perform(editor, "connect-selected");
    expect(editor.state.notices[0]?.message).toContain("needs a whole number");
    expect(editor.state.document).toBe(document);
  });

  test("finds the module that connects them, whichever was selected first", () => {
    for (const [one = "", other = ""] of [
      ["constant", "factorial"],
      ["factorial", "constant"],
    ]) {
      const refused = nearestRefusal(document, CATALOG, one, other);
      expect(refused?.verdict.bridge).toBe("whole");
      expect([refused?.from.node, refused?.to.node]).toEqual(["constant", "factorial"]);
    }
  });

  test("reports an existing connection, and a node without inputs", () => {
    const linked = pipeline(["one:constant", "whole"], ["one.output -> whole.a"]);
    const refused = nearestRefusal(linked, CATALOG, "whole", "one");
    expect(refused && refusalOf(refused.verdict)).toContain("already connected");
    expect(nearestRefusal(document, CATALOG, "constant", "other")).toBeUndefined();
    const editor = open(document);
    editor.select({ nodes: ["constant", "other"] });
    perform(editor, "connect-selected");
    expect(editor.state.notices[0]?.message).toContain("Select other nodes");
  });
});

describe("wires of a node", () => {
  const links = ["one.output -> sum.a", "two.output -> sum.b", "sum.output -> whole.a"];
  const document = pipeline(["one:constant", "two:constant", "sum:add", "whole"], links);

  test("are selected one after the other, and Delete removes only the selected one", () => {
    const editor = open(document);
    editor.select({ nodes: ["sum"] });
    const seen = [0, 1, 2, 3].map(() => {
      perform(editor, "select-wire");
      return editor.state.selection.links.join();
    });
    expect(seen).toEqual(["sum.a", "sum.b", "whole.a", "sum.a"]);
    perform(editor, "delete");
    expect(editor.state.document.nodes).toHaveLength(4);
    expect(editor.state.document.links.map(({ to }) => to.port)).toEqual(["b", "a"]);
    perform(editor, "undo");
    expect(editor.state.document).toBe(document);
  });

  test("lead to the nodes at their ends", () => {
    const editor = open(document);
    for (const [way, node] of [
      ["go-left", "two"],
      ["go-right", "sum"],
    ] as const) {
      editor.select({ links: ["sum.b"] });
      perform(editor, way);
      expect(editor.state.selection.nodes).toEqual([node]);
    }
  });

  test("are reported as missing if there are none", () => {
    const editor = open(pipeline(["constant"]));
    editor.select({ nodes: ["constant"] });
    perform(editor, "select-wire");
    expect(editor.state.notices[0]?.message).toContain("no wires");
  });
});

describe("copies", () => {
  const nodes = pipeline(["one:constant", "two:constant", "sum:add"], ["one.output -> sum.a"]);
  const document = groupNodes(addNote(nodes, 5, 6, "Why"), ["one", "sum"], "Pair", "blue");

  test("of a group contain everything in it; of a note, the note", () => {
    const editor = open(document);
    editor.select({ groups: ["group"], notes: ["note"] });
    perform(editor, "duplicate");
    const { nodes, links, notes, groups } = editor.state.document;
    expect(nodes.map(({ id }) => id)).toEqual(["one", "two", "sum", "one_2", "sum_2"]);
    expect(links.map(({ to }) => to.node)).toEqual(["sum", "sum_2"]);
    expect(notes.map(({ text }) => text)).toEqual(["Why", "Why"]);
    expect(groups.map(({ title, nodes }) => [title, ...nodes])).toEqual([
      ["Pair", "one", "sum"],
      ["Pair", "one_2", "sum_2"],
    ]);
    expect(editor.state.selection.nodes).toEqual(["one_2", "sum_2"]);
    expect(editor.state.selection.notes).toEqual(["note_2"]);
    perform(editor, "undo");
    expect(editor.state.document).toBe(document);
  });

  test("of some of its nodes do not contain the group", () => {
    expect(extract(document, ["one"]).groups).toEqual([]);
    expect(extract(document, ["one", "sum"]).groups).toHaveLength(1);
    expect(extract(document, ["one"]).notes).toEqual([]);
  });

  test("that were cut leave nothing behind and can be pasted", async () => {
    const editor = open(document);
    editor.select({ groups: ["group"], notes: ["note"] });
    perform(editor, "cut");
    await vi.waitFor(() => expect(editor.state.document.nodes).toHaveLength(1));
    expect(editor.state.document.groups).toEqual([]);
    expect(editor.state.document.notes).toEqual([]);
    editor.select({});
    perform(editor, "paste");
    await vi.waitFor(() => expect(editor.state.document.nodes).toHaveLength(3));
    expect(editor.state.document.groups[0]?.nodes).toEqual(["one", "sum"]);
    expect(editor.state.document.notes).toHaveLength(1);
  });
});

describe("go to", () => {
  const grouped = groupNodes(pipeline(["one:constant", "whole"]), ["one"]);
  const folded = changeGroup(grouped, "group", { collapsed: true });

  test("a node opens the group that hides it", () => {
    const editor = open(folded);
    goToNode(editor, "one");
    expect(editor.state.document.groups[0]?.collapsed).toBe(false);
    expect(editor.state.selection.nodes).toEqual(["one"]);
    const frozen = open(folded, true);
    goToNode(frozen, "one");
    expect(frozen.state.document).toBe(folded);
  });

  test("a problem of the whole pipeline opens the pipeline's settings", () => {
    const editor = open(folded);
    editor.select({ nodes: ["whole"] });
    editor.togglePane("settings", false);
    goToProblem(editor, createView(), problemOf(UNKNOWN_NODE, { sentence: ["k", "m"], facts: {} }));
    expect(editor.state.panes.settings).toBe(true);
    expect(editor.state.selection.nodes).toEqual([]);
  });
});

test("a wire whose end was pulled off fits its old port", () => {
  const links = ["one.output -> a.a", "a.output -> b.a"];
  const document = pipeline(["one:constant", "a:whole", "b:whole"], links);
  const fitting = (state: { document: PipelineDocument }): readonly string[] =>
    linkablePorts(state.document, CATALOG, { node: "b", port: "a" }, "input").map((e) => e.node);
  expect(fitting({ document })).not.toContain("a");
  expect(fitting(withoutPulled({ document }, "b.a"))).toEqual(["one", "a"]);
});

describe("commands", () => {
  test("exist for every menu item", () => {
    for (const item of Object.values(ITEMS).flat(2)) {
      if (item !== "-") expect(commandOf(item).label).not.toBe("");
    }
  });

  test("that the toolbar hides on a tablet are in its menu", () => {
    for (const id of ["forecast", "stop-and-keep", "versions", "tour", "toggle-timeline"]) {
      expect(ITEMS.more).toContain(id);
    }
  });

  test("that ask the server or take long report it", () => {
    const quiet = COMMANDS.filter((command) => command.doing === undefined).map(({ id }) => id);
    for (const id of ["tidy-up", "export-png", "run-to-here", "run-selected", "resume"]) {
      expect(quiet).not.toContain(id);
    }
  });
});

describe("a progress notice", () => {
  test("appears after a moment and disappears at the end", async () => {
    vi.useFakeTimers();
    const editor = open(pipeline(["constant"]));
    const messages = (): readonly string[] => editor.state.notices.map(({ message }) => message);
    const work = (): Promise<number> => new Promise((end) => setTimeout(() => end(7), 60_000));
    const result = withProgressNotice(editor, "Uploading a.zip", work);
    await vi.advanceTimersByTimeAsync(200);
    expect(messages()).toEqual([]);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(messages()).toEqual(["Uploading a.zip ..."]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await result).toBe(7);
    expect(messages()).toEqual([]);
  });

  test("appears before work that blocks the page, and never for short work", async () => {
    vi.useFakeTimers();
    const editor = open(pipeline(["constant"]));
    let numNotices = 0;
    const work = (): void => {
      numNotices = editor.state.notices.length;
    };
    const waiting = withProgressNotice(editor, "Tidying up", work, { atOnce: true });
    await vi.runAllTimersAsync();
    await waiting;
    expect(numNotices).toBe(1);
    await withProgressNotice(editor, "Tidying up", work);
    expect([numNotices, editor.state.notices.length]).toEqual([0, 0]);
  });

  test("is not displaced by other notices", () => {
    const notice = (id: number, kind: Notice["kind"]): Notice => {
      return { id, kind, message: `No. ${id}`, problem: null, action: null };
    };
    let shown: readonly Notice[] = [notice(0, "progress")];
    for (const id of [1, 2, 3, 4, 5]) shown = withNotice(shown, notice(id, "information"));
    expect(shown.map(({ id }) => id)).toEqual([0, 2, 3, 4, 5]);
  });
});

test("panes fold once when the width crosses their limit", () => {
  expect(foldedBy(Infinity, 1440)).toEqual([]);
  expect(foldedBy(Infinity, 800)).toEqual(["minimap", "palette", "settings"]);
  expect(foldedBy(1024, 768)).toEqual(["palette", "settings"]);
  expect(foldedBy(800, 700)).toEqual([]);
  expect(foldedBy(768, 1024)).toEqual([]);
});

test("panes that folded for lack of space reopen with it, and no others", () => {
  const editor = open(pipeline(["constant"]));
  const panes = (): unknown => editor.state.panes;
  editor.togglePane("settings", true);
  const before = panes();
  const fold = paneFolding(editor);
  editor.togglePane("settings", false); // by hand
  const byHand = panes();
  fold(390);
  expect(panes()).toMatchObject({ palette: false, settings: false });
  fold(0); // not shown
  fold(800);
  expect(panes()).toMatchObject({ palette: false, settings: false });
  fold(1440);
  expect(panes()).toEqual(byHand);
  editor.togglePane("settings", true);
  expect(panes()).toEqual(before);
  fold(800);
  editor.togglePane("palette", true); // over the canvas, by a tap
  fold(1440);
  expect(panes()).toEqual(before);
});

test("a vertical touch scrolls the palette, a horizontal one drags", () => {
  const start = { x: 10, y: 10 };
  expect(isDragging(start, { x: 11, y: 30 }, "touch")).toBe(false);
  expect(isDragging(start, { x: 30, y: 12 }, "touch")).toBe(true);
  expect(isDragging(start, { x: 11, y: 30 }, "mouse")).toBe(true);
  expect(isDragging(start, { x: 12, y: 10 }, "mouse")).toBe(false);
});

test("datasets are found by parts of words, like modules, best match first", () => {
  const items = ["my-digits", "digits", "birds"].map((title) => ({ title }));
  expect(searchTitles(items, "digits").map(({ title }) => title)).toEqual(["digits", "my-digits"]);
  expect(searchTitles(items, "dgits")).toHaveLength(2);
  expect(searchTitles(items, " ")).toHaveLength(3);
});

test("the file chooser offers every supported kind", () => {
  for (const ending of [".json", ".zip", ".gz", ".xz", ".bz2", ".tgz", ".replay"]) {
    expect(ACCEPTED.split(",")).toContain(ending);
  }
});

test("the slowest rank is shown even if the rows end before it", () => {
  expect(shownRanks(16, 3, 12)).toEqual([0, 1, 12]);
  expect(shownRanks(2, 2, 1)).toEqual([0, 1]);
});
