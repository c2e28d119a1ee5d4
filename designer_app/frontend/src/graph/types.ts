/** Types of the product; those that Python also has are generated from its models. */

export type {
  CatalogFailure,
  CatalogSpec,
  Definition,
  DefinitionPort,
  Endpoint,
  Event as RunEvent,
  GraphDifference,
  JsonValue,
  Link,
  ModuleSpec,
  Node as PipelineNode,
  NodeGroup as Group,
  Note,
  ParameterSpec,
  PipelineDifference,
  PipelineDocument,
  PipelineParameter,
  PortSpec,
  PortTypeSpec,
  Position,
  Problem,
  RunSettings,
  RunState,
  Settings,
  StepState,
  TargetOffer as ComputeTarget,
} from "./types.gen";

export type StepStatus =
  | "not started"
  | "queued"
  | "preparing"
  | "running"
  | "finalising"
  | "completed"
  | "reused"
  | "failed"
  | "cancelled"
  | "paused"
  | "skipped";

/** Progress of one rank of a step. */
export interface Lane {
  readonly done: number;
  readonly total: number;
  /** Computation time of an iteration on this rank before it waits for the others. */
  readonly own_seconds?: number;
  /** Images per second that it would process without waiting. */
  readonly own_images_per_second?: number;
}

/** Progress of a step: reports of its first rank, and the lanes of the others. */
export interface Progress extends Lane {
  readonly unit: string;
  readonly rank?: number;
  readonly epoch?: number;
  readonly epochs?: number;
  /** Units per second, while files are read or downloaded. */
  readonly per_second?: number;
  readonly images_per_second?: number;
  readonly loss?: number | null;
  readonly seconds_left?: number;
  /** True for work before that of the node, such as decoding its images. */
  readonly is_preparation?: boolean;
  readonly ranks?: Readonly<Record<number, Lane>>;
}

/** Stall of a step: its start (seconds since the epoch), and the last line of each rank. */
export interface Stall {
  readonly since: number;
  readonly ranks: Readonly<Record<string, string>>;
}

/** Point of a curve. */
export interface MetricPoint {
  readonly step: number;
  readonly value: number | null;
  readonly time: number;
}

export type Side = "input" | "output";

/** Width and height in pixels of the canvas. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
