/** Loading what was saved elsewhere; an older version that was requested before is never loaded. */

import { afterEach, beforeEach, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import type { Editor } from "../src/store/editor";
import { CATALOG } from "./cases";
import { START, editorOn, set, valueIn } from "./oneValue";
import { PipelineServer, send, until } from "./server";

let server: PipelineServer;
let editor: Editor;
/** Prepared responses, sent when called. */
let late: (() => void)[];

beforeEach(async () => {
  server = new PipelineServer();
  late = [];
  await server.start();
  server.keep(START);
  editor = editorOn(server, {});
});

afterEach(async () => {
  editor.close();
  await server.stop();
});

test("a response after a saved edit is ignored, and the next edit is saved", async () => {
  holdAnswers();
  const catching = editor.catchUp();
  await until(() => late.length === 1);
  set(editor, 2);
  await until(() => editor.state.saveState === "saved");
  answerAtOnce();
  late[0]?.();
  await catching;
  expect([valueIn(editor.state.document), editor.state.revision]).toEqual([2, '"2"']);
  set(editor, 3);
  await until(() => editor.state.saveState === "saved");
  expect(server.commits.map(valueIn)).toEqual([2, 3]);
});

test.each([
  [0, 1],
  [1, 0],
])("two responses in any order lead to the newest version", async (...order) => {
  holdAnswers();
  const catching: Promise<void>[] = [];
  for (const value of [7, 8]) {
    const revision = server.keep(setParameter(START, CATALOG, "one", "value", value));
    catching.push(editor.catchUp(`"${revision}"`));
    await until(() => late.length === catching.length);
  }
  answerAtOnce();
  for (const place of order) {
    late[place]?.();
    await catching[place];
  }
  expect([valueIn(editor.state.document), editor.state.revision]).toEqual([8, '"3"']);
});

/** Delay responses to requests for documents; they contain what is stored now. */
function holdAnswers(): void {
  server.intercept = ({ method }, response) => {
    const kept = server.kept.get(START.id);
    if (method !== "GET" || !kept) return false;
    late.push(() => send(response, 200, kept.document, kept.revision));
    return true;
  };
}

function answerAtOnce(): void {
  server.intercept = () => false;
}
