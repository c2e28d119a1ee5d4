/** Launchers of a node's processes: what they start, and the environment variables of a process. */

import type { JsonValue, ModuleSpec, PipelineNode, RunSettings } from "./types";

export type Launcher = NonNullable<RunSettings["launcher"]>;

interface LauncherWords {
  readonly id: Launcher;
  readonly title: string;
  readonly help: string;
}

export const LAUNCHERS: readonly LauncherWords[] = [
  { id: "none", title: "None", help: "One process; nothing is distributed." },
  {
    id: "pytorch_process",
    title: "PyTorch, one process per rank",
    help: "Every process is started with its rank: DistributedDataParallel, FSDP, DeepSpeed, Transformers, accelerate, Horovod. Recommended.",
  },
  {
    id: "pytorch_node",
    title: "PyTorch, one per machine (torchrun, Lightning)",
    help: "One process per machine is started, which starts the others: torchrun, or a script that does this itself.",
  },
  {
    id: "mpi",
    title: "MPI",
    help: "mpirun starts every process. Open MPI must be installed where the step runs.",
  },
  {
    id: "tensorflow",
    title: "TensorFlow",
    help: "Workers and parameter servers connect through TF_CONFIG.",
  },
];

/** Default launcher of a module that starts processes. */
export const USUAL_LAUNCHER: Launcher = "pytorch_process";

export function launcherOf(settings: RunSettings): Launcher {
  return settings.launcher ?? USUAL_LAUNCHER;
}

/** "2 nodes x 4 processes = 8 processes in total." */
export function processesInWords(settings: RunSettings): string {
  const { node_count: nodes, process_count_per_node: processes } = settings;
  const total = nodes * processes;
  const product = `${counted(nodes, "machine")} × ${counted(processes, "process")} = ${total}`;
  switch (launcherOf(settings)) {
    case "none":
      return "One process.";
    case "pytorch_process":
      return `${product} in total: ranks ${range(total)}.`;
    case "pytorch_node":
      return `${counted(nodes, "process")} started, one per machine; each starts ${processes}: ${product} in total.`;
    case "mpi":
      return `${product} in total, started by one mpirun.`;
    case "tensorflow":
      return tensorflowInWords(total, settings.parameter_server_count ?? 0);
  }
}

/** With parameter servers there is a chief, which coordinates them and the workers. */
function tensorflowInWords(workers: number, servers: number): string {
  if (servers === 0) return `${counted(workers, "worker")}.`;
  return `1 chief, ${counted(workers, "worker")} and ${counted(servers, "parameter server")}: ${1 + workers + servers} in total.`;
}

function counted(count: number, thing: string): string {
  if (count === 1) return `1 ${thing}`;
  return `${count} ${thing}${thing.endsWith("s") ? "es" : "s"}`;
}

/** "0 to 3", or "0" for one. */
function range(count: number): string {
  return count > 1 ? `0 to ${count - 1}` : "0";
}

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly help: string;
}

/** Return the environment variables that the launcher sets for a process, for the node's counts. */
export function launcherVariables(settings: RunSettings): readonly Variable[] {
  const { node_count: nodes, process_count_per_node: processes } = settings;
  const total = nodes * processes;
  const port = settings.variables?.["MASTER_PORT"] ?? "6105, or a free port";
  const master = [
    row("MASTER_ADDR", "an address", "Address of rank 0 (the first machine)."),
    row(
      "MASTER_PORT",
      port,
      "Rendezvous port on that machine; the value that you set below, if any.",
    ),
  ];
  const nodeRank = row("NODE_RANK", range(nodes), "Index of the machine.");
  const ranks = [
    row("WORLD_SIZE", `${total}`, "Number of processes."),
    row("RANK", range(total), "Rank of this process."),
    row("LOCAL_RANK", range(processes), "Rank within the machine; in arguments: $LOCAL_RANK."),
    row("LOCAL_WORLD_SIZE", `${processes}`, "Number of processes on the machine."),
    nodeRank,
    row("GROUP_RANK", range(nodes), "Same as NODE_RANK."),
  ];
  switch (launcherOf(settings)) {
    case "none":
      return [];
    case "pytorch_process":
      return [...master, ...ranks];
    case "pytorch_node":
      return [
        ...master,
        nodeRank,
        row("DESIGNER_NODE_COUNT", `${nodes}`, "Number of machines."),
        row("DESIGNER_PROCESSES_PER_NODE", `${processes}`, "Number of processes that each starts."),
      ];
    case "mpi":
      return [...mpiRanks(settings), ...master, ...ranks];
    case "tensorflow":
      return [row("TF_CONFIG", "JSON", tensorflowHelp(settings))];
  }
}

function row(name: string, value: string, help: string): Variable {
  return { name, value, help };
}

function mpiRanks(settings: RunSettings): readonly Variable[] {
  const { node_count: nodes, process_count_per_node: processes } = settings;
  const total = nodes * processes;
  return [
    row("OMPI_COMM_WORLD_SIZE", `${total}`, "Number of processes."),
    row("OMPI_COMM_WORLD_RANK", range(total), "Rank of this process."),
    row("OMPI_COMM_WORLD_LOCAL_SIZE", `${processes}`, "Number of processes on the machine."),
    row(
      "OMPI_COMM_WORLD_LOCAL_RANK",
      range(processes),
      "Rank within the machine. OMPI_COMM_WORLD_NODE_RANK counts processes, not machines.",
    ),
    row("AZ_BATCH_MASTER_NODE", "address:port", "Address and port of rank 0."),
  ];
}

function tensorflowHelp(settings: RunSettings): string {
  const workers = settings.node_count * settings.process_count_per_node;
  const servers = settings.parameter_server_count ?? 0;
  const others = [
    ...(servers > 0 ? ["1 chief"] : []),
    counted(workers, "worker"),
    ...(servers > 0 ? [counted(servers, "parameter server")] : []),
  ];
  return `The cluster (${others.join(", ")}), each with its address, and the task of this process.`;
}

const THREADS: readonly Variable[] = [
  row("OMP_NUM_THREADS", "its cores", "Number of threads of a process; can be set."),
  row("GOMP_SPINCOUNT", "1000", "How long idle threads spin; can be set."),
];

/** Return the environment variables of every process: inputs, outputs, address for metrics. */
export function sharedVariables(module: ModuleSpec, node: PipelineNode): readonly Variable[] {
  const own = node.run_settings.variables ?? {};
  return [
    ...module.inputs.map((port) =>
      row(inputVariable(port.id), "a path", `Path of ${port.title}, if connected.`),
    ),
    ...module.outputs.map((port) =>
      row(outputVariable(port.id), "a path", `Path that ${port.title} is read from.`),
    ),
    row(
      "MLFLOW_TRACKING_URI",
      "an address",
      "Address that MLflow logs metrics to; they are shown live.",
    ),
    ...THREADS.filter(({ name }) => !(name in own)),
    ...Object.entries(own).map(([name, value]) => row(name, value, "Set in the run settings.")),
  ];
}

function inputVariable(port: string): string {
  return `DESIGNER_INPUT_${port.toUpperCase()}`;
}

function outputVariable(port: string): string {
  return `DESIGNER_OUTPUT_${port.toUpperCase()}`;
}

const TORCHRUN = "--node-rank $NODE_RANK --master-addr $MASTER_ADDR --master-port $MASTER_PORT";

/** Return the command line as far as the parameters define it; undefined without a script. */
export function commandLine(
  parameters: Readonly<Record<string, JsonValue>>,
  settings: RunSettings,
): string | undefined {
  const { command, script, arguments: argumentsValue } = parameters;
  const { node_count: nodes, process_count_per_node: processes } = settings;
  if (typeof command === "string" && command.trim() !== "") return command;
  if (typeof script !== "string" || script === "") return undefined;
  const words = [script, ...(Array.isArray(argumentsValue) ? argumentsValue : [])];
  const line = words.map((word) => quoted(String(word))).join(" ");
  switch (launcherOf(settings)) {
    case "pytorch_node":
      return `python -m torch.distributed.run --nnodes ${nodes} --nproc-per-node ${processes} ${TORCHRUN} ${line}`;
    case "mpi":
      return `mpirun -np ${nodes * processes} python ${line}`;
    default:
      return `python ${line}`;
  }
}

function quoted(word: string): string {
  return /[\s'"]|^$/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word;
}
