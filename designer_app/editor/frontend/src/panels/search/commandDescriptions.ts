/** Descriptions of the commands, loaded with the search for commands. */

import type { Command } from "../../commands/registry";

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "tidy-up": "Arrange the selected nodes, or all nodes, in rows that fit the canvas.",
  group: "Put a box with a title around the selected nodes.",
  ungroup: "Remove the group; its nodes stay.",
  straighten: "Remove the waypoints, so that the wire is routed automatically.",
  "add-note": "Add a Markdown note to the canvas.",
  cut: "Copy the selection and remove it; groups include their nodes.",
  copy: "Copy the selected nodes with the wires among them, notes and groups, as JSON.",
  paste: "Insert the copied nodes, here or in another pipeline.",
  duplicate: "Insert copies of the selection next to it.",
  "connect-selected": "Press again for the next pair of compatible ports.",
  delete: "Remove the selected nodes, wires, notes and groups.",
  "delete-and-heal": "Remove the nodes and connect their inputs to their outputs.",
  rename: "Change the title of the node or group.",
  disable: "A disabled node does not run; it passes its input through if possible.",
  collapse: "Show a group as one box, or its nodes.",
  "colour-of-module": "Show the selected nodes in their default color.",
  save: "Changes are saved automatically; this shows the state.",
  "export-json": "Download the pipeline document.",
  "export-python": "Download a Python script that runs the modules of the pipeline.",
  "export-png": "Download an image of the graph; drop it on the canvas to open the pipeline.",
  "export-svg": "Download a vector image of the graph; drop it on the canvas to open the pipeline.",
  import:
    "Open a pipeline (JSON, image or model file) or replay; import a zip as a dataset, a .py file as a node.",
  "keep-drafts": "Save unsaved edits of another tab as a new pipeline.",
  "resolve-conflict": "Someone else has saved this pipeline.",
  run: "Choose experiment, name and compute target, and run the pipeline.",
  forecast: "Estimate images, classes and time of every node without running it.",
  "run-to-here": "Run this node and the nodes that it needs.",
  "run-selected": "Run the selected nodes and the nodes that they need.",
  "rerun-from-here": "Run this node and all nodes after it again; earlier nodes are reused.",
  cancel: "Stop the run; finished nodes are kept.",
  "stop-and-keep": "End the training now and continue with its best model so far.",
  resume:
    "Continue a failed or cancelled run; after a change, start a new run that reuses valid results.",
  look: "Show the output of the node; clicking its port does the same.",
  "see-result": "Go to the failed node, or to the node with the main metric, and open its result.",
  "hide-run": "Show the pipeline without the results of a run.",
  "select-all": "Select all nodes and notes.",
  "select-none": "Clear the selection; with nothing selected, leave the sub-pipeline.",
  "select-upstream": "Also select all nodes that the selection depends on.",
  "select-downstream": "Also select all nodes that depend on the selection.",
  "select-wire": "Press again for the next wire; Delete removes it, arrow keys go to its ends.",
  lasso: "Draw a line around nodes; hold Shift to add to the selection.",
  "make-sub-pipeline": "Replace the selected nodes by one node with its own ports and parameters.",
  "unpack-sub-pipeline": "Replace a sub-pipeline by its contents.",
  "open-sub-pipeline": "Show its contents. Changes apply wherever the sub-pipeline is used.",
  "leave-sub-pipeline":
    "Return to the enclosing pipeline; Escape does the same if nothing is selected.",
  undo: "Undo the last change; run results are kept.",
  redo: "Redo the change that was undone.",
  "fit-view": "Show the whole pipeline.",
  "zoom-to-selection": "Zoom to the selected nodes.",
  "zoom-in": "Zoom in.",
  "zoom-out": "Zoom out.",
  "find-node": "Search the nodes by title, module, comment or status.",
  "open-module-search": "Search modules and add one at the pointer.",
  "open-commands": "Search all commands.",
  "module-documentation":
    "Description, inputs, outputs and parameters of the selected node's module.",
  "show-shortcuts": "List of all keyboard shortcuts.",
  versions: "Earlier versions, their changes, and how to restore them.",
  "notify-at-end": "Turn browser notifications on or off for runs of 30 seconds or more.",
  tour: "A tour of the editor in five steps.",
  "toggle-timeline": "Start and end of each node of the run, below the canvas.",
  "toggle-previews": "Images, confusion matrices and model parts below nodes that have run.",
};

/** Descriptions of commands that differ in a direction, a color or a pane, by the start of their ids. */
const FAMILIES: readonly (readonly [string, string])[] = [
  ["align-", "Align the selected nodes."],
  ["distribute-", "Make the gaps between the selected nodes equal."],
  ["nudge-", "Move the selected nodes by eight pixels."],
  ["colour-", "Set the color of the selected nodes and groups."],
  ["go-", "Select the nearest node in that direction, following wires first."],
  ["extend-", "Press L to connect two selected nodes."],
  ["toggle-", "Collapse or expand this pane."],
];

/** Return the description of a command; empty for one that no list shows. */
export function descriptionOf({ id }: Command): string {
  const family = FAMILIES.find(([start]) => id.startsWith(start));
  return DESCRIPTIONS[id] ?? family?.[1] ?? "";
}
