/** Launchers of a node's processes: what they start, and the environment variables of a process. */

import type { JsonValue, ModuleSpec, PipelineNode, RunSettings } from "./types";
import { t } from "./translate";

export type Launcher = NonNullable<RunSettings["launcher"]>;

interface LauncherWords {
  readonly id: Launcher;
  readonly title: string;
  readonly help: string;
}

export const LAUNCHERS: readonly LauncherWords[] = [
  { id: "none", title: t("None"), help: t("One process; nothing is distributed.") },
  {
    id: "pytorch_process",
    title: t("PyTorch, one process per rank"),
    help: t(
      "Every process is started with its rank: DistributedDataParallel, FSDP, DeepSpeed, Transformers, accelerate, Horovod. Recommended.",
    ),
  },
  {
    id: "pytorch_node",
    title: t("PyTorch, one per machine (torchrun, Lightning)"),
    help: t(
      "One process per machine is started, which starts the others: torchrun, or a script that does this itself.",
    ),
  },
  {
    id: "mpi",
    title: "MPI",
    help: t("mpirun starts every process. Open MPI must be installed where the step runs."),
  },
  {
    id: "tensorflow",
    title: t("TensorFlow"),
    help: t("Workers and parameter servers connect through TF_CONFIG."),
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
  const product = t(
    "{nodes} {nodes:machine|machines} × {processes} {processes:process|processes} = {total}",
    { nodes, processes, total },
  );
  switch (launcherOf(settings)) {
    case "none":
      return t("One process.");
    case "pytorch_process":
      return t("{product} in total: ranks {range}.", { product, range: range(total) });
    case "pytorch_node":
      return t(
        "{nodes} {nodes:process|processes} started, one per machine; each starts {processes}: {product} in total.",
        { nodes, processes, product },
      );
    case "mpi":
      return t("{product} in total, started by one mpirun.", { product });
    case "tensorflow":
      return tensorflowInWords(total, settings.parameter_server_count ?? 0);
  }
}

/** With parameter servers there is a chief, which coordinates them and the workers. */
function tensorflowInWords(workers: number, servers: number): string {
  if (servers === 0) return `${workersInWords(workers)}.`;
  return t("1 chief, {workers} and {servers}: {total} in total.", {
    workers: workersInWords(workers),
    servers: serversInWords(servers),
    total: 1 + workers + servers,
  });
}

function workersInWords(count: number): string {
  return t("{count} {count:worker|workers}", { count });
}

function serversInWords(count: number): string {
  return t("{count} {count:parameter server|parameter servers}", { count });
}

/** "0 to 3", or "0" for one. */
function range(count: number): string {
  return count > 1 ? t("0 to {count}", { count: count - 1 }) : "0";
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
  const port = settings.variables?.["MASTER_PORT"] ?? t("6105, or a free port");
  const master = [
    row("MASTER_ADDR", t("an address"), t("Address of rank 0 (the first machine).")),
    row(
      "MASTER_PORT",
      port,
      t("Rendezvous port on that machine; the value that you set below, if any."),
    ),
  ];
  const nodeRank = row("NODE_RANK", range(nodes), t("Index of the machine."));
  const ranks = [
    row("WORLD_SIZE", `${total}`, t("Number of processes.")),
    row("RANK", range(total), t("Rank of this process.")),
    row("LOCAL_RANK", range(processes), t("Rank within the machine; in arguments: $LOCAL_RANK.")),
    row("LOCAL_WORLD_SIZE", `${processes}`, t("Number of processes on the machine.")),
    nodeRank,
    row("GROUP_RANK", range(nodes), t("Same as NODE_RANK.")),
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
        row("DESIGNER_NODE_COUNT", `${nodes}`, t("Number of machines.")),
        row(
          "DESIGNER_PROCESSES_PER_NODE",
          `${processes}`,
          t("Number of processes that each starts."),
        ),
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
    row("OMPI_COMM_WORLD_SIZE", `${total}`, t("Number of processes.")),
    row("OMPI_COMM_WORLD_RANK", range(total), t("Rank of this process.")),
    row("OMPI_COMM_WORLD_LOCAL_SIZE", `${processes}`, t("Number of processes on the machine.")),
    row(
      "OMPI_COMM_WORLD_LOCAL_RANK",
      range(processes),
      t("Rank within the machine. OMPI_COMM_WORLD_NODE_RANK counts processes, not machines."),
    ),
    row("AZ_BATCH_MASTER_NODE", "address:port", t("Address and port of rank 0.")),
  ];
}

function tensorflowHelp(settings: RunSettings): string {
  const workers = settings.node_count * settings.process_count_per_node;
  const servers = settings.parameter_server_count ?? 0;
  const others = [
    ...(servers > 0 ? [t("1 chief")] : []),
    workersInWords(workers),
    ...(servers > 0 ? [serversInWords(servers)] : []),
  ];
  return t("The cluster ({names}), each with its address, and the task of this process.", {
    names: others.join(", "),
  });
}

const THREADS: readonly Variable[] = [
  row("OMP_NUM_THREADS", t("its cores"), t("Number of threads of a process; can be set.")),
  row("GOMP_SPINCOUNT", "1000", t("How long idle threads spin; can be set.")),
];

/** Return the environment variables of every process: inputs, outputs, address for metrics. */
export function sharedVariables(module: ModuleSpec, node: PipelineNode): readonly Variable[] {
  const own = node.run_settings.variables ?? {};
  return [
    ...module.inputs.map((port) =>
      row(
        inputVariable(port.id),
        t("a path"),
        t("Path of {title}, if connected.", { title: port.title }),
      ),
    ),
    ...module.outputs.map((port) =>
      row(
        outputVariable(port.id),
        t("a path"),
        t("Path that {title} is read from.", { title: port.title }),
      ),
    ),
    row(
      "MLFLOW_TRACKING_URI",
      t("an address"),
      t("Address that MLflow logs metrics to; they are shown live."),
    ),
    ...THREADS.filter(({ name }) => !(name in own)),
    ...Object.entries(own).map(([name, value]) => row(name, value, t("Set in the run settings."))),
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
