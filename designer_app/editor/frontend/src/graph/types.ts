/** The words of the product as types; those that Python also has are generated from its models. */

import type { EventShape, ProblemShape, RunStateShape, StepStateShape } from "./types.gen";

export type {
  CatalogFailureSpec,
  CatalogSpec,
  Endpoint,
  Group,
  JsonValue,
  Link,
  ModuleSpec,
  Node as PipelineNode,
  Note,
  ParameterSpec,
  PipelineDocument,
  PortSpec,
  PortTypeSpec,
  Position,
  RunSettings,
  Settings,
  TargetShape as ComputeTarget,
} from "./types.gen";

export type Problem = ProblemShape;
export type RunEvent = EventShape;
export type RunState = RunStateShape;
export type StepState = StepStateShape;

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
  | "skipped";

/** The facts of a StepProgress event; those a module does not tell are missing. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: string;
  readonly rank?: number;
  readonly epoch?: number;
  readonly epochs?: number;
  readonly images_per_second?: number;
  readonly loss?: number | null;
  readonly seconds_left?: number;
}

/** One point of a curve. */
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
