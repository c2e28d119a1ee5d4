/** Pipeline or run that the page loads before it has an element to show it in. */

import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { openRun, prepareRun } from "../src/screens/run/openRun";
import { closeEditor, loadEditor, prepareEditor } from "../src/store/editors";
import { NEW_STEP } from "../src/graph/runState";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send, until } from "./server";

const FIRST = pipeline(["one:constant"]);
const OTHER = { ...FIRST, id: "other" };
const RUN = "/api/runs/r1";

let server: PipelineServer;
let requests: string[];
let targets: { name: string }[];
let stream: ServerResponse | null;

beforeEach(async () => {
  server = new PipelineServer();
  requests = [];
  targets = [];
  stream = null;
  server.intercept = ({ url = "" }, response) => {
    requests.push(url);
    if (url === "/api/catalog") send(response, 200, { ...CATALOG.spec, targets });
    else if (url === `${RUN}/document`) send(response, 200, FIRST);
    else if (url === `${RUN}/events`) {
      stream = response.writeHead(200, { "Content-Type": "text/event-stream" });
      stream.flushHeaders();
    } else return false;
    return true;
  };
  await server.start();
  server.keep(FIRST);
  server.keep(OTHER);
});

afterEach(async () => {
  for (const id of [FIRST.id, OTHER.id]) closeEditor(id);
  await server.stop();
});

test("is requested once", async () => {
  prepareEditor(server.api, FIRST.id);
  const editor = await loadEditor(server.api, FIRST.id);
  expect(editor.state.document).toEqual(FIRST);
  expect(requests.filter((url) => url === `/api/pipelines/${FIRST.id}`)).toHaveLength(1);
});

test("is requested again if another one was requested first", async () => {
  prepareEditor(server.api, FIRST.id);
  await loadEditor(server.api, OTHER.id);
  const changed = setParameter(FIRST, CATALOG, "one", "value", 7);
  server.keep(changed);
  const editor = await loadEditor(server.api, FIRST.id);
  await until(() => editor.state.document.nodes[0]?.parameters["value"] === 7, "the newest");
});

test("is requested again after a failure", async () => {
  await server.stop();
  prepareEditor(server.api, FIRST.id);
  await server.start();
  expect((await loadEditor(server.api, FIRST.id)).state.document).toEqual(FIRST);
});

test("includes compute targets that were added while another page was shown", async () => {
  const first = await loadEditor(server.api, FIRST.id);
  const { catalog } = first.state;
  targets = [{ name: "two-nodes" }];
  expect(await loadEditor(server.api, FIRST.id)).toBe(first);
  await until(() => first.state.targets[0]?.name === "two-nodes", "the target");
  expect(first.state.catalog).toBe(catalog);
  prepareEditor(server.api, FIRST.id);
  targets = [];
  await loadEditor(server.api, FIRST.id);
  expect(first.state.targets).toEqual([]);
});

test("its newest run is requested, however many newer runs other pipelines have", async () => {
  await loadEditor(server.api, FIRST.id);
  await until(() => requests.includes(`/api/runs?limit=1&pipeline=${FIRST.id}`), "its newest run");
});

test("a requested run loads first; checks follow after the canvas shows its state", async () => {
  const checks = (): readonly string[] =>
    requests.filter((url) => url.endsWith("/validate") || url === `${RUN}/document`);
  const editor = await loadEditor(server.api, FIRST.id, {}, "r1");
  expect(editor.state.run?.id).toBe("r1");
  await until(() => editor.state.run?.connection === "live", "its stream");
  expect(checks()).toEqual([]);
  const steps = { one: { ...NEW_STEP, status: "completed" } };
  const snapshot = { state: { status: "completed", problem: null, steps } };
  stream?.write(`event: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
  await until(() => checks().length === 2, "the checks");
  expect(editor.state.run?.steps["one"]?.status).toBe("completed");
  expect(requests.filter((url) => url.startsWith("/api/runs?"))).toEqual([]);
});

test("the graph of a run is requested once, and again after a failure", async () => {
  const graphs = (): number => requests.filter((url) => url === `${RUN}/document`).length;
  prepareRun(server.api, "r1");
  await openRun(server.api, "r1");
  expect(graphs()).toBe(1);
  await openRun(server.api, "r1");
  expect(graphs()).toBe(2);
  await server.stop();
  prepareRun(server.api, "r1");
  await server.start();
  expect((await openRun(server.api, "r1")).state.run?.id).toBe("r1");
});

test("the state of a run is requested once, unless another run is shown", async () => {
  const streams = (): number => requests.filter((url) => url === `${RUN}/events`).length;
  prepareRun(server.api, "r1");
  await until(() => stream !== null, "the early stream");
  const editor = await openRun(server.api, "r1");
  await until(() => editor.state.run?.connection === "live", "its stream");
  expect(streams()).toBe(1);
  editor.runs.unfollow();
  stream = null;
  prepareRun(server.api, "r1");
  await until(() => stream !== null, "the early stream");
  const closed = new Promise((resolve) => stream?.on("close", resolve));
  await expect(openRun(server.api, "r2")).rejects.toThrow();
  await closed;
});

test("the run in the address of a pipeline is requested together with it, once", async () => {
  prepareEditor(server.api, FIRST.id, {}, "r1");
  await until(() => stream !== null, "the early stream");
  const editor = await loadEditor(server.api, FIRST.id, {}, "r1");
  await until(() => editor.state.run?.connection === "live", "its stream");
  expect(requests.filter((url) => url === `${RUN}/events`)).toHaveLength(1);
});
