/** Runs: submit all or a part, cancel, resume. */

import { findNode } from "../graph/lookup";
import { isFinished } from "../graph/runState";
import { openOutput, outputsOf } from "../store/pageHost";
import type { EditorState } from "../store/types";
import { goToNode } from "./goTo";
import { type Command, hasNodes, nodesText, nodesFor, oneNode, someNodes } from "./types";
import { t } from "../graph/translate";

const isRunning = (state: EditorState): boolean =>
  state.run !== null && !isFinished(state.run.state);

/** Return true while a step runs that can finish early and output its best result. */
const canStop = ({ run, document, catalog }: EditorState): boolean =>
  Object.entries(run?.steps ?? {}).some(([id, { status }]) => {
    const module = findNode(run?.document ?? document, id)?.module ?? "";
    return status === "running" && catalog.byId.get(module)?.stoppable === true;
  });

/** Return the failed node, else the one with the primary metric of the run. */
const nodeOfResult = ({ run, document }: EditorState): string | undefined => {
  const steps = Object.entries(run?.steps ?? {});
  const failed = steps.find(([, step]) => step.status === "failed")?.[0];
  const node = failed ?? run?.headline?.node;
  return node !== undefined && findNode(document, node) ? node : undefined;
};

export const RUN_COMMANDS: readonly Command[] = [
  {
    id: "run",
    label: t("Run"),
    group: "Run",
    keys: ["Mod+Enter"],
    icon: "play",
    enabled: hasNodes,
    perform: (editor) => editor.openDialog({ kind: "submit" }),
  },
  {
    id: "forecast",
    label: t("Forecast"),
    group: "Run",
    icon: "hourglass",
    doing: t("Computing the forecast"),
    enabled: (state) => hasNodes(state) && !isRunning(state),
    perform: (editor) => editor.shell?.forecast(),
  },
  {
    id: "create-inference-pipeline",
    label: t("Create inference pipeline"),
    doing: t("Deriving the inference pipeline"),
    group: "Run",
    icon: "cloud",
    enabled: (state) => hasNodes(state) && state.place === "",
    perform: async (editor) => {
      const { createInferencePipeline } = await import("./inferencePipeline");
      await createInferencePipeline(editor);
    },
  },
  {
    id: "run-to-here",
    label: t("Run to here"),
    doing: t("Starting the run"),
    group: "Run",
    icon: "step-forward",
    enabled: oneNode,
    perform: async (editor, args) => {
      const [to] = nodesFor(editor, args);
      if (to !== undefined) await editor.runs.submit({ to });
    },
  },
  {
    id: "run-selected",
    label: t("Run selection"),
    doing: t("Starting the run"),
    group: "Run",
    keys: ["Mod+Shift+Enter"],
    icon: "list-video",
    enabled: someNodes,
    perform: async (editor, args) => {
      await editor.runs.submit({ only: nodesFor(editor, args) });
    },
  },
  {
    id: "rerun-from-here",
    label: t("Run from here"),
    doing: t("Starting the run"),
    group: "Run",
    icon: "rotate-ccw",
    enabled: oneNode,
    perform: async (editor, args) => {
      const [from] = nodesFor(editor, args);
      if (from === undefined) return;
      const id = await editor.runs.submit({ from });
      if (id)
        editor.notify(
          t("Running from {nodes}; earlier nodes are reused.", {
            nodes: nodesText(editor, [from]),
          }),
          "information",
        );
    },
  },
  {
    id: "cancel",
    label: t("Cancel run"),
    doing: t("Cancelling the run"),
    group: "Run",
    icon: "square",
    enabled: (state) => isRunning(state) && !state.run?.state.cancel_requested,
    perform: (editor) => editor.runs.cancel(),
  },
  {
    id: "stop-and-keep",
    label: t("Finish early"),
    doing: t("Finishing the training early"),
    group: "Run",
    icon: "circle-stop",
    enabled: (state) => isRunning(state) && canStop(state),
    perform: (editor) => editor.openDialog({ kind: "stop" }),
  },
  {
    id: "resume",
    label: t("Resume run"),
    doing: t("Resuming the run"),
    group: "Run",
    icon: "play-circle",
    enabled: (state) =>
      state.run !== null && isFinished(state.run.state) && state.run.state.status !== "completed",
    perform: (editor) => editor.runs.resume(),
  },
  {
    id: "look",
    label: t("Open output"),
    group: "Run",
    keys: ["O"],
    icon: "eye",
    enabled: (state) =>
      oneNode(state) && outputsOf(state, state.selection.nodes[0] ?? "").length > 0,
    perform: (editor, args) => {
      const [node] = nodesFor(editor, args);
      if (node !== undefined) openOutput(editor.state, node, args["port"]);
    },
  },
  {
    id: "see-result",
    label: t("Show result"),
    group: "Run",
    icon: "gauge",
    enabled: (state) => nodeOfResult(state) !== undefined,
    perform: (editor) => {
      const node = nodeOfResult(editor.state);
      if (node === undefined) return;
      goToNode(editor, node, "least");
      if (editor.state.run?.state.status === "completed") editor.shell?.show("result");
    },
  },
  {
    id: "hide-run",
    label: t("Clear run status"),
    group: "Run",
    icon: "eye-off",
    enabled: (state) => state.run !== null && !isRunning(state),
    perform: (editor) => editor.runs.unfollow(),
  },
];
