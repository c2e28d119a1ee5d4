/** Descriptions of the commands, loaded with the search for commands. */

import type { Command } from "../../commands/registry";
import { t } from "../../graph/translate";

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "tidy-up": t("Arrange the selected nodes, or all nodes, in rows that fit the canvas."),
  group: t("Put a box with a title around the selected nodes."),
  ungroup: t("Remove the group; its nodes stay."),
  straighten: t("Remove the waypoints, so that the wire is routed automatically."),
  "add-note": t("Add a Markdown note to the canvas."),
  cut: t("Copy the selection and remove it; groups include their nodes."),
  copy: t("Copy the selected nodes with the wires among them, notes and groups, as JSON."),
  paste: t("Insert the copied nodes, here or in another pipeline."),
  duplicate: t("Insert copies of the selection next to it."),
  "connect-selected": t("Press again for the next pair of compatible ports."),
  delete: t("Remove the selected nodes, wires, notes and groups."),
  "delete-and-heal": t("Remove the nodes and connect their inputs to their outputs."),
  rename: t("Change the title of the node or group."),
  disable: t("A disabled node does not run; it passes its input through if possible."),
  pin: t("Runs use the pinned result instead of computing the node, until it is unpinned."),
  "collapse-nodes": t("Show the selected nodes as their title bars only, or in full."),
  collapse: t("Show a group as one box, or its nodes."),
  "colour-of-module": t("Show the selected nodes in their default color."),
  save: t("Changes are saved automatically; this shows the state."),
  "export-json": t("Download the pipeline document."),
  "export-python": t("Download the pipeline as Python code; drop it on the canvas to open it."),
  "copy-python": t("Copy the selected nodes, or the whole pipeline, as Python code."),
  "export-png": t("Download an image of the graph; drop it on the canvas to open the pipeline."),
  "export-svg": t(
    "Download a vector image of the graph; drop it on the canvas to open the pipeline.",
  ),
  import: t(
    "Open a pipeline (JSON, Python, image or model file) or replay; import a zip as a dataset, a script as a node.",
  ),
  compare: t("Show the differences from a version, a run, a published or another pipeline."),
  "keep-drafts": t("Save unsaved edits of another tab as a new pipeline."),
  "resolve-conflict": t("Someone else has saved this pipeline."),
  run: t("Choose experiment, name and compute target, and run the pipeline."),
  forecast: t("Estimate images, classes and time of every node without running it."),
  "create-inference-pipeline": t(
    "Replace the training by its registered model; a note says why each node goes or changes.",
  ),
  "run-to-here": t("Run this node and the nodes that it needs."),
  "run-selected": t("Run the selected nodes and the nodes that they need."),
  "rerun-from-here": t("Run this node and all nodes after it again; earlier nodes are reused."),
  cancel: t("Stop the run; finished nodes are kept."),
  "stop-and-keep": t("End the training now and continue with its best model so far."),
  resume: t(
    "Continue a failed or cancelled run; after a change, start a new run that reuses valid results.",
  ),
  look: t("Show the output of the node; clicking its port does the same."),
  "see-result": t(
    "Go to the failed node, or to the node with the main metric, and open its result.",
  ),
  "hide-run": t("Show the pipeline without the results of a run."),
  "select-all": t("Select all nodes and notes."),
  "select-none": t("Clear the selection; with nothing selected, leave the sub-pipeline."),
  "select-upstream": t("Also select all nodes that the selection depends on."),
  "select-downstream": t("Also select all nodes that depend on the selection."),
  "select-wire": t("Press again for the next wire; Delete removes it, arrow keys go to its ends."),
  lasso: t("Draw a line around nodes; hold Shift to add to the selection."),
  "make-sub-pipeline": t(
    "Replace the selected nodes by one node with its own ports and parameters.",
  ),
  "unpack-sub-pipeline": t("Replace a sub-pipeline by its contents."),
  "open-sub-pipeline": t("Show its contents. Changes apply wherever the sub-pipeline is used."),
  "leave-sub-pipeline": t(
    "Return to the enclosing pipeline; Escape does the same if nothing is selected.",
  ),
  undo: t("Undo the last change; run results are kept."),
  redo: t("Redo the change that was undone."),
  "fit-view": t("Show the whole pipeline."),
  "zoom-to-selection": t("Zoom to the selected nodes."),
  "zoom-in": t("Zoom in."),
  "zoom-out": t("Zoom out."),
  "find-node": t("Search the nodes by title, module, comment or status."),
  "open-module-search": t("Search modules and add one at the pointer."),
  "open-commands": t("Search all commands."),
  "module-documentation": t(
    "Description, inputs, outputs and parameters of the selected node's module.",
  ),
  "show-shortcuts": t("List of all keyboard shortcuts."),
  versions: t("Earlier versions, their changes, and how to restore them."),
  "notify-at-end": t("Turn browser notifications on or off for runs of 30 seconds or more."),
  tour: t("A tour of the editor in five steps."),
  "toggle-timeline": t("Start and end of each node of the run, below the canvas."),
  "toggle-previews": t("Images, confusion matrices and model parts below nodes that have run."),
};

/** Descriptions of commands that differ in a direction, a color or a pane, by the start of their ids. */
const FAMILIES: readonly (readonly [string, string])[] = [
  ["align-", t("Align the selected nodes.")],
  ["distribute-", t("Make the gaps between the selected nodes equal.")],
  ["nudge-", t("Move the selected nodes by eight pixels.")],
  ["colour-", t("Set the color of the selected nodes and groups.")],
  ["go-", t("Select the nearest node in that direction, following wires first.")],
  ["extend-", t("Press L to connect two selected nodes.")],
  ["toggle-", t("Collapse or expand this pane.")],
];

/** Return the description of a command; empty for one that no list shows. */
export function descriptionOf({ id }: Command): string {
  const family = FAMILIES.find(([start]) => id.startsWith(start));
  return DESCRIPTIONS[id] ?? family?.[1] ?? "";
}
