// Made by `python -m designer_app.api.typescript` from the models of Python: do not edit.
// schema 6e54afcd082731fd5b55b2726bb789383a5f86d9cf35b11182ae16a00ea24ee4
// text 63b8ceee29dad8f2bb32719d25173ea1693398a516387f988c6b60c6f8b505e4
import type {
  CatalogFailure,
  Event,
  GraphDifference,
  JsonValue,
  ModuleSpec,
  PipelineDifference,
  PipelineDocument,
  PortTypeSpec,
  Problem,
  RunState,
  Settings,
  SweepSettings,
  TargetOffer,
} from "../graph/types.gen";

/** Endpoints: path and query parameters, body and response. */
export interface Endpoints {
  /** Modules, port types, compute targets and the settings of a new pipeline. */
  readonly "GET /catalog": { readonly gives: CatalogAnswer };
  /** The steps of the lesson that a pipeline was opened for. */
  readonly "GET /pipelines/{pipeline_id}/lesson": {
    readonly path: { readonly pipeline_id: string };
    readonly gives: OpenedLesson;
  };
  /** The saved pipelines. */
  readonly "GET /pipelines": { readonly gives: PipelineList };
  /** Save a document as a new pipeline; its id is made unique. */
  readonly "POST /pipelines": { readonly body: PipelineDocument; readonly gives: Created };
  /** A pipeline's document; its revision is the ETag. */
  readonly "GET /pipelines/{pipeline_id}": {
    readonly path: { readonly pipeline_id: string };
    readonly gives: PipelineDocument;
  };
  /** Save an edited document as the next revision of the pipeline. */
  readonly "PUT /pipelines/{pipeline_id}": {
    readonly path: { readonly pipeline_id: string };
    readonly header?: {
      /** The revision it was made from, as in ETag: "7". */
      readonly "If-Match"?: string;
      /**
       * A random id of the browser tab; together with X-Designer-Seq it makes commits idempotent.
       */
      readonly "X-Designer-Client"?: string;
      /** Counts the tab's commits. */
      readonly "X-Designer-Seq"?: string;
    };
    readonly body: PipelineDocument;
    readonly gives: Committed;
  };
  /** Delete a pipeline; undelete restores it. */
  readonly "DELETE /pipelines/{pipeline_id}": {
    readonly path: { readonly pipeline_id: string };
    readonly gives: Deleted;
  };
  /** Restore a deleted pipeline with all its revisions. */
  readonly "POST /pipelines/{pipeline_id}/undelete": {
    readonly path: { readonly pipeline_id: string };
    readonly gives: Created;
  };
  /** The newest revisions and the named ones, each with a summary of its changes. */
  readonly "GET /pipelines/{pipeline_id}/revisions": {
    readonly path: { readonly pipeline_id: string };
    readonly query?: {
      /** Maximum number: 50, up to 500. */
      readonly limit?: string;
    };
    readonly gives: RevisionList;
  };
  /** Set or remove the name of a revision. */
  readonly "PUT /pipelines/{pipeline_id}/revisions/{revision}/name": {
    readonly path: { readonly pipeline_id: string; readonly revision: string };
    readonly body: RevisionNaming;
    readonly gives: RevisionNaming;
  };
  /** Restore an earlier revision as the newest one. */
  readonly "POST /pipelines/{pipeline_id}/revisions/{revision}/restore": {
    readonly path: { readonly pipeline_id: string; readonly revision: string };
    readonly gives: Created;
  };
  /** Read a document of any format: returned complete, in the newest one. */
  readonly "POST /documents/read": {
    readonly body: PipelineDocument;
    readonly gives: PipelineDocument;
  };
  /** Validate a document. */
  readonly "POST /validate": { readonly body: PipelineDocument; readonly gives: Verdict };
  /** Forecast of images, classes, memory, time and reuse. */
  readonly "POST /forecast": { readonly body: PipelineDocument; readonly gives: RunForecast };
  /** Choices of parameters that exist in the data of a document. */
  readonly "POST /choices": { readonly body: PipelineDocument; readonly gives: Choices };
  /** All code that the nodes of a document run, and whether it is approved. */
  readonly "POST /code/look": { readonly body: PipelineDocument; readonly gives: CodePieces };
  /** Approve reviewed code for this workspace, by hash. */
  readonly "POST /code/allow": { readonly body: CodeAllowance; readonly gives: CodeVerdict };
  /** Approve code that was written in the editor; other code stays unapproved. */
  readonly "POST /code/edit": { readonly body: CodeEdit; readonly gives: CodeVerdict };
  /** The Python code of a document, which runs the pipeline if it is executed. */
  readonly "POST /code/write": { readonly body: PipelineDocument; readonly gives: PythonCode };
  /** The document of a pipeline in Python code, which is not executed. */
  readonly "POST /code/read": { readonly body: PythonCode; readonly gives: PipelineDocument };
  /** The matching runs, newest first, one page at a time. */
  readonly "GET /runs": {
    readonly query?: {
      /** Words that must all be in the id, name, experiment, description, note or a tag. */
      readonly text?: string;
      /** One or several, separated by commas: completed,failed. */
      readonly status?: string;
      /** Only those of this one. */
      readonly experiment?: string;
      /** Only those of this saved pipeline. */
      readonly pipeline?: string;
      /** Only runs with this tag, or with all of several tags separated by commas. */
      readonly tag?: string;
      /** Only runs of the trials of this sweep. */
      readonly sweep?: string;
      /** Started at or after this time, in seconds since the epoch. */
      readonly since?: string;
      /** Started before this time. */
      readonly until?: string;
      /** Maximum number: 50, up to 1,000. */
      readonly limit?: string;
      /** Number of entries to skip. */
      readonly offset?: string;
      /** Keys of /api/run-columns, a line each, up to 50: what the `values` are of. */
      readonly columns?: string;
    };
    readonly gives: RunList;
  };
  /**
   * Queue a run of a document. It may read below the home folder, the workspace and DESIGNER_DATA_ROOTS, never from the whole disk.
   */
  readonly "POST /runs": { readonly body: RunSubmission; readonly gives: RunCreated };
  /** Change a run's name, note and tags. */
  readonly "PUT /runs/{run_id}/naming": {
    readonly path: { readonly run_id: string };
    readonly body: RunNaming;
    readonly gives: RunEntry;
  };
  /** Delete a run and everything that only it refers to. This cannot be undone. */
  readonly "DELETE /runs/{run_id}": {
    readonly path: { readonly run_id: string };
    readonly gives: RunDeletion;
  };
  /** State of a run. */
  readonly "GET /runs/{run_id}": {
    readonly path: { readonly run_id: string };
    readonly gives: RunAnswer;
  };
  /** Run the same pipeline again, or from one of its nodes on. */
  readonly "POST /runs/{run_id}/resubmit": {
    readonly path: { readonly run_id: string };
    readonly body: Resubmission;
    readonly gives: RunCreated;
  };
  /** The pipeline of a run. */
  readonly "GET /runs/{run_id}/document": {
    readonly path: { readonly run_id: string };
    readonly gives: PipelineDocument;
  };
  /** Cancel a run; finished nodes are kept. */
  readonly "POST /runs/{run_id}/cancel": {
    readonly path: { readonly run_id: string };
    readonly gives: RunStatus;
  };
  /** Finish its trainings early and continue with the best model of each. */
  readonly "POST /runs/{run_id}/stop-and-keep": {
    readonly path: { readonly run_id: string };
    readonly gives: RunStatus;
  };
  /** Resume a failed or cancelled run. */
  readonly "POST /runs/{run_id}/resume": {
    readonly path: { readonly run_id: string };
    readonly gives: RunStatus;
  };
  /** All curves of a run, downsampled without losing extremes. */
  readonly "GET /runs/{run_id}/metrics": {
    readonly path: { readonly run_id: string };
    readonly query?: {
      /** Only those of this one. */
      readonly node?: string;
      /** Maximum points of a curve: default 1,000, up to 100,000, also for all curves together. */
      readonly points?: string;
    };
    readonly gives: RunCurves;
  };
  /** Ways to improve the result of frozen layers, each as changes of nodes and with its time. */
  readonly "GET /runs/{run_id}/improvements": {
    readonly path: { readonly run_id: string };
    readonly gives: Improvements;
  };
  /** Accuracy by the number of training images of each class: how many more help. */
  readonly "GET /runs/{run_id}/learning-curve": {
    readonly path: { readonly run_id: string };
    readonly gives: LearningCurveReport;
  };
  /** Metrics of the matching runs, and the parameters that differ between them. */
  readonly "GET /run-columns": {
    readonly query?: {
      /** Words that must all be in the id, name, experiment, description, note or a tag. */
      readonly text?: string;
      /** One or several, separated by commas: completed,failed. */
      readonly status?: string;
      /** Only those of this one. */
      readonly experiment?: string;
      /** Only those of this saved pipeline. */
      readonly pipeline?: string;
      /** Only runs with this tag, or with all of several tags separated by commas. */
      readonly tag?: string;
      /** Only runs of the trials of this sweep. */
      readonly sweep?: string;
      /** Started at or after this time, in seconds since the epoch. */
      readonly since?: string;
      /** Started before this time. */
      readonly until?: string;
      /** Maximum number: 50, up to 1,000. */
      readonly limit?: string;
      /** Number of entries to skip. */
      readonly offset?: string;
    };
    readonly gives: RunColumnList;
  };
  /** Differences of a document from a pipeline, revision, published version or run. */
  readonly "POST /compare/pipelines": {
    readonly query?: {
      /**
       * The baseline: pipeline:ID, pipeline:ID@REVISION, published:NAME, published:NAME@VERSION or run:ID.
       */
      readonly with?: string;
    };
    readonly body: PipelineDocument;
    readonly gives: PipelineDifference;
  };
  /**
   * Follow a run: events `snapshot` (Snapshot) and `curves` (RunCurves), then `events` (EventBatch's array); `headline` (HeadlineReport) when that is another; `runner` (RunnerReport) where a frozen runner keeps the run waiting, and once it works again.
   */
  readonly "GET /runs/{run_id}/events": {
    readonly path: { readonly run_id: string };
    readonly query?: {
      /** Continue after the event with this id. */
      readonly after?: string;
    };
    readonly header?: {
      /** The same, as sent by browsers. */
      readonly "Last-Event-ID"?: string;
    };
  };
  /** The logs of a run. */
  readonly "GET /runs/{run_id}/logs": {
    readonly path: { readonly run_id: string };
    readonly gives: LogList;
  };
  /** Bytes of a log, at most a million at a time; X-Designer-Size is the total size. */
  readonly "GET /runs/{run_id}/logs/{node}/{log}": {
    readonly path: { readonly run_id: string; readonly node: string; readonly log: string };
    readonly query?: {
      /** The first byte, to follow a log that grows. */
      readonly offset?: string;
    };
    readonly header?: {
      /** bytes=FIRST-LAST, instead of offset. */
      readonly Range?: string;
    };
  };
  /** Lines of all logs of a run that contain a text, at most 500. */
  readonly "GET /runs/{run_id}/log-matches": {
    readonly path: { readonly run_id: string };
    readonly query?: {
      /** Text to search, 1 to 200 characters. */
      readonly text?: string;
      /** Only logs of this node and the nodes inside it. */
      readonly within?: string;
    };
    readonly gives: RunLogMatches;
  };
  /** Try metric patterns on the end of a node's log, and suggest patterns. */
  readonly "POST /runs/{run_id}/nodes/{node}/log-patterns": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly body: LogPatternsRequest;
    readonly gives: LogPatternsAnswer;
  };
  /** Outputs and logs of a node, up to a thousand at a time. */
  readonly "GET /runs/{run_id}/nodes/{node}/files": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly query?: {
      /** Number of entries to skip. */
      readonly offset?: string;
    };
    readonly gives: FileList;
  };
  /** One of these files in its current state; supports Range requests. */
  readonly "GET /runs/{run_id}/nodes/{node}/files/{file}": {
    readonly path: { readonly run_id: string; readonly node: string; readonly file: string };
  };
  /** Register one of these files as the next version of a model. */
  readonly "POST /runs/{run_id}/nodes/{node}/models": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly body: FileRegistration;
    readonly gives: ModelVersionReport;
  };
  /** Contents of the outputs of a finished node, with small previews. */
  readonly "GET /runs/{run_id}/nodes/{node}/previews": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly gives: NodePreviewsAnswer;
  };
  /** The most confident images of a cell of a confusion matrix. */
  readonly "GET /runs/{run_id}/nodes/{node}/cell": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly query?: {
      /** True class. */
      readonly actual?: string;
      /** Predicted class. */
      readonly predicted?: string;
    };
    readonly gives: NodePreviewsAnswer;
  };
  /** Images of a node with its random augmentation applied. The first response waits for torch. */
  readonly "GET /runs/{run_id}/nodes/{node}/augmented": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly gives: NodePreviewsAnswer;
  };
  /**
   * Apply parameters of Init Image Transformation to an image of the run. The first response waits for torch.
   */
  readonly "POST /runs/{run_id}/nodes/{node}/varied": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly body: Variation;
    readonly gives: VariedImage;
  };
  /**
   * Summary of an untrained model, built for its training images. The first response waits for torch.
   */
  readonly "GET /runs/{run_id}/nodes/{node}/network": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly gives: NetworkSketch;
  };
  /**
   * Apply the model of a node, or the one that it evaluated, to an image (the body). The first response waits for torch.
   */
  readonly "POST /runs/{run_id}/nodes/{node}/try": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly query?: {
      /** Name of the image's file. */
      readonly file?: string;
    };
    readonly gives: TriedAnswer;
  };
  /** Add an image (the body) to the dataset of kept images. */
  readonly "POST /runs/{run_id}/nodes/{node}/try/keep": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly query?: {
      /** Name of the image's file. */
      readonly file?: string;
      /** True class of the image. */
      readonly category?: string;
    };
    readonly gives: KeptAnswer;
  };
  /** The training images that are most similar to an image (the body), by the model's features. */
  readonly "POST /runs/{run_id}/nodes/{node}/try/similar": {
    readonly path: { readonly run_id: string; readonly node: string };
    readonly query?: {
      /** Name of the image's file. */
      readonly file?: string;
    };
    readonly gives: SimilarPictures;
  };
  /** Check a .replay file (the body) and store it; damaged files are rejected. */
  readonly "POST /replays": { readonly gives: ReplayCreated };
  /** Contents of a replay. */
  readonly "GET /replays/{replay_id}": {
    readonly path: { readonly replay_id: string };
    readonly gives: ReplayAnswer;
  };
  /** The file itself. */
  readonly "GET /replays/{replay_id}/file": { readonly path: { readonly replay_id: string } };
  /** All environments and their versions. */
  readonly "GET /environments": { readonly gives: EnvironmentList };
  /** Resolve a specification and store it as the next version of an environment. */
  readonly "POST /environments": {
    readonly body: EnvironmentRequest;
    readonly gives: EnvironmentDetail;
  };
  /** Start a build, unless one is running. */
  readonly "POST /environments/{environment}/build": {
    readonly path: { readonly environment: string };
    readonly gives: EnvironmentBuildState;
  };
  /** The argparse options, framework and inline requirements of a script. */
  readonly "POST /scripts/read": { readonly body: ScriptText; readonly gives: ScriptFacts };
  /** The datasets of the workspace. */
  readonly "GET /datasets": { readonly gives: DatasetList };
  /** Register an archive (the body) or a server folder (JSON) as a dataset. */
  readonly "POST /datasets": {
    readonly query?: {
      /**
       * For uploads: the dataset that gets a new version. Default: a new dataset named like the file.
       */
      readonly name?: string;
      /** Name of the uploaded file. */
      readonly file?: string;
    };
    readonly body?: FolderRequest;
    readonly gives: DatasetCreated;
  };
  /** Create a starter pipeline for a dataset, sized for this machine. */
  readonly "POST /datasets/{dataset}/pipeline": {
    readonly path: { readonly dataset: string };
    readonly query?: {
      /** Version of the dataset; default: the newest. */
      readonly version?: string;
    };
    readonly gives: Created;
  };
  /** The registered models. */
  readonly "GET /models": { readonly gives: ModelList };
  /** The published pipelines. */
  readonly "GET /published": { readonly gives: PublishedList };
  /** Derive the inference pipeline of a document: without training, with a registered model. */
  readonly "POST /inference-pipelines": {
    readonly body: InferenceRequest;
    readonly gives: InferenceAnswer;
  };
  /** The recordings of the workspace. */
  readonly "GET /recordings": { readonly gives: RecordingList };
  /** Create a recording, or return the one of that name. */
  readonly "POST /recordings": { readonly body: RecordingName; readonly gives: RecordingAnswer };
  /** Classes and stored pictures of a recording. */
  readonly "GET /recordings/{recording}": {
    readonly path: { readonly recording: string };
    readonly gives: RecordingAnswer;
  };
  /** Delete a recording with its pictures; its datasets stay. */
  readonly "DELETE /recordings/{recording}": {
    readonly path: { readonly recording: string };
    readonly gives: Deleted;
  };
  /** Add a class, or return the one of that name. */
  readonly "POST /recordings/{recording}/classes": {
    readonly path: { readonly recording: string };
    readonly body: ClassName;
    readonly gives: ClassEntry;
  };
  /** Rename a class. */
  readonly "PUT /recordings/{recording}/classes/{class_id}": {
    readonly path: { readonly recording: string; readonly class_id: string };
    readonly body: ClassName;
    readonly gives: ClassEntry;
  };
  /** Remove a class with its pictures; it can be restored until the recording is saved. */
  readonly "DELETE /recordings/{recording}/classes/{class_id}": {
    readonly path: { readonly recording: string; readonly class_id: string };
    readonly gives: Deleted;
  };
  /** Undo the removal of a class. */
  readonly "POST /recordings/{recording}/classes/{class_id}/restore": {
    readonly path: { readonly recording: string; readonly class_id: string };
    readonly gives: ClassEntry;
  };
  /** Store a picture (the body) as a JPEG without metadata. A repeated request changes nothing. */
  readonly "PUT /recordings/{recording}/classes/{class_id}/pictures/{picture}": {
    readonly path: {
      readonly recording: string;
      readonly class_id: string;
      readonly picture: string;
    };
    readonly gives: StoredPicture;
  };
  /** A stored picture, or a preview of it. */
  readonly "GET /recordings/{recording}/classes/{class_id}/pictures/{picture}": {
    readonly path: {
      readonly recording: string;
      readonly class_id: string;
      readonly picture: string;
    };
    readonly query?: {
      /** Longest edge in pixels; default: as stored. */
      readonly edge?: string;
    };
  };
  /** Remove a picture; it can be restored until the recording is saved. */
  readonly "DELETE /recordings/{recording}/classes/{class_id}/pictures/{picture}": {
    readonly path: {
      readonly recording: string;
      readonly class_id: string;
      readonly picture: string;
    };
    readonly gives: Deleted;
  };
  /** Undo the removal of a picture. */
  readonly "POST /recordings/{recording}/classes/{class_id}/pictures/{picture}/restore": {
    readonly path: {
      readonly recording: string;
      readonly class_id: string;
      readonly picture: string;
    };
    readonly gives: StoredPicture;
  };
  /** Save the stored pictures as a version of the dataset of the same name. */
  readonly "POST /recordings/{recording}/save": {
    readonly path: { readonly recording: string };
    readonly gives: DatasetCreated;
  };
  /** Save the recording, and run the starter pipeline with it. */
  readonly "POST /recordings/{recording}/train": {
    readonly path: { readonly recording: string };
    readonly gives: TrainingStarted;
  };
  /** Progress of a run in steps, and the accuracy on its test images. */
  readonly "GET /runs/{run_id}/training": {
    readonly path: { readonly run_id: string };
    readonly gives: TrainingProgress;
  };
  /** Predict a picture of a camera (the body) by the trained model of a run. */
  readonly "POST /runs/{run_id}/live": {
    readonly path: { readonly run_id: string };
    readonly query?: {
      /** 1: also compute a heat map, which takes longer. */
      readonly heat?: string;
    };
    readonly gives: LivePrediction;
  };
  /** Start the sweep of a document's settings; it keeps this version of the document. */
  readonly "POST /sweeps": { readonly body: SweepRequest; readonly gives: SweepReport };
  /** A sweep and its trials. */
  readonly "GET /sweeps/{sweep_id}": {
    readonly path: { readonly sweep_id: string };
    readonly gives: SweepReport;
  };
}
/** Module palette, compute targets and default settings of a new pipeline. */
export interface CatalogAnswer {
  readonly format: "pipeline-designer-modules/1";
  readonly modules: readonly ModuleSpec[];
  readonly port_types: readonly PortTypeSpec[];
  readonly failures: readonly CatalogFailure[];
  readonly targets: readonly TargetOffer[];
  readonly settings: Settings;
  readonly document_limits: { readonly [k: string]: number };
}
/** Lesson from which a pipeline was opened. */
export interface OpenedLesson {
  /** Time of opening, in seconds since the epoch. */
  readonly opened: number;
  /** Null if it was created in another way. */
  readonly lesson: LessonGuide | null;
  /** Null for the last lesson. */
  readonly following: NextLesson | null;
}
/** Guide from ``pipelines/lessons/library/guides/<lesson>.json``. */
export interface LessonGuide {
  readonly minutes: number;
  readonly level: "beginner" | "intermediate" | "advanced";
  readonly steps: readonly LessonStep[];
}
/** Single action and its visible result. */
export interface LessonStep {
  readonly task: string;
  readonly hint: string;
  /** Explanation of the result, shown when the step is done. */
  readonly after: string;
  /** Checks that must all pass for the step to be done. */
  readonly checks: readonly (
    | ParameterCheck
    | RunSettingCheck
    | LinkCheck
    | RanCheck
    | ShownCheck
    | LookedCheck
    | VariedCheck
    | ConfirmedCheck
  )[];
  readonly show: ShowMe;
  /** Page of the how-to guides with more about the step. */
  readonly how_to?: string | null;
}
/** Check of a parameter of a node, or of any node of ``module:<id>``. */
export interface ParameterCheck {
  readonly kind: "parameter";
  readonly node: string;
  readonly parameter: string;
  readonly comparison: "is" | "is not" | "at least" | "at most" | "begins with";
  /** Required value; of several texts, one of them. */
  readonly value: boolean | number | string | readonly string[];
  /** Restriction to nodes with a wire to this input, as ``node.port``. */
  readonly feeds?: string | null;
}
/** Check of a node's run settings: its target, or its number of nodes and processes. */
export interface RunSettingCheck {
  readonly kind: "run setting";
  readonly node: string;
  readonly setting: "target" | "node_count" | "process_count_per_node";
  readonly comparison: "is" | "is not" | "at least" | "at most" | "begins with";
  readonly value: number | string;
}
/** Check of a wire from an output to an input, both as ``node.port``. */
export interface LinkCheck {
  readonly kind: "link";
  readonly source: string;
  readonly target: string;
}
/** Check that a node has outputs in the shown run, with the pipeline in this state. */
export interface RanCheck {
  readonly kind: "ran";
  readonly node: string;
  readonly of?: readonly (ParameterCheck | RunSettingCheck | LinkCheck)[];
  /** Node whose outputs must be reused from an earlier run. */
  readonly reused?: string | null;
}
/** Check that a node is selected and a tab of its pane is open. */
export interface ShownCheck {
  readonly kind: "shown";
  readonly node: string;
  readonly tab: "settings" | "result" | "details" | "logs" | "code";
}
/** Check that an output was opened after the lesson was. */
export interface LookedCheck {
  readonly kind: "looked";
  readonly node: string;
  readonly port: string;
}
/** Check that a sweep varies a parameter of a node. */
export interface VariedCheck {
  readonly kind: "varied";
  readonly node: string;
  readonly parameter: string;
}
/** Check that the user marked the step as done, for actions on other pages and elsewhere. */
export interface ConfirmedCheck {
  readonly kind: "confirmed";
}
/** Target of *Show me*: a node, a field or tab of its pane, or a button of the toolbar. */
export interface ShowMe {
  readonly node?: string | null;
  readonly parameter?: string | null;
  readonly tab?: ("settings" | "result" | "details" | "logs" | "code") | null;
  readonly button?: ("submit" | "palette") | null;
}
/** Lesson after another one. */
export interface NextLesson {
  /** Id of its pipeline when it is opened. */
  readonly pipeline_id: string;
  readonly name: string;
}
export interface PipelineList {
  readonly pipelines: readonly PipelineRow[];
}
/** Saved pipeline as shown in a list; times are seconds since the epoch. */
export interface PipelineRow {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly revision: number;
  readonly updated: number;
  readonly num_nodes: number;
}
/** Id and revision of a new pipeline. */
export interface Created {
  readonly id: string;
  readonly revision: number;
}
/** Stored commit and the current problems of the pipeline. */
export interface Committed {
  readonly revision: number;
  readonly problems: readonly Problem[];
}
export interface Deleted {
  readonly id: string;
  readonly deleted: boolean;
}
export interface RevisionList {
  readonly revisions: readonly RevisionEntry[];
}
/** Revision and its differences from the previous one. */
export interface RevisionEntry {
  readonly revision: number;
  readonly created: number;
  readonly num_nodes: number;
  readonly changes: string;
  readonly name: string | null;
}
/** New name of a revision. */
export interface RevisionNaming {
  /** 1 to 100 characters; null: no name, only its number. */
  readonly name: string | null;
}
/** Validity of a document, and all its problems. */
export interface Verdict {
  readonly valid: boolean;
  readonly problems: readonly Problem[];
}
/** Estimate for a run: one per node, in execution order, and totals. */
export interface RunForecast {
  readonly nodes: readonly NodeForecast[];
  readonly totals: ForecastTotals;
  readonly other_work: OtherWork;
}
/** Estimate for a node; null if unknown. Sizes are in pixels. */
export interface NodeForecast {
  readonly node: string;
  readonly module: string;
  /** Its output already exists. */
  readonly reused: boolean;
  /** Number of images of the first output. */
  readonly images: number | null;
  readonly classes: number | null;
  /** Height and width. */
  readonly image_size: readonly [number, number] | null;
  /** By port, as estimated by the modules. */
  readonly outputs: { readonly [k: string]: { readonly [k: string]: JsonValue } };
  readonly images_processed: number | null;
  readonly memory_bytes: number | null;
  readonly seconds: number | null;
  readonly minutes: number | null;
  readonly basis: ("estimated" | "scaled" | "measured" | "reused") | null;
  /** Null if its target has no price. */
  readonly cost: number | null;
  /** Likely minimum and maximum on an otherwise idle machine. */
  readonly range_seconds: readonly [number, number] | null;
  readonly last: LastTime | null;
  readonly findings: readonly ParameterFinding[];
  /** Values that are meaningful for the data, with descriptions, by parameter. */
  readonly choices: { readonly [k: string]: { readonly [k: string]: string } };
  /** Facts such as the source of pretrained weights. */
  readonly notes: readonly string[];
  /** True if this machine runs such nodes one after the other: each uses all cores. */
  readonly takes_turns: boolean;
}
/** Duration of a node's last run in this pipeline, scaled to the changes since then. */
export interface LastTime {
  readonly seconds: number;
  /** Scaled by images, epochs, their cost, machines, GPUs and other processes. */
  readonly scaled_seconds: number;
  readonly run_id: string;
}
/** Finding of a module's own check about parameter values that are each in range. */
export interface ParameterFinding {
  readonly parameter: string;
  readonly message: string;
  readonly cure: string;
  readonly severity?: "error" | "warning";
  readonly reason?: string;
  readonly facts?: { readonly [k: string]: JsonValue };
}
/** Seconds of all steps and of the critical path; peak memory in bytes. */
export interface ForecastTotals {
  readonly seconds: number;
  readonly critical_path_seconds: number;
  readonly memory_bytes: number | null;
  readonly nodes_unknown: number;
  readonly nodes_reused: number;
  /**
   * Likely minimum and maximum of the critical path.
   *
   * @minItems 2
   * @maxItems 2
   */
  readonly range_seconds: readonly [number, number];
  /** Cost of the known steps; null if no target has a price. */
  readonly cost: number | null;
}
/** Load of other processes on this machine. */
export interface OtherWork {
  /** Share of the cores, 0 to 1. */
  readonly share: number;
  /** "other processes use half the cores"; empty if almost none. */
  readonly words: string;
  /** Duration of the critical path under this load. */
  readonly seconds: number;
}
/** Values that are meaningful for the data, with descriptions, by node and parameter. */
export interface Choices {
  readonly nodes: {
    readonly [k: string]: { readonly [k: string]: { readonly [k: string]: string } };
  };
}
/** All code in a pipeline, in node order. */
export interface CodePieces {
  readonly pieces: readonly CodePiece[];
}
/** Code that a pipeline runs in one of its nodes. */
export interface CodePiece {
  readonly node: string;
  readonly kind: "program" | "call" | "variables";
  readonly parameter: string;
  readonly title: string;
  readonly text: string;
  /** Arguments of a program, one per line. */
  readonly settings: string;
  readonly hash: string;
  readonly is_allowed: boolean;
  /** File that a call runs. */
  readonly source: ScriptSource | null;
  /** Reason why the file of a call cannot be shown. */
  readonly source_problem: string | null;
}
/** Script in its folder. */
export interface ScriptSource {
  readonly name: string;
  readonly text: string;
  readonly is_cut: boolean;
  readonly files: readonly string[];
}
/** Reviewed code, identified by its hashes. */
export interface CodeAllowance {
  /** Items: SHA-256, hexadecimal. */
  readonly hashes: readonly string[];
}
/** Number of newly approved pieces. */
export interface CodeVerdict {
  readonly allowed: number;
}
/** Code written here by the owner; code that was unapproved before stays unapproved. */
export interface CodeEdit {
  readonly before?: PipelineDocument | null;
  readonly after: PipelineDocument;
  readonly places: readonly CodePlace[];
}
/** Parameter of a node, or its run setting ``variables``. */
export interface CodePlace {
  /** Path of the node, including sub-pipelines. */
  readonly node: string;
  readonly parameter: string;
}
/** Text of a Python file with a pipeline. */
export interface PythonCode {
  readonly code: string;
}
/** Page of matching runs, newest first. */
export interface RunList {
  readonly runs: readonly ListedRun[];
  /** Number of matching runs on all pages. */
  readonly total: number;
  readonly experiments: readonly string[];
  /** All tags, most used first. */
  readonly tags: readonly string[];
}
/** Run in a list with columns. */
export interface ListedRun {
  readonly run_id: string;
  readonly name: string;
  readonly experiment: string;
  readonly description: string;
  readonly pipeline_id: string | null;
  /** Current name of the saved pipeline; if it is not saved, its name in the run. */
  readonly pipeline_name: string | null;
  readonly status: string;
  readonly created: number;
  readonly started: number | null;
  readonly finished: number | null;
  readonly seconds: number | null;
  readonly num_nodes: number;
  readonly num_done: number;
  readonly note: string;
  readonly tags: readonly string[];
  /** Run that it repeats, which may have been deleted. */
  readonly from_run: string | null;
  /** Primary metric so far; null if there is none. */
  readonly headline: Headline | null;
  /** Main curve, in a few points. */
  readonly curve: readonly (number | null)[];
  /** Name of the pipeline, followed by its id if several have this name. */
  readonly pipeline_label: string;
  /** Values of the requested columns, in order. */
  readonly values: readonly JsonValue[];
}
/** Primary metric of a run; if several nodes have it, the label names the node. */
export interface Headline {
  readonly node: string;
  /** Name of the logged metric. */
  readonly metric: string;
  /** Display name of the metric, for example `Accuracy`. */
  readonly label: string;
  readonly value: number;
  /** Value with unit, for example `98.3 %`. */
  readonly text: string;
  /** Null if unknown. */
  readonly higher_is_better: boolean | null;
  /** True if a user chose this metric for the pipeline. */
  readonly is_chosen: boolean;
  /**
   * What its node says after the value, for example `likely 68 to 99 % (14 images)`; often empty.
   */
  readonly details: string;
  /** Titles of pinned nodes whose stored results may not match their settings. */
  readonly outdated_pins: readonly string[];
}
/**
 * Request to queue a run.
 *
 * Without a name, the run is named after the changes since the previous run. The default
 * experiment is the pipeline's.
 */
export interface RunSubmission {
  readonly document: PipelineDocument;
  readonly pipeline_id?: string | null;
  readonly name?: string | null;
  readonly experiment?: string | null;
  readonly description?: string;
  /** Run only this node and the nodes that it needs. */
  readonly to?: string | null;
  /** Replaces the document's target. */
  readonly target?: string | null;
  /** Selected nodes, if the document contains only what they need. */
  readonly only?: readonly string[];
  /** Run these nodes and all following ones again. */
  readonly forced?: readonly string[];
}
export interface RunCreated {
  readonly run_id: string;
}
/** Changes of a run; null means unchanged. */
export interface RunNaming {
  readonly name?: string | null;
  readonly note?: string | null;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
}
/** Run in a list; times are seconds since the epoch. */
export interface RunEntry {
  readonly run_id: string;
  readonly name: string;
  readonly experiment: string;
  readonly description: string;
  readonly pipeline_id: string | null;
  /** Current name of the saved pipeline; if it is not saved, its name in the run. */
  readonly pipeline_name: string | null;
  readonly status: string;
  readonly created: number;
  readonly started: number | null;
  readonly finished: number | null;
  readonly seconds: number | null;
  readonly num_nodes: number;
  readonly num_done: number;
  readonly note: string;
  readonly tags: readonly string[];
  /** Run that it repeats, which may have been deleted. */
  readonly from_run: string | null;
  /** Primary metric so far; null if there is none. */
  readonly headline: Headline | null;
  /** Main curve, in a few points. */
  readonly curve: readonly (number | null)[];
}
/** Effects of deleting a run; sizes in bytes. */
export interface RunDeletion {
  readonly run_id: string;
  /** Total size of what is removed. */
  readonly num_bytes: number;
  /** Size of logs, checkpoints and other files in the run's own folder. */
  readonly log_bytes: number;
  readonly freed: readonly FreedOutput[];
  readonly kept: readonly KeptOutput[];
  readonly is_done: boolean;
  /** Outputs are left to `designer gc` because a run is in progress. */
  readonly left_for_gc: boolean;
}
/** Outputs of a step that nothing else refers to. */
export interface FreedOutput {
  readonly artifact_id: string;
  readonly node: string;
  readonly num_bytes: number;
}
/** Output that stays, and the runs and models (``name@version``) that need it. */
export interface KeptOutput {
  readonly artifact_id: string;
  readonly node: string;
  readonly num_bytes: number;
  readonly used_by: readonly string[];
}
/** Run: the report of ``designer runs show --json``, its state and the submitted document. */
export interface RunAnswer {
  readonly run_id: string;
  readonly name: string | null;
  readonly experiment: string | null;
  readonly status: string;
  readonly seconds: number | null;
  readonly headline: Headline | null;
  /** Null while it runs, and if no comparable run was measured before. */
  readonly forecast: PastRunForecast | null;
  /** Cost of all attempts so far; null if no target has a price. */
  readonly cost: number | null;
  readonly problem: ShortProblem | null;
  readonly nodes: { readonly [k: string]: NodeReport };
  /** Error message and fix if the runner is frozen; otherwise null. */
  readonly runner_problem: string | null;
  readonly description: string;
  readonly pipeline_id: string | null;
  readonly to: string | null;
  readonly target: string | null;
  readonly only: readonly string[];
  readonly note: string;
  readonly tags: readonly string[];
  readonly from_run: string | null;
  readonly created: number;
  readonly last_event_id: number;
  readonly state: RunState;
  readonly document: PipelineDocument;
}
/** Estimate for a completed run, made before its start. */
export interface PastRunForecast {
  readonly seconds: number;
  /** Relative to the actual duration; negative if the run took longer. */
  readonly error: number;
  readonly nodes: { readonly [k: string]: number | null };
}
export interface ShortProblem {
  readonly code: string;
  readonly name: string;
  readonly message: string;
  readonly cure: string;
  readonly reason: string;
  readonly facts: { readonly [k: string]: JsonValue };
  /** Details; with several ranks, the failed one and the results of the others. */
  readonly details: { readonly [k: string]: JsonValue } | null;
}
/** Result of a node, as in ``designer runs show --json``. */
export interface NodeReport {
  readonly status: string;
  readonly seconds: number | null;
  readonly outputs: { readonly [k: string]: string };
  readonly metrics: { readonly [k: string]: number | null };
  readonly problem: ShortProblem | null;
  readonly summary: string | null;
  readonly warnings: readonly string[];
  readonly reused_from: string | null;
  /** True if the node is pinned to the result that it reused. */
  readonly pinned: boolean;
  readonly stalled: Stall | null;
  readonly phases: readonly PhaseReport[];
}
/** Stalled step: start of the stall, and the last line of each rank's log. */
export interface Stall {
  readonly since: number;
  readonly ranks: { readonly [k: string]: string };
}
/** Phase of a step. */
export interface PhaseReport {
  readonly phase: "preparing" | "scaling" | "running" | "post-processing";
  /** Null while it is active. */
  readonly seconds: number | null;
  readonly facts: { readonly [k: string]: JsonValue };
}
/** Request to run the same pipeline again. Null values are taken from the run. */
export interface Resubmission {
  /** This node and the following ones run again. */
  readonly from_node?: string | null;
  /** The same pipeline after a fix, run in place of the run's own. */
  readonly document?: PipelineDocument | null;
  readonly name?: string | null;
  readonly experiment?: string | null;
}
/** State of a run after a request. */
export interface RunStatus {
  readonly run_id: string;
  readonly status: string;
  /** Nodes that stop early and keep their best result. */
  readonly stopping?: readonly string[];
}
/**
 * Curves of a run: by node, then metric, points by step.
 *
 * In an event stream they may include points of later events; a point replaces the one with the
 * same step.
 */
export interface RunCurves {
  readonly run_id: string;
  readonly metrics: { readonly [k: string]: { readonly [k: string]: readonly RunPoint[] } };
}
/**
 * Point of a curve; the value is null if there was none, as for NaN. ``time`` is seconds since
 * the epoch.
 */
export interface RunPoint {
  readonly step: number;
  readonly value: number | null;
  readonly time: number;
}
/** Ways to improve the result of a run; none if its layers were not frozen. */
export interface Improvements {
  readonly run_id: string;
  /** How good the result is, by the validation images. */
  readonly verdict: string;
  readonly choices: readonly Improvement[];
  /** Warning about a class with very few training images; null if there is none. */
  readonly few_images: string | null;
  /**
   * Earlier result with frozen layers, of another network if those of this run are frozen, too; null if none.
   */
  readonly first: FirstResult | null;
}
/** Way to improve a result: one edit of the pipeline, with the estimate of its run. */
export interface Improvement {
  readonly kind: "fine_tune" | "longer" | "more_epochs" | "larger_network" | "from_scratch";
  readonly title: string;
  readonly text: string;
  /** Expected gain, judged by the validation images. */
  readonly expected: string;
  readonly changes: readonly NodeChange[];
  /** Estimated duration of the run under the current load. */
  readonly seconds: number;
  readonly recommended: boolean;
}
/** New parameters of a node. */
export interface NodeChange {
  readonly node: string;
  readonly parameters: { readonly [k: string]: JsonValue };
}
/** Earlier run with frozen layers, and the same metric of both runs. */
export interface FirstResult {
  readonly run_id: string;
  readonly name: string;
  readonly label: string;
  readonly before: string;
  readonly now: string;
  readonly is_better: boolean | null;
}
/** Accuracy of the features of a run by the number of training images of each class. */
export interface LearningCurveReport {
  /** Class with the fewest training images. */
  readonly category: string;
  readonly images: number;
  readonly measured: readonly PerClass[];
  readonly estimated: readonly PerClass[];
  readonly text: string;
}
/** Accuracy with a number of training images of each class. */
export interface PerClass {
  readonly images: number;
  /** Share of all other images that are right, 0-1. */
  readonly accuracy: number;
}
/** Available columns for these runs. */
export interface RunColumnList {
  readonly columns: readonly RunColumn[];
}
/** Property that distinguishes runs. */
export interface RunColumn {
  /** Identifier, for example `metric:Valid loss` or `parameter:resnet.pretrained`. */
  readonly key: string;
  readonly kind: "metric" | "parameter";
  readonly label: string;
  /** Title of the parameter's module. Empty for metrics. */
  readonly module: string;
  readonly higher_is_better: boolean | null;
}
export interface LogList {
  readonly logs: readonly LogEntry[];
}
/** Log file of a node. */
export interface LogEntry {
  readonly node: string;
  readonly file: string;
  /** Null for the launcher. */
  readonly rank: number | null;
  readonly num_bytes: number;
}
export interface RunLogMatches {
  readonly matches: readonly RunLogMatch[];
  /** There are more matches. */
  readonly more: boolean;
}
/** Matching line and its log. */
export interface RunLogMatch {
  /** Offset of the line's first byte. */
  readonly offset: number;
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
  readonly node: string;
  readonly file: string;
  /** Null for the launcher. */
  readonly rank: number | null;
}
/** Patterns to be tried; if empty, patterns are only suggested. */
export interface LogPatternsRequest {
  readonly patterns?: readonly string[];
}
export interface LogPatternsAnswer {
  /** Number of lines read from the end of the log. */
  readonly num_lines: number;
  readonly tried: readonly PatternTrial[];
  readonly suggested: readonly PatternTrial[];
}
/** Result of a pattern on the log. */
export interface PatternTrial {
  /** NAME = EXPRESSION, as in the parameter log_patterns. */
  readonly pattern: string;
  readonly name: string;
  /** Error message and fix. */
  readonly problem: string | null;
  /** Number of matching lines. */
  readonly num_lines: number;
  readonly examples: readonly PatternExample[];
}
export interface PatternExample {
  readonly line: string;
  /** Null if it is not a finite number. */
  readonly value: number | null;
  /** Null if steps are counted. */
  readonly step: number | null;
}
export interface FileList {
  readonly files: readonly FileEntry[];
  readonly num_files: number;
}
/** File of an output, with its relative path. */
export interface FileEntry {
  readonly path: string;
  readonly num_bytes: number;
}
/** Request to register a file of a node as a model. */
export interface FileRegistration {
  /** Path in the list of the node's files. */
  readonly file: string;
  readonly name: string;
  readonly alias?: string | null;
  readonly description?: string | null;
}
/** Version of a model and its origin. */
export interface ModelVersionReport {
  readonly version: number;
  /** ForeignModel: files of a script or an export, not accepted by Registered Model. */
  readonly type: "TrainedModel" | "ForeignModel";
  /**
   * Module that outputs it for Score Image Model: registered_model or onnx_model. Null for other files of a script.
   */
  readonly module: string | null;
  readonly description: string;
  readonly created: number;
  readonly run_id: string | null;
  readonly metrics: { readonly [k: string]: number };
  readonly artifact_id: string;
  readonly port: string;
  readonly num_bytes: number;
  readonly name: string;
  /** Value for the model of Registered Model. */
  readonly reference: string;
  readonly aliases: readonly string[];
  readonly lineage: { readonly [k: string]: JsonValue };
}
/** Previews of a node, in the format of a replay. */
export interface NodePreviewsAnswer {
  readonly previews: readonly (
    ImagesPreview | PredictionsPreview | EvaluationPreview | ModelPreview
  )[];
  /** Name to JPEG in base64. */
  readonly pictures: { readonly [k: string]: string };
  /** True if transformations are attached, which change the images of a training. */
  readonly is_transformed: boolean;
}
/** Summary of an ImageDirectory: counts, and images of several classes. */
export interface ImagesPreview {
  readonly kind: "images";
  readonly node: string;
  readonly port: string;
  readonly num_images: number;
  readonly num_classes: number;
  readonly classes: readonly ClassCount[];
  readonly samples: readonly Sample[];
}
export interface ClassCount {
  readonly name: string;
  readonly images: number;
}
/** Image of a directory. */
export interface Sample {
  readonly picture: string;
  readonly label: string | null;
}
/** Some rows of a scored table, including mistakes. */
export interface PredictionsPreview {
  readonly kind: "predictions";
  readonly node: string;
  readonly port: string;
  readonly num_images: number;
  readonly num_wrong: number | null;
  readonly samples: readonly Prediction[];
}
/** Image with the model's prediction. */
export interface Prediction {
  readonly picture: string | null;
  readonly actual: string | null;
  readonly predicted: string;
  readonly confidence: number | null;
}
/** Metrics of an evaluation and its confusion matrix; rows are the actual classes. */
export interface EvaluationPreview {
  readonly kind: "evaluation";
  readonly node: string;
  readonly port: string;
  readonly metrics: { readonly [k: string]: number | null };
  readonly classes: readonly string[];
  readonly confusion: readonly (readonly number[])[];
}
/** Trained model: its description and the curves of its training, one value per epoch. */
export interface ModelPreview {
  readonly kind: "model";
  readonly node: string;
  readonly port: string;
  readonly architecture: string;
  readonly num_classes: number;
  readonly best_epoch: number | null;
  readonly curves: { readonly [k: string]: readonly (number | null)[] };
}
/** Parameters of Init Image Transformation to be tried. */
export interface Variation {
  readonly parameters: { readonly [k: string]: JsonValue };
  /** Seed of the image choice and of random parameters. */
  readonly seed?: number;
}
/** Image and its transformed version, random for each seed. JPEG in base64. */
export interface VariedImage {
  readonly before: string;
  readonly after: readonly string[];
}
/** Untrained model, built for the images of its training. */
export interface NetworkSketch {
  readonly architecture: string;
  readonly num_classes: number;
  /** Image height in pixels. */
  readonly height: number;
  readonly width: number;
  readonly num_parameters: number;
  readonly num_trainable: number;
  readonly flops_per_image: number;
  readonly parts: readonly NetworkPart[];
}
/** Adjacent layers under one name. */
export interface NetworkPart {
  readonly name: string;
  readonly num_parameters: number;
  /** FLOPs per image. */
  readonly flops: number;
}
/** Prediction of an image; nothing is stored. */
export interface TriedAnswer {
  /** The most probable class. */
  readonly category: string;
  /** False if the model is less sure than its threshold. */
  readonly accepted: boolean;
  /** The five most probable classes. */
  readonly classes: readonly ClassProbability[];
  /** All classes, the most probable first. */
  readonly names: readonly string[];
  /** Image as the model sees it: PNG in base64. */
  readonly seen: string;
  /** The same with a heat map; null if there is none. */
  readonly overlay: string | null;
  /** What the evaluation says about predictions of the class. */
  readonly confusions: string;
}
export interface ClassProbability {
  readonly name: string;
  readonly probability: number;
}
export interface KeptAnswer {
  readonly category: string;
  /** Value for the source of Import Images. */
  readonly source: string;
}
/** Training images most similar to an image, the nearest first. */
export interface SimilarPictures {
  readonly neighbors: readonly SimilarPicture[];
  /**
   * True if it is farther from all training images than validation images are. Null if that is not known.
   */
  readonly unlike: boolean | null;
  readonly verdict: string;
}
/** A training image: its row, file and class, and its distance by the model's features. */
export interface SimilarPicture {
  readonly index: number;
  readonly path: string;
  readonly label: string | null;
  /** 0 for equal features, at most 2. */
  readonly distance: number;
  /** Thumbnail as a data: URL; null if unreadable. */
  readonly picture: string | null;
}
export interface ReplayCreated {
  readonly id: string;
  readonly name: string;
}
/** Replay. Its events have ids from 1 and are in order. */
export interface ReplayAnswer {
  readonly id: string;
  readonly run: RecordedRun;
  readonly document: PipelineDocument;
  readonly environment: RecordedEnvironment;
  readonly artifacts: readonly RecordedArtifact[];
  readonly logs: readonly ReplayLog[];
  readonly previews: readonly (
    ImagesPreview | PredictionsPreview | EvaluationPreview | ModelPreview
  )[];
  readonly events: readonly Event[];
  /** Primary metric at the end. Null if none was recorded. */
  readonly headline: Headline | null;
  /** Name to JPEG in base64. */
  readonly pictures: { readonly [k: string]: string };
}
/** Recorded run; times are seconds since the epoch. */
export interface RecordedRun {
  readonly id: string;
  readonly name: string;
  readonly experiment: string;
  readonly description?: string;
  readonly to_node?: string | null;
  readonly status: string;
  readonly created: number;
  readonly started: number | null;
  readonly finished: number | null;
}
/** Machine that recorded the run, as of then. */
export interface RecordedEnvironment {
  readonly recorded: number;
  readonly program: string;
  readonly python: string;
  readonly platform: string;
  readonly processor: string;
  readonly libraries: { readonly [k: string]: string };
  readonly cores: number;
  readonly gpus: number;
  readonly memory_bytes: number;
}
/** Output and the hashes of its files, with which a rerun is compared. */
export interface RecordedArtifact {
  readonly node: string;
  readonly port: string;
  readonly type: string;
  readonly schema_version: number;
  readonly key: string;
  readonly artifact_id: string;
  readonly content: { readonly [k: string]: string };
}
/** Log; its lines have no times, players spread them over the duration of the node. */
export interface ReplayLog {
  readonly node: string;
  readonly file: string;
  readonly num_bytes: number;
  /** The end of the log, at most 64 kB. */
  readonly text: string;
}
export interface EnvironmentList {
  readonly environments: readonly EnvironmentSummary[];
  /** False if uv is not installed. */
  readonly can_install: boolean;
}
/** Version of an environment. */
export interface EnvironmentSummary {
  readonly name: string;
  readonly version: number;
  /** Name in run settings: NAME@VERSION. */
  readonly reference: string;
  /** Included with the designer. */
  readonly curated: boolean;
  readonly requirements: readonly string[];
  readonly base: "designer" | "isolated" | "image";
  /** Image reference, for the base image. */
  readonly image?: string;
  readonly python: string;
  readonly as_of: string | null;
  readonly allow_builds: boolean;
  /** Unsupported entries of its file. */
  readonly left_out: readonly string[];
  readonly key: string;
  readonly created: number;
  /** Ids of saved pipelines. */
  readonly used_by: readonly string[];
  readonly built: EnvironmentBuilt | null;
}
/** Built copy of an environment. */
export interface EnvironmentBuilt {
  readonly num_bytes: number;
  /** Bytes not shared with anything else. */
  readonly own_bytes: number;
  /** Packages in addition to those of its base. */
  readonly num_packages: number;
  readonly seconds: number;
  readonly last_used: number;
}
/** Specification to be stored as the next version of a name. */
export interface EnvironmentRequest {
  readonly text?: string;
  readonly file_name?: string;
  readonly groups?: readonly string[];
  /** Null: as in the file. */
  readonly base?: ("designer" | "isolated" | "image") | null;
  /** Image reference, for the base image. */
  readonly image?: string;
  readonly python?: string | null;
  readonly as_of?: string | null;
  readonly allow_builds?: boolean;
  readonly name: string;
}
export interface EnvironmentDetail {
  readonly name: string;
  readonly version: number;
  /** Name in run settings: NAME@VERSION. */
  readonly reference: string;
  /** Included with the designer. */
  readonly curated: boolean;
  readonly requirements: readonly string[];
  readonly base: "designer" | "isolated" | "image";
  /** Image reference, for the base image. */
  readonly image?: string;
  readonly python: string;
  readonly as_of: string | null;
  readonly allow_builds: boolean;
  /** Unsupported entries of its file. */
  readonly left_out: readonly string[];
  readonly key: string;
  readonly created: number;
  /** Ids of saved pipelines. */
  readonly used_by: readonly string[];
  readonly built: EnvironmentBuilt | null;
  readonly packages: readonly EnvironmentPackage[];
  readonly lock: string;
}
export interface EnvironmentPackage {
  readonly name: string;
  readonly version: string;
  /** Part of the designer's own packages. */
  readonly shared: boolean;
}
/** Progress of a build started by this process. */
export interface EnvironmentBuildState {
  readonly state: "none" | ("building" | "built" | "failed");
  readonly lines: readonly string[];
  readonly failure: string;
}
/** Text of a script. */
export interface ScriptText {
  readonly text: string;
}
/** Facts read from a script. */
export interface ScriptFacts {
  readonly options: readonly DeclaredOption[];
  /** Arguments with the default values. */
  readonly arguments: readonly string[];
  /** Packages of the script header (PEP 723). */
  readonly requirements: readonly string[];
  /** Framework, according to the imports. */
  readonly framework: ScriptFramework | null;
  /** Titles of modules declared with `@module`: such a file is not a script. */
  readonly modules: readonly string[];
  /** One node per ScriptRunConfig of SDK v1: such a file is not a script. */
  readonly submission: PipelineDocument | null;
  /** Steps required before the submission can run. */
  readonly notes: readonly string[];
  /** Folder of the modules of the workspace. */
  readonly modules_folder: string;
}
/** One call of ``add_argument``, as far as its arguments are literals. */
export interface DeclaredOption {
  readonly name: string;
  readonly default: string | number | boolean | null;
  readonly is_required: boolean;
  readonly is_switch: boolean;
  readonly help: string;
}
/** Framework that starts a script's processes, and its launcher and environment. */
export interface ScriptFramework {
  readonly title: string;
  /** Null if the default launcher is suitable. */
  readonly launcher: ("none" | "pytorch_process" | "pytorch_node" | "mpi" | "tensorflow") | null;
  /** Name of the included environment. */
  readonly environment: string | null;
}
export interface DatasetList {
  readonly datasets: readonly DatasetEntry[];
  readonly allowed_roots: readonly string[];
  readonly max_upload_bytes: number;
}
export interface DatasetEntry {
  readonly name: string;
  readonly versions: readonly number[];
  /** Value for the source of Import Images. */
  readonly source: string;
  /** Of the newest version. */
  readonly preview: DatasetPreview | null;
}
/** Contents of a folder or archive according to its file names; no image is read. */
export interface DatasetPreview {
  readonly images: number;
  readonly num_bytes: number;
  /** The largest first, at most 200. */
  readonly classes: readonly ClassSummary[];
  readonly num_classes: number;
  /** Notes, such as the parts found and files that are not read. */
  readonly notice?: string | null;
}
/** A class and its number of images. */
export interface ClassSummary {
  readonly name: string;
  readonly images: number;
}
/** Folder or archive on this server. */
export interface FolderRequest {
  readonly path: string;
  readonly name?: string | null;
}
export interface DatasetCreated {
  readonly name: string;
  readonly version: number;
  readonly source: string;
  /** True if this version has the same files: nothing was added. */
  readonly was_known: boolean;
  readonly preview: DatasetPreview;
}
export interface ModelList {
  readonly models: readonly ModelEntry[];
}
export interface ModelEntry {
  readonly name: string;
  readonly description: string;
  readonly created: number;
  readonly aliases: { readonly [k: string]: number };
  /** Golden images of aliases that move only to versions that are not worse. */
  readonly rules: { readonly [k: string]: string };
  /** Oldest first. */
  readonly versions: readonly VersionEntry[];
}
/** Version of a model; its files are the output ``artifact_id/port``. */
export interface VersionEntry {
  readonly version: number;
  /** ForeignModel: files of a script or an export, not accepted by Registered Model. */
  readonly type: "TrainedModel" | "ForeignModel";
  /**
   * Module that outputs it for Score Image Model: registered_model or onnx_model. Null for other files of a script.
   */
  readonly module: string | null;
  readonly description: string;
  readonly created: number;
  readonly run_id: string | null;
  readonly metrics: { readonly [k: string]: number };
  readonly artifact_id: string;
  readonly port: string;
  readonly num_bytes: number;
}
export interface PublishedList {
  readonly published: readonly PublishedEntry[];
}
/** Published pipeline; its versions are numbered from 1, oldest first. */
export interface PublishedEntry {
  readonly name: string;
  readonly description: string;
  readonly created: number;
  readonly versions: readonly number[];
}
/** Request to derive the inference pipeline of a document. */
export interface InferenceRequest {
  readonly document: PipelineDocument;
  /** Registered model. Null: the newest that the run or pipeline trained. */
  readonly model?: string | null;
  /** Run that trained the model. */
  readonly run_id?: string | null;
  /** Node of the trained model. */
  readonly node?: string | null;
}
/** Inference pipeline and the changes that led to it. Nothing is stored. */
export interface InferenceAnswer {
  readonly document: PipelineDocument;
  readonly changes: readonly InferenceChange[];
}
/** Change of a node, and its reason. */
export interface InferenceChange {
  readonly kind: "removed" | "replaced" | "changed" | "added";
  readonly node: string;
  readonly title: string;
  readonly why: string;
}
export interface RecordingList {
  readonly recordings: readonly RecordingEntry[];
}
export interface RecordingEntry {
  readonly name: string;
  readonly classes: number;
  readonly pictures: number;
}
/** Name of a new recording and of its dataset; null: a free name. */
export interface RecordingName {
  readonly name?: string | null;
}
/** A recording as stored, and the last version that was saved of it. */
export interface RecordingAnswer {
  readonly name: string;
  readonly classes: readonly ClassEntry[];
  /** Newest version of its dataset; 0 if there is none. */
  readonly version: number;
  /** True if that version has exactly these images. */
  readonly is_saved: boolean;
  /** Pipeline of the last training. */
  readonly pipeline_id: string | null;
  /** Run of the last training. */
  readonly run_id: string | null;
  readonly limits: RecordingLimits;
}
/** Class of a recording. */
export interface ClassEntry {
  readonly id: string;
  readonly name: string;
  /** Ids of the stored images, oldest first. */
  readonly pictures: readonly string[];
}
export interface RecordingLimits {
  readonly classes: number;
  readonly pictures: number;
  readonly class_name: number;
  readonly picture_bytes: number;
  readonly picture_pixels: number;
}
export interface ClassName {
  readonly name: string;
}
/** Acknowledgement of a picture that is stored safely. */
export interface StoredPicture {
  readonly id: string;
  readonly class_id: string;
}
/** Run that trains with a recording. */
export interface TrainingStarted {
  /** Version of the dataset that it reads. */
  readonly source: string;
  readonly version: number;
  readonly pipeline_id: string;
  readonly run_id: string;
}
/** Progress and result of a training with a recording. */
export interface TrainingProgress {
  readonly run_id: string;
  readonly status: string;
  readonly is_finished: boolean;
  /** Number of finished steps. */
  readonly num_done: number;
  readonly num_steps: number;
  /** Title of the step that runs. */
  readonly current: string | null;
  readonly seconds: number | null;
  readonly result: TestAccuracy | null;
  /** Error message and fix if it failed. */
  readonly message: string | null;
}
/** Accuracy on the test images and its 95 % interval, all 0 to 1. */
export interface TestAccuracy {
  readonly accuracy: number;
  readonly images: number;
  readonly low: number;
  readonly high: number;
}
/** Prediction of a picture of the camera. */
export interface LivePrediction {
  /** In the order of the model. */
  readonly classes: readonly ClassShare[];
  /** Heat map of the most probable class: JPEG in base64. */
  readonly overlay: string | null;
  /** Time of the prediction, without the request. */
  readonly milliseconds: number;
  /** True if a newer picture arrived before its turn. */
  readonly skipped: boolean;
}
/** Class and its predicted probability. */
export interface ClassShare {
  readonly name: string;
  readonly probability: number;
}
/** Request to start the sweep of a document's settings. */
export interface SweepRequest {
  readonly document: PipelineDocument;
  readonly pipeline_id?: string | null;
  readonly experiment?: string | null;
  readonly description?: string;
}
/** Sweep with its trials; `note` reports failures of its strategy. */
export interface SweepReport {
  readonly sweep: string;
  readonly name: string;
  readonly pipeline_id: string | null;
  readonly state: "running" | "stopping" | "stopped" | "completed" | "failed";
  /** Why it ended, if not all of its trials have run. */
  readonly reason: string | null;
  readonly created: number;
  readonly finished: number | null;
  readonly num_trials: number;
  readonly max_trials: number;
  /** Number of the best trial. */
  readonly best: number | null;
  /** Value of the best trial. */
  readonly objective: number | null;
  readonly settings: SweepSettings;
  readonly note: string | null;
  readonly trials: readonly SweepTrial[];
  /** The best mean first. */
  readonly repeated: readonly RepeatedValues[];
}
/** Trial: one run with its own values. */
export interface SweepTrial {
  readonly number: number;
  readonly run: string | null;
  readonly state:
    | "planned"
    | "running"
    | "interrupted"
    | "paused"
    | "completed"
    | "failed"
    | "cancelled"
    | "stopped";
  /** By NODE.PARAMETER. */
  readonly values: { readonly [k: string]: JsonValue };
  readonly objective: number | null;
  /** Why it has no result, or was stopped early. */
  readonly reason: string | null;
  readonly created: number;
  readonly finished: number | null;
}
/** Values that were tried with several seeds. */
export interface RepeatedValues {
  /** Number of the trial that was repeated. */
  readonly trial: number;
  /** By NODE.PARAMETER. */
  readonly values: { readonly [k: string]: JsonValue };
  /** Of completed trials, the first seed first. */
  readonly objectives: readonly number[];
  readonly mean: number | null;
  /** Standard deviation; null for fewer than two. */
  readonly spread: number | null;
}
/** Metric with several steps: the points of each run, for an overlay. */
export interface ComparedCurve {
  readonly node: string;
  readonly metric: string;
  readonly points: readonly (readonly CurvePoint[])[];
}
export interface CurvePoint {
  readonly step: number;
  readonly value: number | null;
  /** Time since the start of the run. Null for reused outputs. */
  readonly seconds: number | null;
}
/** Node and its id in each of the runs: null if a run has no such node. */
export interface ComparedNode {
  readonly node: string;
  readonly title: string;
  readonly module: string;
  readonly ids: readonly (string | null)[];
  readonly statuses: readonly (string | null)[];
  readonly seconds: readonly (number | null)[];
}
/** Compared run; times are seconds since the epoch. */
export interface ComparedRun {
  readonly run_id: string;
  readonly name: string;
  readonly experiment: string;
  readonly status: string;
  readonly created: number;
  readonly seconds: number | null;
  readonly tags: readonly string[];
  /** Name of the pipeline's version. Null if it has none. */
  readonly version: string | null;
}
/**
 * Two to eight runs side by side.
 *
 * Every list with one entry per run is in the order of `runs`.
 */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  /** Headline metric of each run. */
  readonly headlines: readonly (Headline | null)[];
  /** Index of the best run. Null for a tie or different metrics. */
  readonly winner: number | null;
  readonly nodes: readonly ComparedNode[];
  readonly parameters: readonly ParameterDifference[];
  readonly metrics: readonly MetricComparison[];
  readonly curves: readonly ComparedCurve[];
  /** Differences between each run's graph and that of the first run. */
  readonly graphs: readonly GraphDifference[];
  readonly flips: readonly FlipSummary[];
}
/** Parameter or run setting whose values differ. */
export interface ParameterDifference {
  /** ID as in `nodes`. Empty for a setting of the pipeline. */
  readonly node: string;
  readonly parameter: string;
  readonly title: string;
  /** Null also if a run does not have the node. */
  readonly values: readonly JsonValue[];
  readonly is_present: readonly boolean[];
}
/** Result of a metric in each run, as on its page, and its difference from the first. */
export interface MetricComparison {
  readonly node: string;
  readonly metric: string;
  /** Display name of the metric. */
  readonly label: string;
  /** Null if unknown. */
  readonly higher_is_better: boolean | null;
  readonly values: readonly (number | null)[];
  /** Difference to the first run that has a value. */
  readonly deltas: readonly (number | null)[];
  /** Lowest values of the curves. */
  readonly lowest: readonly (number | null)[];
  readonly highest: readonly (number | null)[];
}
/** Differences of a scored dataset between the runs. Lists are in the order of the runs. */
export interface FlipSummary {
  /** As in `nodes` of the comparison. */
  readonly node: string;
  readonly port: string;
  /** Scored images. Null if a run has no table. */
  readonly scored: readonly (number | null)[];
  /** Images that all runs with a table scored. */
  readonly shared: number;
  /** Shared images with different predictions. */
  readonly flipped: number;
  /** Wrong in the first run, right in this one. */
  readonly fixed: readonly (number | null)[];
  /** Right in the first run, wrong in this one. */
  readonly broken: readonly (number | null)[];
  /** False if images were matched only by path. */
  readonly same_files: boolean;
}
/** Result of one check. */
export interface DoctorCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly cure?: string;
}
/** This machine and this server. */
export interface Environment {
  readonly version: string;
  readonly workspace: string;
  readonly healthy: boolean;
  readonly findings: readonly DoctorCheck[];
  readonly allowed_roots: readonly string[];
  readonly runner: "running" | "none";
}
/** Response with an error. */
export interface ErrorAnswer {
  readonly error: ErrorBody;
  /** Problems of a rejected document. */
  readonly problems?: readonly Problem[] | null;
  /** Current revision, if a commit conflicts with it. */
  readonly revision?: number | null;
  /** Document of that revision. */
  readonly document?: PipelineDocument | null;
}
/** Error message and fix. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
  readonly reason: string;
  readonly facts: { readonly [k: string]: JsonValue };
}
/** Primary metric so far, as a message of an event stream. */
export interface HeadlineReport {
  readonly headline: Headline | null;
}
/** Request to register an output as a model. */
export interface Registration {
  readonly artifact_id: string;
  readonly port: string;
  readonly name: string;
  readonly alias?: string | null;
  readonly description?: string | null;
}
/** State of the runner, as a message of an event stream. */
export interface RunnerReport {
  /** Error message and fix; null: the runner works again. */
  readonly problem: string | null;
}
/** First message of an event stream: the state of the run after ``last_event_id``. */
export interface Snapshot {
  readonly run_id: string;
  readonly document_id: string;
  readonly pipeline_id: string | null;
  readonly last_event_id: number;
  readonly state: RunState;
}
/** Place on a sheet: the image's row, path and class; ``shown`` is false if unreadable. */
export interface Thumbnail {
  readonly index: number;
  readonly path: string;
  readonly label: string | null;
  readonly shown: boolean;
}
