/** Descriptions of the commands, which only the search for commands shows: loaded with it. */

import type { Command } from "../../commands/registry";

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "tidy-up": "Arrange the selected nodes, or all of them, in rows that suit the canvas.",
  group: "Put a box with a title around the selected nodes.",
  ungroup: "Remove the group; its nodes stay.",
  straighten: "Take its waypoints away, so that it finds its way by itself.",
  "add-note": "Put a piece of Markdown on the canvas.",
  cut: "Copy what is selected and remove it; a group with its nodes.",
  copy: "Copy the selected nodes with the wires among them, notes and groups, as JSON.",
  paste: "Insert what was copied, here or in another pipeline.",
  duplicate: "Insert copies of what is selected beside it.",
  "connect-selected": "Press again to take the next pair of ports that fit.",
  delete: "Remove what is selected: nodes, wires, notes, groups.",
  "delete-and-heal": "Remove the nodes and connect what came in with what went out.",
  rename: "Give the node or the group a title of its own.",
  disable: "A disabled node does not run and hands its input on where it can.",
  collapse: "Show a group as one box, or its nodes.",
  "colour-of-module": "Show the selected nodes as their modules are.",
  save: "Everything is saved by itself; this only says so.",
  "export-json": "Download the pipeline document.",
  "export-python": "A script that calls the modules of the pipeline, one after the other.",
  "export-png": "A picture of the graph; dropped on the canvas it opens the pipeline again.",
  "export-svg": "A sharp picture of the graph; dropped on the canvas it opens the pipeline again.",
  import:
    "Open a pipeline from a JSON file, or a picture or model that carries one, or a replay; a zip becomes a dataset, a .py file a node.",
  "keep-drafts": "Save what another tab could not save as a pipeline of its own.",
  "resolve-conflict": "Somebody else has saved this pipeline meanwhile.",
  run: "Run the pipeline: choose experiment, name and compute target.",
  forecast: "Work out images, classes and time of every node without running it.",
  "run-to-here": "Run this node and what it needs.",
  "run-selected": "Run the selected nodes and what they need.",
  "rerun-from-here": "Run this node and all after it anew; what is before it is reused.",
  cancel: "End the run; what is finished is kept.",
  "stop-and-keep": "End the training early and go on with its best model so far.",
  resume:
    "Go on with a run that failed or was cancelled; after a change as a new run that reuses what still holds.",
  look: "Show what is in the node's output; a click on its port does the same.",
  "see-result": "Go to the node that failed, or to the one the run is judged by, and look into it.",
  "hide-run": "Show the pipeline without the results of a run.",
  "select-all": "Select every node and note.",
  "select-none": "Deselect everything; with nothing selected, leave the sub-pipeline.",
  "select-upstream": "Add all nodes that the selected ones need.",
  "select-downstream": "Add all nodes that depend on the selected ones.",
  "select-wire": "Press again for the next wire; Delete removes it, the arrows go to its ends.",
  lasso: "Draw a line round nodes; with Shift they are added to the selection.",
  "make-sub-pipeline": "Put the selected nodes into one, with ports and parameters of its own.",
  "unpack-sub-pipeline": "Put what a sub-pipeline holds in its place.",
  "open-sub-pipeline": "Show what it holds. What is changed there is changed wherever it is used.",
  "leave-sub-pipeline": "Back to what it lies in; Escape does the same once nothing is selected.",
  undo: "Take back the last change; results of runs stay.",
  redo: "Make the change again that was taken back.",
  "fit-view": "Show the whole pipeline.",
  "zoom-to-selection": "Show the selected nodes as large as they fit.",
  "zoom-in": "Show less, larger.",
  "zoom-out": "Show more, smaller.",
  "find-node": "Search the nodes by title, module, comment or status.",
  "open-module-search": "Search the modules and put one where the pointer is.",
  "open-commands": "Search everything that can be done.",
  "module-documentation":
    "What the selected node's module does, takes, gives, and what can be set.",
  "show-shortcuts": "The list of all keys.",
  versions: "What was saved before, what changed, and the way back to it.",
  "notify-at-end":
    "Turn notifications of this browser on or off, for runs of half a minute or more.",
  tour: "The tour: five steps that show how the editor is used.",
  "toggle-timeline": "When each node of the run began and ended, below the canvas.",
  "toggle-previews": "Images, the matrix and the parts of models below nodes that have run.",
};

/** Descriptions of commands that differ in a direction, a color or a pane, by the start of their ids. */
const FAMILIES: readonly (readonly [string, string])[] = [
  ["align-", "Put the selected nodes on one line."],
  ["distribute-", "The same gap between each node and the next."],
  ["nudge-", "Move the selected nodes by eight pixels."],
  ["colour-", "Set the colour of the selected nodes and groups."],
  ["go-", "Select the nearest node in that direction, along the wires first."],
  ["extend-", "Two selected nodes can be connected by L."],
  ["toggle-", "Fold or unfold this pane."],
];

/** Return the description of a command; empty for one that no list shows. */
export function descriptionOf({ id }: Command): string {
  const family = FAMILIES.find(([start]) => id.startsWith(start));
  return DESCRIPTIONS[id] ?? family?.[1] ?? "";
}
