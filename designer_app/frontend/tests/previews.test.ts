/** Previews are requested a few at a time, each from the run that was shown at that time. */

import { afterEach, beforeEach, expect, test } from "vitest";

import { NEW_STEP } from "../src/graph/runState";
import type { StepState } from "../src/graph/types";
import type { Editor } from "../src/store/editor";
import { previewsOf } from "../src/store/previews";
import { newRunView } from "../src/store/runReducer";
import { START, editorOn } from "./oneValue";
import { PipelineServer, send, until } from "./server";

let server: PipelineServer;
let editor: Editor;

beforeEach(async () => {
  server = new PipelineServer();
  await server.start();
  server.keep(START);
  editor = editorOn(server, {});
});

afterEach(async () => {
  editor.close();
  await server.stop();
});

test("a waiting request is sent to the run it was made for, not to the next one", async () => {
  const requests: string[] = [];
  const answers: (() => void)[] = [];
  server.intercept = ({ url = "" }, response) => {
    requests.push(url);
    answers.push(() => send(response, 200, { previews: [], pictures: {}, is_transformed: false }));
    return true;
  };
  show("first");
  const source = previewsOf(editor);
  const wanted = ["n1", "n2", "n3", "n4", "n5"].map((node) => source.outputs(node, ended(node)));
  wanted.push(source.cell("n6", ended("n6"), "a", "b"));
  const drawn = ["n1", "n2"].map((node) => source.augmented(node, ended(node)));
  drawn.push(source.network("n3", ended("n3")) as never);
  show("second");
  for (let answered = 0; answered < 9; answered += 1) {
    await until(() => answers.length > answered);
    answers[answered]?.();
  }
  await Promise.all([...wanted, ...drawn]);
  expect(requests.filter((url) => !url.startsWith("/api/runs/first/"))).toEqual([]);
});

function show(run: string): void {
  editor.store.setState({ run: newRunView(run, null) });
}

function ended(node: string): StepState {
  return { ...NEW_STEP, status: "completed", artifact_id: `of ${node}` };
}
