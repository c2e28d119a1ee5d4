/** Settings pane of nodes that start their own processes: its texts and typed values. */

import { describe, expect, it } from "vitest";

import { commandLine, launcherVariables, processesInWords } from "../src/graph/launchers";
import { isLineList, itemsOf } from "../src/graph/lineLists";
import { completionAt, templatesOf } from "../src/graph/templates";
import type { ModuleSpec, PipelineNode, RunSettings } from "../src/graph/types";
import { rowFault, variablesOf } from "../src/graph/variables";
import { CATALOG, pipeline } from "./cases";

const [ADD] = pipeline(["add"]).nodes as [PipelineNode];
const LAUNCHING: ModuleSpec = {
  ...(CATALOG.byId.get("add") as ModuleSpec),
  launches: true,
  takes_environment: true,
};

function settings(changes: Partial<RunSettings>): RunSettings {
  return { ...ADD.run_settings, ...changes };
}

const TWO_BY_FOUR = settings({ node_count: 2, process_count_per_node: 4 });

describe("processes of a launcher", () => {
  it.each([
    ["none", "One process."],
    ["pytorch_process", "2 machines × 4 processes = 8 in total: ranks 0 to 7."],
    [
      "pytorch_node",
      "2 processes started, one per machine; each starts 4: 2 machines × 4 processes = 8 in total.",
    ],
    ["mpi", "2 machines × 4 processes = 8 in total, started by one mpirun."],
    ["tensorflow", "8 workers."],
  ] as const)("are described for %s", (launcher, words) => {
    expect(processesInWords({ ...TWO_BY_FOUR, launcher })).toBe(words);
  });

  it("include parameter servers and their chief", () => {
    const counts = { ...TWO_BY_FOUR, launcher: "tensorflow", parameter_server_count: 1 } as const;
    expect(processesInWords(counts)).toBe(
      "1 chief, 8 workers and 1 parameter server: 10 in total.",
    );
  });

  it("have ranks within their counts", () => {
    const variables = (launcher: RunSettings["launcher"]): Readonly<Record<string, string>> =>
      Object.fromEntries(
        launcherVariables({ ...TWO_BY_FOUR, launcher: launcher ?? null }).map((variable) => [
          variable.name,
          variable.value,
        ]),
      );
    expect(variables("none")).toEqual({});
    expect(variables("pytorch_process")).toMatchObject({ RANK: "0 to 7", LOCAL_RANK: "0 to 3" });
    expect(variables("pytorch_node")).not.toHaveProperty("RANK");
    expect(variables("pytorch_node")).toMatchObject({ NODE_RANK: "0 to 1" });
    expect(variables("mpi")).toMatchObject({ OMPI_COMM_WORLD_SIZE: "8" });
    expect(Object.keys(variables("tensorflow"))).toEqual(["TF_CONFIG"]);
  });
});

describe("the command line", () => {
  const script = { script: "train.py", arguments: ["--epochs", "3", "--note", "two words"] };
  const written = "python train.py --epochs 3 --note 'two words'";

  it.each([
    [null, written],
    ["none", written],
    ["mpi", `mpirun -np 8 ${written}`],
    [
      "pytorch_node",
      "python -m torch.distributed.run --nnodes 2 --nproc-per-node 4 --node-rank $NODE_RANK --master-addr $MASTER_ADDR --master-port $MASTER_PORT train.py --epochs 3 --note 'two words'",
    ],
  ] as const)("of %s", (launcher, line) => {
    expect(commandLine(script, { ...TWO_BY_FOUR, launcher })).toBe(line);
  });

  it("is the node's own command, if it has one", () => {
    const own = { ...script, command: "accelerate launch train.py" };
    expect(commandLine(own, TWO_BY_FOUR)).toBe("accelerate launch train.py");
    expect(commandLine({}, TWO_BY_FOUR)).toBeUndefined();
  });
});

describe("a list, one item a line", () => {
  const templates = templatesOf(LAUNCHING);

  it("offers inputs, outputs, parameters and ranks", () => {
    expect(templates).toContain("{{inputs.a}}");
    expect(templates).toContain("$LOCAL_RANK");
    expect(templatesOf({ ...LAUNCHING, launches: false })).not.toContain("$LOCAL_RANK");
  });

  it("completes the placeholder at the caret, including its closing braces", () => {
    expect(completionAt("--data {{inp", 12, templates)).toEqual({
      from: 7,
      to: 12,
      options: ["{{inputs.a}}", "{{inputs.b}}"],
    });
    expect(completionAt("{{inputs.a}}", 10, templates)).toMatchObject({ from: 0, to: 12 });
    expect(completionAt("${{inputs.b", 11, templates)).toMatchObject({ from: 0, to: 11 });
    expect(completionAt("--rank $LOC", 11, templates)?.options).toEqual(["$LOCAL_RANK"]);
    expect(completionAt("--epochs 3", 10, templates)).toBeUndefined();
    expect(completionAt("{{nothing", 9, templates)).toBeUndefined();
  });

  it("has no empty items and no items of several lines", () => {
    expect(itemsOf("--epochs\r\n3\n\n  \n--name= x")).toEqual(["--epochs", "3", "--name= x"]);
    expect(isLineList(["a", "b"])).toBe(true);
    expect(isLineList(["a\nb"])).toBe(false);
    expect(isLineList([1])).toBe(false);
  });
});

describe("environment variables", () => {
  const row = (name: string): { name: string; value: string } => ({ name, value: "1" });

  it.each([
    ["1ST", "Use letters"],
    ["A-B", "Use letters"],
    ["SEEN", "SEEN is already listed."],
  ])("refuse %s, and do not save it", (name, fault) => {
    const rows = [row("SEEN"), row(name)];
    expect(rowFault(rows, 1)).toContain(fault);
    expect(variablesOf(rows)).toEqual({ SEEN: "1" });
  });

  it("are saved once they have a name", () => {
    expect(rowFault([row("")], 0)).toBeUndefined();
    expect(variablesOf([row(""), row("OMP_NUM_THREADS")])).toEqual({ OMP_NUM_THREADS: "1" });
  });
});
