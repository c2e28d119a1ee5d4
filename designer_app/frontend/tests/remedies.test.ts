/** Fixes that insert nodes: the edits of their buttons. */

import { describe, expect, test } from "vitest";

import { echoesOf, evidenceOf, leadingRankOf } from "../src/graph/evidence";
import { insertAcross, insertChain } from "../src/graph/chains";
import { addedNodes, setParameter } from "../src/graph/edits";
import { problemOf } from "../src/graph/problems";
import { remedyOf } from "../src/graph/remedies";
import { CATALOG, MODULES, lesson, load, pipeline } from "./cases";

const PORTS = ["training_dataset", "validation_dataset"];
const INIT = "init_image_transformation";
const APPLY = "apply_image_transformation";
const kind = { code: "0018", name: "InvalidDataset" };
const statement = { sentence: ["k", "m", "c"], facts: {} } as const;
const SUM = pipeline(
  ["one:constant", "two:constant", "sum:add"],
  ["one.output -> sum.a", "two.output -> sum.b"],
);
const ends = (document: typeof SUM): readonly string[] =>
  document.links.map(({ from, to }) => `${from.node} -> ${to.node}.${to.port}`).toSorted();

test("a module is inserted on the link of a problem and on sibling links, with its input", () => {
  const edited = insertChain(SUM, CATALOG, ["constant", "multiply"], { node: "sum", port: "b" });
  expect(ends(edited)).toEqual([
    "constant -> multiply.b",
    "constant -> multiply_2.b",
    "multiply -> sum.b",
    "multiply_2 -> sum.a",
    "one -> multiply_2.a",
    "two -> multiply.a",
  ]);
});

test("the feeding module gets the parameters of the fix", () => {
  const values = { constant: { value: 7 } };
  const to = { node: "sum", port: "a" };
  const edited = insertChain(SUM, CATALOG, ["constant", "add"], to, values);
  expect(edited.nodes.find((node) => node.id === "constant")?.parameters).toEqual({ value: 7 });
});

test("one module is inserted on as many links as it has ports", () => {
  const edited = insertAcross(SUM, CATALOG, "whole", "sum", ["b", "a"]);
  expect(ends(edited)).toEqual(["one -> sum.a", "two -> whole.a", "whole -> sum.b"]);
});

test("a chain without a fitting module is refused, and so is a fix of unknown shape", () => {
  const to = { node: "sum", port: "a" };
  expect(() => insertChain(SUM, CATALOG, ["constant"], to)).toThrow(
    "None of the modules can be inserted into the wire to Add's",
  );
  for (const remedy of [{ across: {} }, { across: 3 }, { insert: "add" }, {}]) {
    const problem = problemOf(kind, statement, { node: "sum", port: "a", remedy: remedy as never });
    expect(remedyOf(problem, SUM, CATALOG)).toBeUndefined();
  }
});

test("evidence of the expected shape is accepted", () => {
  const problem = problemOf(kind, statement);
  expect(evidenceOf(problem)).toBeUndefined();
  const rows = [["a", "b"], ["c"], "d", [1, 2]];
  const details = { kind: "sizes", title: "Sizes found", rows, num_rows: 40 };
  expect(evidenceOf({ ...problem, details } as never)).toEqual({
    title: "Sizes found",
    rows: [["a", "b"]],
    total: 40,
  });
  expect(evidenceOf({ ...problem, details: { title: 1, rows: [] } } as never)).toBeUndefined();
  expect(echoesOf({ ...problem, details } as never)).toBeUndefined();
});

test("ranks with secondary errors are next to the evidence", () => {
  const rows = [["rank 0", "Connection closed by peer"]];
  const echoes = { kind: "ranks", title: "1 other rank ended as a result", rows, num_rows: 1 };
  const problem = { ...problemOf(kind, statement), details: { rank: 1, echoes } };
  expect(evidenceOf(problem as never)).toBeUndefined();
  expect(echoesOf(problem as never)).toEqual({ title: echoes.title, rows, total: 1 });
  expect(leadingRankOf(problem as never)).toBe(1);
  for (const odd of [null, [], "x", { rows: 3 }]) {
    expect(echoesOf({ ...problem, details: { rank: "1", echoes: odd } } as never)).toBeUndefined();
    expect(leadingRankOf({ ...problem, details: { rank: "1" } } as never)).toBeUndefined();
  }
});

/** Labels of fixes on the first lesson, and the nodes that they add before the training. */
const ON_THE_LESSON = [
  [
    { across: { module: "align_classes", ports: PORTS } },
    "Insert Align Classes",
    ["align_classes"],
  ],
  [
    { insert: [INIT, APPLY], parameters: { [INIT]: { size: 32, crop_size: 32 } } },
    "Insert Init Image Transformation, Apply Image Transformation",
    [INIT, APPLY, `${APPLY}_2`],
  ],
] as const;

test.each(ON_THE_LESSON)("a training gets its missing input by %j", (remedy, label, added) => {
  const whole = lesson("01-digits");
  const problem = problemOf(kind, statement, { node: "train", port: "validation_dataset", remedy });
  const fix = remedyOf(problem, whole, MODULES);
  expect(fix?.label).toBe(label);
  const edited = fix?.edit?.(whole, MODULES) ?? whole;
  expect(addedNodes(whole, edited).toSorted()).toEqual([...added].toSorted());
  const into = edited.links.filter(({ to }) => to.node === "train" && PORTS.includes(to.port));
  expect(into.map(({ from }) => added.some((id) => id === from.node))).toEqual([true, true]);
  const made = edited.nodes.find(({ id }) => id === INIT);
  if (made) expect(made.parameters).toEqual({ size: 32, crop_size: 32 });
});

test("an included network replaces one whose weights need a download, as one edit", () => {
  const parameters = { model_name: "efficientnet_lite0", pretrained: true };
  const remedy = {
    use_network: { title: "EfficientNet-Lite0", module: "image_model", parameters },
  };
  const whole = setParameter(
    lesson("01-digits"),
    MODULES,
    "densenet",
    "freeze",
    "all but the head",
  );
  for (const node of ["densenet", "train"]) {
    const fix = remedyOf(problemOf(kind, statement, { node, remedy }), whole, MODULES);
    expect(fix?.label).toBe("Use EfficientNet-Lite0 (included)");
    const edited = fix?.edit?.(whole, MODULES) ?? whole;
    const network = edited.nodes.find(({ id }) => id === "densenet");
    expect(network?.module).toBe("image_model");
    expect(network?.parameters).toEqual({
      model_name: "efficientnet_lite0",
      freeze: "all but the head",
    });
    expect(edited.links).toEqual(whole.links);
  }
  const split = problemOf(kind, statement, { node: "split", remedy });
  expect(remedyOf(split, whole, MODULES)).toBeUndefined();
});

interface SetCase {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly links: readonly string[];
  readonly node: string;
  readonly port?: string;
  readonly remedy: { readonly set: Readonly<Record<string, number>> };
  readonly label: string | null;
  readonly changed?: string;
  readonly parameters?: Readonly<Record<string, number>>;
}

describe("a fix sets parameters where they are", () => {
  test.each(load<SetCase[]>("remedies.json"))("$name", (entry) => {
    const document = pipeline(entry.nodes, entry.links);
    const { node, port, remedy } = entry;
    const fix = remedyOf(problemOf(kind, statement, { node, port, remedy }), document, CATALOG);
    expect(fix?.label ?? null).toBe(entry.label);
    const edited = fix?.edit?.(document, CATALOG) ?? document;
    const changed = edited.nodes.filter((one) => Object.keys(one.parameters).length > 0);
    expect(changed.map(({ id, parameters }) => ({ id, parameters }))).toEqual(
      fix ? [{ id: entry.changed, parameters: entry.parameters }] : [],
    );
  });
});

test("foreign code is reviewed: no edit approves it", () => {
  const problem = problemOf(kind, statement, { node: "sum", remedy: { look_at_code: true } });
  expect(remedyOf(problem, SUM, CATALOG)).toEqual({
    label: "Review code",
    dialog: "code",
  });
});
