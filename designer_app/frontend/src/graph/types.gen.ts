// Made by `python -m designer_app.api.typescript` from the models of Python: do not edit.
// schema 4f43a120a1e8c706b9eb37f1f69c79cd8d0b3e4922b0bb69842c699e2172675b
// text bbf1ac07bedf15e71a3e7f7ae0ce1d33eb3029983b8c1e9457541ae1fdd49c21

/** Anything that JSON can hold. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** All objects for which the editor has a type. */
export interface EditorTypes {
  readonly document: PipelineDocument;
  readonly catalog: CatalogSpec;
  readonly problem: Problem;
  readonly target: TargetOffer;
  readonly event: Event;
  readonly run_state: RunState;
  readonly difference: PipelineDifference;
}
/** Pipeline: nodes, the links between them, and annotations. */
export interface PipelineDocument {
  readonly format: "pipeline-designer/2";
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  readonly notes: readonly Note[];
  readonly groups: readonly NodeGroup[];
  readonly parameters?: readonly PipelineParameter[];
  /** Sub-pipelines that nodes refer to. */
  readonly definitions?: readonly Definition[];
  readonly settings: Settings;
}
/** Module, or a sub-pipeline (``definition:ID``), on the canvas. */
export interface Node {
  readonly id: string;
  readonly module: string;
  readonly version: number;
  readonly title: string | null;
  /** Name of a color. Null: that of the category. */
  readonly color?: string | null;
  readonly position: Position;
  readonly parameters: { readonly [k: string]: JsonValue };
  readonly run_settings: RunSettings;
  readonly comment: string;
  readonly disabled: boolean;
  /** Shown as its title bar only. */
  readonly collapsed?: boolean;
  /** Stored result that runs use. Null: computed. */
  readonly pin?: Pin | null;
}
/** Position of the upper left corner on the canvas. */
export interface Position {
  readonly x: number;
  readonly y: number;
}
/** Compute target, processes and limits of a node. */
export interface RunSettings {
  /** Compute target. Null: that of the pipeline. */
  readonly target: string | null;
  /** Number of machines. */
  readonly node_count: number;
  /** Processes per machine. */
  readonly process_count_per_node: number;
  /** Run even if an output can be reused. */
  readonly regenerate_output: boolean;
  /** 0: no limit. */
  readonly time_limit_minutes: number;
  /** Attempts after the first one. */
  readonly retries: number;
  /** Time without progress after which the step is ended. Null: no limit. */
  readonly stall_limit_minutes?: number | null;
  /** NAME or NAME@VERSION. Null: the designer's own environment. */
  readonly environment?: string | null;
  /** Launcher of the processes. Null: the default of the module. */
  readonly launcher?: ("none" | "pytorch_process" | "pytorch_node" | "mpi" | "tensorflow") | null;
  /** Parameter servers in addition to the workers. */
  readonly parameter_server_count?: number;
  /** CPU cores per process. Null: all cores, shared evenly. */
  readonly cores_per_process?: number | null;
  /** Steps that share a GPU. Null: 1, more for parallel trials of a sweep. */
  readonly steps_per_gpu?: number | null;
  /** Environment variables of the processes. */
  readonly variables?: { readonly [k: string]: string };
}
/** Stored result that a node uses instead of being computed. */
export interface Pin {
  readonly artifact: string;
  /** Run that computed it. */
  readonly run: string;
}
/** Wire from an output to an input. */
export interface Link {
  readonly from: Endpoint;
  readonly to: Endpoint;
  /** Waypoints of the wire, in order. */
  readonly waypoints?: readonly Position[];
}
/** Port of a node. */
export interface Endpoint {
  readonly node: string;
  readonly port: string;
}
/** Markdown note on the canvas. */
export interface Note {
  readonly id: string;
  readonly position: Position;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}
/** Frame around nodes. */
export interface NodeGroup {
  readonly id: string;
  readonly title: string;
  readonly colour: string;
  readonly nodes: readonly string[];
  readonly collapsed: boolean;
}
/** Named value, set once and passed to the node parameters bound to it. */
export interface PipelineParameter {
  readonly id: string;
  readonly title: string;
  readonly type: "integer" | "number" | "boolean" | "string" | "array" | "object";
  readonly default: JsonValue;
  readonly description: string;
  /** NODE.PARAMETER, or NODE/INNER.PARAMETER in a sub-pipeline. */
  readonly binds: readonly string[];
}
/** Sub-pipeline: nodes placed in pipelines as one node, with ports and parameters. */
export interface Definition {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  readonly notes?: readonly Note[];
  readonly groups?: readonly NodeGroup[];
  readonly parameters: readonly PipelineParameter[];
  readonly inputs: readonly DefinitionPort[];
  readonly outputs: readonly DefinitionPort[];
}
/** Port of a sub-pipeline and the inner port that it exposes. */
export interface DefinitionPort {
  readonly id: string;
  readonly title: string;
  readonly node: string;
  readonly port: string;
}
/** Defaults for all nodes. */
export interface Settings {
  readonly target: string;
  readonly random_seed: number | null;
  /** Search over parameters; ordinary runs ignore it. */
  readonly sweep?: SweepSettings | null;
}
/** Search for parameter values in several runs, called trials, of the same pipeline. */
export interface SweepSettings {
  /** Spaces by NODE.PARAMETER. */
  readonly parameters: { readonly [k: string]: SweepSpace };
  /** Null: the primary metric of the first trial that ends. */
  readonly objective?: SweepObjective | null;
  /** `auto`: `grid` for few choices, otherwise `tpe`, or `random`. */
  readonly strategy: "auto" | "grid" | "random" | "tpe";
  /** Null: the whole grid, otherwise 20. */
  readonly max_trials: number | null;
  /** Time after which no trial is started. 0: no limit. */
  readonly max_minutes: number;
  /** Trials at the same time. */
  readonly parallel: number;
  /** Random seed of the strategy. */
  readonly seed: number;
  /** Null: trials run to their end. */
  readonly pruning?: SweepPruning | null;
}
/**
 * Values to try for a parameter: ``choices``, or a range with its ends included.
 *
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^[a-z0-9][a-z0-9_-]{0,63}(/[a-z0-9][a-z0-9_-]{0,63}){0,16}\.[A-Za-z_][A-Za-z0-9_]{0,127}$".
 */
export interface SweepSpace {
  readonly kind: "choices" | "linear" | "log" | "integer";
  /** Values of the kind `choices`. */
  readonly choices?: readonly JsonValue[];
  /** Lower end of a range. */
  readonly low: number | null;
  /** Upper end of a range. */
  readonly high: number | null;
}
/** Metric that trials are compared by. */
export interface SweepObjective {
  readonly node: string;
  readonly metric: string;
  readonly goal: "maximize" | "minimize";
}
/** Early stopping of poor trials. */
export interface SweepPruning {
  readonly kind: "halving" | "median" | "bandit";
  /** First epoch that is compared. */
  readonly first_epoch: number;
  /** Halving: one of this many trials continues at each rung. */
  readonly factor: number;
  /** Bandit: share by which a trial may be behind the best one. */
  readonly slack: number;
}
/** Available modules, in palette order. */
export interface CatalogSpec {
  readonly format: "pipeline-designer-modules/1";
  readonly modules: readonly ModuleSpec[];
  readonly port_types: readonly PortTypeSpec[];
  readonly failures: readonly CatalogFailure[];
}
/** Module that can be placed on the canvas. */
export interface ModuleSpec {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly inputs: readonly PortSpec[];
  readonly outputs: readonly PortSpec[];
  readonly parameters: readonly ParameterSpec[];
  readonly distributed: boolean;
  readonly stoppable: boolean;
  readonly launches: boolean;
  readonly takes_environment: boolean;
  readonly bridges: readonly string[] | null;
  readonly libraries: readonly string[];
  readonly starts_with: { readonly [k: string]: JsonValue };
  readonly origin: string;
}
/** Input or output of a module. */
export interface PortSpec {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly optional: boolean;
  readonly label: string;
  readonly share: Share | null;
  readonly made_with: string;
}
/** Fraction of a module's images that leaves through one port, between 0 and 1. */
export interface Share {
  readonly parameter: string;
  readonly is_rest: boolean;
}
/** Parameter of a module, with everything the settings pane needs. */
export interface ParameterSpec {
  readonly id: string;
  readonly title: string | null;
  readonly help: string | null;
  readonly type: string;
  readonly items: string | null;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly default: JsonValue;
  readonly choices: readonly JsonValue[] | null;
  readonly suggestions: readonly string[];
  readonly code: string | null;
  readonly runs: boolean;
  readonly from_data: boolean;
  readonly tries: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly exclusive_minimum: number | null;
  readonly exclusive_maximum: number | null;
  readonly min_length: number | null;
  readonly max_length: number | null;
  readonly unit: string;
  readonly group: string;
  readonly folded: boolean;
  readonly shown_when: readonly ShownWhen[];
  readonly follows: Follows | null;
}
/** Field metadata: the parameter applies only while another one has one of these values. */
export interface ShownWhen {
  readonly parameter: string;
  readonly values: readonly JsonValue[];
}
/**
 * Field metadata: the parameter follows another one as long as both are equal.
 *
 * Then one field, titled ``together``, shows both.
 */
export interface Follows {
  readonly parameter: string;
  readonly together: string;
}
/** Port type and its supertypes, the nearest first. */
export interface PortTypeSpec {
  readonly name: string;
  readonly colour: string;
  readonly help: string;
  readonly supertypes: readonly string[];
}
/** A file or entry point that provided no module, the reason and the fix. */
export interface CatalogFailure {
  readonly source: string;
  readonly message: string;
  readonly cure: string;
  readonly line: number | null;
  readonly reason: string;
  readonly facts: { readonly [k: string]: JsonValue };
}
/**
 * Problem with its place and fix.
 *
 * ``remedy`` is the fix as a JSON object for a button, such as ``{"set": {"batch_size": 8}}``,
 * ``{"insert": ["round"]}``, ``{"upgrade": "train"}``, ``{"run_settings": {"node_count": 1}}``,
 * ``{"across": {"module": "align_classes", "ports": [...]}}``. The editor applies it
 * (``graph/remedies.ts``).
 */
export interface Problem {
  readonly code: string;
  readonly name: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly cure: string;
  readonly node: string | null;
  readonly port: string | null;
  readonly parameter: string | null;
  readonly remedy: { readonly [k: string]: JsonValue } | null;
  readonly details: { readonly [k: string]: JsonValue } | null;
  readonly reason: string;
  readonly facts: { readonly [k: string]: JsonValue };
}
/** Size of a compute target: limits of run settings. */
export interface TargetOffer {
  readonly name: string;
  readonly kind: string;
  readonly max_nodes: number;
  readonly processes_per_node: number;
  readonly gpus: number;
  readonly memory_bytes: number | null;
  readonly simulated: boolean;
  readonly price_per_hour: number | null;
  readonly is_preemptible: boolean;
}
/** Event of a run; ``time`` is seconds since the epoch. */
export interface Event {
  readonly kind: string;
  readonly node: string | null;
  readonly data: { readonly [k: string]: JsonValue };
  readonly time: number;
  readonly id: number | null;
}
/** State of a run and each of its nodes. */
export interface RunState {
  readonly status: string;
  readonly started: number | null;
  readonly finished: number | null;
  readonly cancel_requested: boolean;
  readonly problem: Problem | null;
  readonly steps: { readonly [k: string]: StepState };
}
/** State of one node. */
export interface StepState {
  readonly status: string;
  readonly attempt: number;
  readonly key: string | null;
  readonly artifact_id: string | null;
  readonly reused_from: string | null;
  readonly started: number | null;
  readonly finished: number | null;
  readonly problem: Problem | null;
  readonly progress: { readonly [k: string]: JsonValue } | null;
  readonly summary: string | null;
  readonly warnings: readonly string[];
  readonly phases: readonly PhaseData[];
}
/** Phase of a step; ``facts``: the reason for waiting, or what was built and its size. */
export interface PhaseData {
  readonly phase: "preparing" | "scaling" | "running" | "post-processing";
  readonly started: number;
  readonly finished: number | null;
  readonly facts: { readonly [k: string]: JsonValue };
}
/** Differences of a pipeline from another one, the baseline. */
export interface PipelineDifference {
  /** Name of the baseline. */
  readonly name: string;
  readonly baseline: PipelineDocument1;
  readonly graph: GraphDifference;
  /** Differences in the sub-pipelines of both, by the id of the sub-pipeline. */
  readonly inside: { readonly [k: string]: GraphDifference };
  /** Number of differences. 0: the pipelines are the same. */
  readonly count: number;
}
/** The baseline; its nodes have the ids of the matching nodes of the pipeline. */
export interface PipelineDocument1 {
  readonly format: "pipeline-designer/2";
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  readonly notes: readonly Note[];
  readonly groups: readonly NodeGroup[];
  readonly parameters?: readonly PipelineParameter[];
  /** Sub-pipelines that nodes refer to. */
  readonly definitions?: readonly Definition[];
  readonly settings: Settings;
}
/** Nodes and links added, removed, changed and moved between two documents; nodes by id. */
export interface GraphDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Changes of each node as text. */
  readonly changed: { readonly [k: string]: readonly string[] };
  /** Nodes that only look different: position, color, collapsed. */
  readonly moved: { readonly [k: string]: readonly string[] };
  /** Changed parameters and run settings of each node. */
  readonly values: { readonly [k: string]: readonly ValueChange[] };
  readonly added_links: readonly Link[];
  /** Also those of removed nodes. */
  readonly removed_links: readonly Link[];
  /** Wires that were added or removed between nodes of both pipelines. */
  readonly links: readonly string[];
  /** Other changes as text: name, settings, parameters, ports, notes, groups. */
  readonly others: readonly string[];
  readonly summary: string;
}
/** Parameter or run setting with its value, or default, in both pipelines. */
export interface ValueChange {
  readonly name: string;
  readonly title: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}
