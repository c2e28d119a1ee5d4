/** Inside of a sub-pipeline, as shown and edited: nodes by their paths, ports as nodes. */

import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";

import { COMMANDS, commandOf, perform } from "../src/commands/registry";
import { goToNode } from "../src/commands/goTo";
import { addNode, connect, disconnect } from "../src/graph/edits";
import { removeNodes } from "../src/graph/removal";
import { extract, paste, standalone } from "../src/graph/copies";
import { scaleOf } from "../src/graph/layout/fold";
import { boxAround } from "../src/graph/layout/geometry";
import { clearOfOthers } from "../src/graph/layout/clearOfOthers";
import { endKey, findNode } from "../src/graph/lookup";
import { NEW_PORT } from "../src/graph/paths";
import {
  catalogAt,
  definitionAt,
  everyNode,
  keptAt,
  nearestPlace,
  pathTitle,
  shownAt,
} from "../src/graph/places";
import { makeSubPipeline } from "../src/graph/subPipelines";
import { possibleLinks } from "../src/graph/connections";
import type { Definition, PipelineDocument, Size } from "../src/graph/types";
import { byNode, shownProblems } from "../src/store/problems";
import { problemOf, UNKNOWN_NODE } from "../src/graph/problems";
import { NO_NODE } from "../src/graph/sentences/edits.gen";
import { about } from "../src/graph/sentences/sentence";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { silentApi } from "./server";
import { expectWhole } from "./documents";

const PLAIN = pipeline(
  ["one:constant", "sum:add", "whole", "last:factorial"],
  ["one.output -> sum.a", "sum.output -> whole.a", "whole.output -> last.n"],
);
/** sub_pipeline contains sum and whole; its ports: a (of sum), b (free), output. */
const OUTER = makeSubPipeline(PLAIN, CATALOG, ["sum", "whole"]);
const PLACE = "sub_pipeline";
/** Nested: sub_pipeline_2 contains sub_pipeline and last. */
const NESTED = makeSubPipeline(OUTER, CATALOG, [PLACE, "last"]);
const DEEP = "sub_pipeline_2/sub_pipeline";

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

async function inside(document: PipelineDocument, place: string): Promise<Editor> {
  const editor = open(document);
  await editor.enter(place);
  expect(editor.state.place).toBe(place);
  return editor;
}

const idsOf = (document: PipelineDocument): readonly string[] => document.nodes.map(({ id }) => id);
const linksOf = (document: PipelineDocument): readonly string[] =>
  document.links.map(({ from, to }) => `${endKey(from)} -> ${endKey(to)}`);

describe("the shown place", () => {
  test("nodes have paths, and ports are two nodes", () => {
    const shown = shownAt(NESTED, DEEP);
    expect(idsOf(shown)).toEqual(
      ["sum", "whole", "@inputs", "@outputs"].map((id) => `${DEEP}/${id}`),
    );
    expect(linksOf(shown)).toContain(`${DEEP}/@inputs.a -> ${DEEP}/sum.a`);
    expect(linksOf(shown)).toContain(`${DEEP}/whole.output -> ${DEEP}/@outputs.output`);
    expect(shownAt(NESTED, "")).toBe(NESTED);
  });

  test.each([1, 2, 3])("%i in a row are readable with their ports on a small canvas", (count) => {
    const { nodes, ...rest } = definitionAt(OUTER, PLACE) ?? { nodes: [] };
    const [node] = nodes;
    const row = Array.from({ length: count }, (_, at) => ({
      ...node,
      id: `n${at}`,
      position: { x: 900 + 248 * at, y: 400 },
    }));
    const definition = { ...rest, nodes: row } as Definition;
    const size = { width: 200, height: 174 };
    const scale = (room: Size): number => {
      const { nodes: all } = shownAt({ ...OUTER, definitions: [definition] }, PLACE, room);
      const box = boxAround(all.map(({ position }) => ({ ...position, ...size })));
      return box ? scaleOf(box, room) : 0;
    };
    expect(scale({ width: 490, height: 600 })).toBeGreaterThan(0.6);
    expect(scale({ width: 900, height: 380 })).toBeGreaterThan(0.55);
  });

  test("a node that replaces others is at one of their positions, on no other node", () => {
    const row = PLAIN.nodes.map((node, at) => ({ ...node, position: { x: 248 * at, y: 0 } }));
    const places = row.map(({ position }) => position);
    const [stays, , , added] = row;
    const both = { ...PLAIN, nodes: [stays, added].flatMap((node) => node ?? []), links: [] };
    const over = {
      ...both,
      nodes: both.nodes.map((node) => ({ ...node, position: { x: 0, y: 0 } })),
    };
    const placed = (wanted: typeof places) =>
      clearOfOthers(over, CATALOG, wanted).nodes[1]?.position;
    expect(placed(places)).toEqual({ x: 248, y: 0 });
    expect(placed([])).toEqual({ x: 0, y: 0 });
  });

  test("unchanged parts are the same objects, and stored unchanged", () => {
    const shown = shownAt(NESTED, DEEP);
    expect(shownAt({ ...NESTED, name: "Other" }, DEEP).nodes).toBe(shown.nodes);
    expect(keptAt(NESTED, DEEP, shown)).toEqual(NESTED);
    const kept = keptAt(NESTED, DEEP, shown);
    expect(definitionAt(kept, DEEP)?.nodes[0]).toBe(definitionAt(NESTED, DEEP)?.nodes[0]);
  });

  test("a missing place is replaced by its nearest existing parent", () => {
    expect(nearestPlace(NESTED, `${DEEP}/gone`)).toBe(DEEP);
    expect(nearestPlace(NESTED, "gone/deeper")).toBe("");
    expect(nearestPlace(OUTER, DEEP)).toBe("");
  });

  test("every node is listed by its path, with the title of its parents", () => {
    expect(everyNode(NESTED)(CATALOG).map(({ path }) => path)).toEqual([
      "one",
      "sub_pipeline_2",
      "sub_pipeline_2/last",
      DEEP,
      `${DEEP}/sum`,
      `${DEEP}/whole`,
    ]);
    const catalog = catalogAt(CATALOG, NESTED, DEEP);
    expect(pathTitle(NESTED, catalog, `${DEEP}/sum`)).toBe("Sub-pipeline / Sub-pipeline / Add");
  });

  test("a sub-pipeline is not offered inside itself", () => {
    const offered = catalogAt(CATALOG, NESTED, DEEP).modules.map(({ id }) => id);
    expect(offered).not.toContain("definition:sub_pipeline");
    expect(offered).not.toContain("definition:sub_pipeline_2");
    expect(offered).not.toContain("sub_pipeline_inputs");
    const above = catalogAt(CATALOG, NESTED, "sub_pipeline_2").modules.map(({ id }) => id);
    expect(above).toContain("definition:sub_pipeline");
  });
});

describe("edits inside", () => {
  test("are stored in the definition, for every node that refers to it", () => {
    const twice = paste(OUTER, extract(OUTER, [PLACE]));
    const shown = shownAt(twice, PLACE);
    const kept = keptAt(twice, PLACE, addNode(shown, CATALOG, "constant", 8, 8));
    const ids = ["sum", "whole", "constant"];
    expect(definitionAt(kept, PLACE)?.nodes.map(({ id }) => id)).toEqual(ids);
    expect(definitionAt(kept, `${PLACE}_2`)?.nodes).toHaveLength(3);
    expectWhole(kept);
  });

  test("a port without a wire is removed, with its wires outside", () => {
    const shown = shownAt(OUTER, PLACE);
    const kept = keptAt(OUTER, PLACE, disconnect(shown, { node: `${PLACE}/sum`, port: "a" }));
    expect(definitionAt(kept, PLACE)?.inputs.map(({ id }) => id)).toEqual(["b"]);
    expect(linksOf(OUTER)).toContain("one.output -> sub_pipeline.a");
    expect(linksOf(kept)).not.toContain("one.output -> sub_pipeline.a");
  });

  test("a wire from the new port creates a port, a wire to another node moves one", () => {
    const shown = shownAt(OUTER, PLACE);
    const catalog = catalogAt(CATALOG, OUTER, PLACE);
    const grown = addNode(shown, catalog, "multiply");
    const fresh = { node: `${PLACE}/@inputs`, port: NEW_PORT };
    const wired = connect(grown, catalog, fresh, { node: `${PLACE}/multiply`, port: "a" });
    const kept = keptAt(OUTER, PLACE, wired);
    expect(definitionAt(kept, PLACE)?.inputs).toContainEqual({
      id: "a_2",
      title: "",
      node: "multiply",
      port: "a",
    });
    const output = { node: `${PLACE}/@outputs`, port: "output" };
    const more = addNode(shown, catalog, "factorial");
    const moved = connect(more, catalog, { node: `${PLACE}/factorial`, port: "output" }, output);
    const [port] = definitionAt(keptAt(OUTER, PLACE, moved), PLACE)?.outputs ?? [];
    expect(port).toMatchObject({ id: "output", node: "factorial" });
  });

  test("the ports stay if their two nodes are deleted", () => {
    const gone = removeNodes(shownAt(OUTER, PLACE), [`${PLACE}/@inputs`, `${PLACE}/@outputs`]);
    expect(keptAt(OUTER, PLACE, gone)).toEqual(OUTER);
  });

  test("a sub-pipeline created inside another has no paths in it", () => {
    const shown = shownAt(OUTER, PLACE);
    const catalog = catalogAt(CATALOG, OUTER, PLACE);
    const kept = keptAt(OUTER, PLACE, makeSubPipeline(shown, catalog, [`${PLACE}/sum`]));
    expectWhole(kept);
    expect(definitionAt(kept, `${PLACE}/sub_pipeline_2`)?.nodes.map(({ id }) => id)).toEqual([
      "sum",
    ]);
  });

  test("a sub-pipeline cannot contain itself", () => {
    const shown = shownAt(NESTED, DEEP);
    const held = { ...CATALOG, byId: catalogAt(CATALOG, NESTED, "").byId };
    const wrong = addNode(shown, held, "definition:sub_pipeline_2");
    expect(() => keptAt(NESTED, DEEP, wrong)).toThrow("cannot contain itself");
  });

  test("nodes copied inside have plain ids outside", () => {
    const copied = standalone(extract(shownAt(OUTER, PLACE), [`${PLACE}/sum`, `${PLACE}/whole`]));
    expect(idsOf(copied)).toEqual(["sum", "whole"]);
    expect(linksOf(copied)).toEqual(["sum.output -> whole.a"]);
  });
});

describe("the editor inside", () => {
  test("an edit changes the whole document; undo and redo show where it was made", async () => {
    const editor = await inside(NESTED, DEEP);
    const edit = (d: PipelineDocument): PipelineDocument => addNode(d, CATALOG, "constant");
    editor.dispatch(edit, { label: "Add", select: "added" });
    expect(editor.state.selection.nodes).toEqual([`${DEEP}/constant`]);
    const after = editor.state.whole;
    expect(definitionAt(after, DEEP)?.nodes).toHaveLength(3);
    perform(editor, "select-none");
    perform(editor, "leave-sub-pipeline");
    expect(editor.state.place).toBe("sub_pipeline_2");
    expect(editor.state.selection.nodes).toEqual([DEEP]);
    editor.leave("");
    editor.undo();
    expect([editor.state.place, editor.state.whole]).toEqual([DEEP, NESTED]);
    editor.leave("");
    editor.redo();
    expect([editor.state.place, editor.state.whole]).toEqual([DEEP, after]);
  });

  test("undoing the creation of the shown sub-pipeline shows its parent", async () => {
    const editor = open(PLAIN);
    editor.dispatch((d, c) => makeSubPipeline(d, c, ["sum"]), { label: "Make" });
    await editor.enter(PLACE);
    editor.undo();
    expect([editor.state.place, editor.state.document]).toEqual(["", PLAIN]);
  });

  test("Escape first clears the selection, then leaves", async () => {
    const editor = await inside(OUTER, PLACE);
    editor.select({ nodes: [`${PLACE}/sum`] });
    perform(editor, "select-none");
    expect([editor.state.place, editor.state.selection.nodes]).toEqual([PLACE, []]);
    perform(editor, "select-none");
    expect([editor.state.place, editor.state.selection.nodes]).toEqual(["", [PLACE]]);
  });

  test("an inner node can be opened from any place", async () => {
    const editor = open(NESTED);
    goToNode(editor, `${DEEP}/sum`);
    await expect.poll(() => editor.state.selection.nodes).toEqual([`${DEEP}/sum`]);
    expect(editor.state.place).toBe(DEEP);
    expect(commandOf("select-all").enabled?.(editor.state)).toBe(true);
    perform(editor, "select-all");
    expect(editor.state.selection.nodes).toEqual([`${DEEP}/sum`, `${DEEP}/whole`]);
  });

  test("a problem of an inner node is shown from outside", () => {
    const problem = problemOf(UNKNOWN_NODE, about(NO_NODE, { name: "sum", help: "Look." }), {
      node: `${DEEP}/sum`,
    });
    const lists = byNode(shownProblems(NESTED, [problem]), {});
    expect(lists["sub_pipeline_2"]).toContain(problem);
    expect(lists[DEEP]).toContain(problem);
  });
});

/** Commands that change the document at once; the others read, wait or leave the page. */
const WAITING = new Set([
  "paste",
  "cut",
  "tidy-up",
  "import",
  "cure",
  "undo",
  "redo",
  "select-none",
]);
const AT_ONCE = COMMANDS.filter(
  (command) => ["Edit", "Select", "Arrange"].includes(command.group) && !WAITING.has(command.id),
).map((command) => command.id);

test("any commands inside leave a valid document, and can be undone", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom("add", "link", ...AT_ONCE), fc.array(fc.nat(9), { maxLength: 3 })),
        { maxLength: 12 },
      ),
      async (actions) => {
        const editor = await inside(NESTED, DEEP);
        for (const [action, places] of actions) {
          const { document } = editor.state;
          const real = document.nodes.filter((node) => !node.id.includes("@"));
          const chosen = places.flatMap((at) => real[at % Math.max(1, real.length)]?.id ?? []);
          editor.select({ nodes: [...new Set(chosen)] });
          if (action === "add") {
            editor.dispatch((d, c) => addNode(d, c, "add"), { label: "Add" });
          } else if (action === "link") {
            editor.dispatch(
              (d, c) => {
                const [link] = possibleLinks(d, c, chosen[0] ?? "", chosen[1] ?? "");
                return link ? connect(d, c, link.from, link.to) : d;
              },
              { label: "Link" },
            );
          } else perform(editor, action);
        }
        await Promise.resolve();
        const { whole } = editor.state;
        expectWhole(whole);
        while (editor.state.history.past.length > 0) editor.undo();
        expect(editor.state.whole).toEqual(NESTED);
        expect(findNode(editor.state.document, `${DEEP}/sum`)).toBeDefined();
      },
    ),
    { numRuns: 40 },
  );
});
