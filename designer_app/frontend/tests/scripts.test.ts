/** Faults of code, phases of steps, and names of environments, as shown. */

import { describe, expect, it } from "vitest";

import { environmentName } from "../src/commands/scriptEnvironment";
import { codeFaults } from "../src/graph/codeFaults";
import { settingsText } from "../src/graph/nodeSummary";
import { type Phase, awaitedRun, coresOf, phaseFacts, waitingWords } from "../src/graph/phases";
import { NEW_STEP } from "../src/graph/runState";
import { typeWords } from "../src/graph/typeWords";
import type { ModuleSpec, PipelineNode, Problem, StepState } from "../src/graph/types";
import { CATALOG, load, pipeline } from "./cases";

const UNEXPECTED_PROBLEM: Problem = {
  code: "3032",
  name: "Unexpected",
  severity: "error",
  node: "n",
  port: null,
  parameter: null,
  remedy: null,
  details: null,
  reason: "",
  facts: {},
  message: "It broke.",
  cure: "Mend it.",
};

describe("faults of code", () => {
  it("have the line, and columns counted from 0 instead of 1", () => {
    const facts = { line: 3, column: 8, end_column: 22 };
    const [fault] = codeFaults([null, { ...UNEXPECTED_PROBLEM, facts }], "code");
    expect(fault).toEqual({ line: 3, column: 7, endColumn: 21, message: "It broke. Mend it." });
  });

  it("are empty without a line, or at another parameter", () => {
    const facts = { line: 3 };
    expect(codeFaults([UNEXPECTED_PROBLEM], "code")).toEqual([]);
    const other = { ...UNEXPECTED_PROBLEM, facts, parameter: "script" };
    expect(codeFaults([other], "code")).toEqual([]);
    expect(codeFaults([{ ...other, facts: { line: "3" } }], "script")).toEqual([]);
  });
});

it.each(Object.entries(load<Record<string, string>>("type_words.json")))(
  "a port of type %s is shown as %s",
  (type, words) => {
    expect(typeWords(type)).toBe(words);
  },
);

describe("phases", () => {
  const preparing: Phase = { phase: "preparing", started: 1, finished: null, facts: {} };

  it.each([
    [{}, ""],
    [{ environment: "tiny@1" }, "environment tiny@1, building"],
    [{ environment: "tiny@1", is_cached: true }, "environment tiny@1, cached"],
    [{ waits_for: "cores" }, "waits for cores"],
  ])("show %j as text", (facts, words) => {
    expect(phaseFacts({ ...preparing, facts })).toBe(words);
  });

  it.each([
    [{ cores: 1, least_cores: 1, most_cores: 2, machine_cores: 2 }, null, "1 of 2 cores"],
    [{ cores: 1, least_cores: 1, most_cores: 2, machine_cores: 2 }, 9, "1 to 2 of 2 cores"],
    [{ cores: 1, least_cores: 1, most_cores: 1, machine_cores: 1 }, 9, "1 of 1 core"],
    [{}, 9, ""],
  ])("tell the cores of %j", (facts, finished, words) => {
    const running: Phase = { phase: "running", started: 2, finished, facts };
    expect(phaseFacts(running)).toBe(words && `on ${words}`);
    expect(coresOf({ ...NEW_STEP, phases: [preparing, running] })).toBe(words);
  });

  it("are on the node only while it waits", () => {
    const phase = { ...preparing, facts: { environment: "tiny@1" } };
    expect(waitingWords({ ...NEW_STEP, phases: [phase] })).toBe(
      "Preparing: environment tiny@1, building",
    );
    const scaling: Phase = { ...phase, phase: "scaling", facts: { waits_for: "cores" } };
    expect(waitingWords({ ...NEW_STEP, phases: [scaling] })).toMatch(
      /^Waits since \d+:.* for cores$/,
    );
    const third: Phase = { ...scaling, facts: { ...scaling.facts, ahead: 2 } };
    expect(waitingWords({ ...NEW_STEP, phases: [third] })).toMatch(
      /^Waits since \d+:.* for cores, 2 nodes before it$/,
    );
    const first: Phase = { ...scaling, facts: { ...scaling.facts, ahead: 0 } };
    expect(waitingWords({ ...NEW_STEP, phases: [first] })).toMatch(/ for cores$/);
    expect(waitingWords({ ...NEW_STEP, phases: [{ ...phase, finished: 2 }] })).toBeUndefined();
    expect(waitingWords({ ...NEW_STEP, phases: [{ ...phase, phase: "running" }] })).toBeUndefined();
    expect(waitingWords(undefined)).toBeUndefined();
  });

  it("name the run that computes the same output, only while the step waits for it", () => {
    const facts = { waits_for: "run “Birds 2”", computed_by: "Birds 2", run_id: "20261129-1" };
    const scaling: Phase = { ...preparing, phase: "scaling", facts };
    const waits = (phase: Phase): StepState => ({ ...NEW_STEP, phases: [phase] });
    expect(awaitedRun(waits(scaling))).toEqual({ id: "20261129-1", name: "Birds 2" });
    expect(awaitedRun(waits({ ...scaling, finished: 2 }))).toBeUndefined();
    const cores = { ...facts, waits_for: "cores", computed_by: "", run_id: "" };
    expect(awaitedRun(waits({ ...scaling, facts: cores }))).toBeUndefined();
    expect(awaitedRun(undefined)).toBeUndefined();
  });
});

it.each([
  ["Train Birds.py", "train-birds"],
  ["_x.py", "x"],
  ["---", "script"],
])("an environment for %s is called %s", (file, name) => {
  expect(environmentName(file)).toBe(name);
});

describe("the last line of a node with code", () => {
  const [module] = CATALOG.modules;
  const spec = module?.parameters[0];
  const code = {
    ...spec,
    id: "typed_script",
    title: "Typed script",
    type: "string",
    code: "python",
  };
  const typed = { ...module, parameters: [code] } as ModuleSpec;
  const [node] = pipeline(["a:constant"]).nodes as [PipelineNode];
  const words = (value: string): string =>
    settingsText({ ...node, parameters: { typed_script: value } }, typed);

  it("shows the length of the code, not its beginning", () => {
    expect(words('"""Train a small network."""\nimport torch\n')).toBe("typed script, 2 lines");
    expect(words("print(1)")).toBe("print(1)");
  });
});
