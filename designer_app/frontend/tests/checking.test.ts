/** Verdicts of the server: stale after an edit, missing while it is unavailable, never outdated. */

import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { UNKNOWN_NODE, problemOf } from "../src/graph/problems";
import { removeNodes } from "../src/graph/removal";
import type { JsonValue, Problem } from "../src/graph/types";
import { Editor } from "../src/store/editor";
import { selectVerdict } from "../src/store/selectors";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, finish, send, until } from "./server";

const PROBLEM = problemOf(UNKNOWN_NODE, { sentence: ["k", "m"], facts: {} }, { node: "one" });
const server = new PipelineServer();
let editor: Editor;

beforeEach(async () => {
  await server.start();
  const document = pipeline(["one:constant", "two:constant"]);
  const revision = `"${server.keep(document)}"`;
  const { api } = server;
  const quick = { storage: null, firstRetry: 20 };
  editor = new Editor({ api, catalog: CATALOG, document, revision, ...quick });
});

afterEach(async () => {
  editor.close();
  server.judge = (response) => finish(response, []);
  server.intercept = () => false;
  await server.stop();
});

const set = (value: JsonValue): boolean =>
  editor.dispatch((d, c) => setParameter(d, c, "one", "value", value), { label: "Set" });
const verdict = (): string => selectVerdict(editor.state);
const problems = (): readonly Problem[] => editor.state.problems;

test("a verdict is stale from an edit until the response to its commit", async () => {
  const held: ServerResponse[] = [];
  server.judge = (response) => void held.push(response);
  expect(verdict()).toBe("stale"); // not checked yet
  set(2);
  await until(() => held.length === 1);
  expect([verdict(), problems()]).toEqual(["stale", []]);
  finish(held[0], [PROBLEM]);
  await until(() => verdict() === "current");
  expect(problems()).toEqual([PROBLEM]);
  set(3);
  expect([verdict(), problems()]).toEqual(["stale", [PROBLEM]]);
  editor.undo();
  expect(verdict()).toBe("current"); // this version was checked
  editor.dispatch((document) => removeNodes(document, ["one"]), { label: "Delete" });
  expect([verdict(), problems()]).toEqual(["stale", []]);
});

test("the verdict is missing without the server, and arrives with a later commit", async () => {
  set(2);
  await until(() => verdict() === "current");
  await server.stop();
  set(3);
  await until(() => verdict() === "missing");
  await server.start();
  await until(() => verdict() === "current");
});

test("the server is asked again until it responds", async () => {
  let requests = 0;
  server.intercept = ({ url }, response) => {
    if (url !== "/api/validate") return false;
    requests += 1;
    if (requests === 1) send(response, 503, {});
    else send(response, 200, { valid: false, problems: [PROBLEM] });
    return true;
  };
  await editor.checking.askServer();
  expect(verdict()).toBe("missing");
  await until(() => verdict() === "current");
  expect(problems()).toEqual([PROBLEM]);
});

test("a late verdict on an older version does not replace the current one", async () => {
  const held: ServerResponse[] = [];
  server.intercept = ({ url }, response) => url === "/api/validate" && held.push(response) > 0;
  const asking = editor.checking.askServer();
  await until(() => held.length === 1);
  set(2);
  await until(() => verdict() === "current");
  const [late] = held;
  if (late) send(late, 200, { valid: false, problems: [PROBLEM] });
  await asking;
  expect([verdict(), problems()]).toEqual(["current", []]);
});
