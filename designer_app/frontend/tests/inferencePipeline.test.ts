/** Inference pipeline: one step of the history, with the reasons in a note. */

import { afterEach, beforeEach, expect, test } from "vitest";

import type { InferenceChange } from "../src/api/types.gen";
import { withReasons } from "../src/commands/inferencePipeline";
import { perform } from "../src/commands/registry";
import type { PipelineDocument } from "../src/graph/types";
import { type Editor } from "../src/store/editor";
import { START, editorOn } from "./oneValue";
import { PipelineServer, until } from "./server";

const CHANGES: readonly InferenceChange[] = [
  { kind: "replaced", node: "train", title: "Train", why: "birds@2 takes its place." },
  { kind: "removed", node: "split", title: "Split", why: "It only feeds the training." },
];

let server: PipelineServer;
let editor: Editor;
let asked: PipelineDocument | null;

beforeEach(async () => {
  server = new PipelineServer();
  await server.start();
  server.keep(START);
  asked = null;
  editor = editorOn(server, {});
});

afterEach(async () => {
  editor.close();
  await server.stop();
});

const derived = (): PipelineDocument => ({ ...START, nodes: START.nodes.slice(0, 1) });

function deriving(status: number, answer: object): void {
  server.intercept = (request, response, body) => {
    if (!request.url?.endsWith("/inference-pipelines")) return false;
    asked = (JSON.parse(body) as { document: PipelineDocument }).document;
    response.statusCode = status;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(answer));
    return true;
  };
}

test("the derived pipeline is one step, and undo restores the training", async () => {
  deriving(200, { document: derived(), changes: CHANGES });
  const before = editor.state.document;
  expect(perform(editor, "create-inference-pipeline")).toBe(true);
  await until(() => editor.state.document.notes.length === 1);
  expect(asked?.nodes.map(({ id }) => id)).toEqual(before.nodes.map(({ id }) => id));
  expect(editor.state.document.notes[0]?.text).toContain("**Split** removed: It only feeds");
  editor.undo();
  expect(editor.state.document).toEqual(before);
});

test("a refusal changes nothing and is reported", async () => {
  const error = { code: "no", message: "No model.", cure: "Register one.", reason: "", facts: {} };
  deriving(422, { error });
  const before = editor.state.document;
  perform(editor, "create-inference-pipeline");
  await until(() => editor.state.notices.length > 0);
  expect(editor.state.document).toEqual(before);
});

test("the note stands left of the nodes, and an existing note keeps its place", () => {
  const note = { id: "n", position: { x: 0, y: 0 }, width: 100, height: 50, text: "Mine" };
  const result = withReasons({ ...derived(), notes: [note] }, CHANGES);
  expect(result.notes[0]).toEqual(note);
  const added = result.notes[1];
  expect(added && added.position.x + added.width).toBeLessThan(0);
});
