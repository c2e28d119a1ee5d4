/** Run followed through its event stream: resumed where it was interrupted, one node at a time. */

import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, expect, test } from "vitest";

import type { NodeForecast } from "../src/api/types.gen";
import { selectEnabled } from "../src/commands/registry";
import { StreamParser, askEarly } from "../src/api/eventStream";
import { addNode, setParameter } from "../src/graph/edits";
import {
  NEW_STEP,
  fold,
  lanesIn,
  slowestOf,
  hasNewerResult,
  withPoint,
} from "../src/graph/runState";
import type { Lane, MetricPoint, RunEvent, RunState, StepState } from "../src/graph/types";
import { showForecast } from "../src/commands/forecast";
import { forecastText } from "../src/view/forecastText";
import { stopText } from "../src/view/stopText";
import { createView, selectForecastOf } from "../src/view/viewStore";
import { Editor } from "../src/store/editor";
import { selectProblemsOf, selectRunnerProblem, selectStep } from "../src/store/selectors";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send, until } from "./server";

const ASKED = {
  name: "First",
  experiment: "Sums",
  description: "Why not",
  to: "sum",
  target: "two-nodes",
  only: [],
};
const DOCUMENT = pipeline(["one:constant", "two:constant", "sum:add"]);

let server: PipelineServer;
let editor: Editor;
let streams: { response: ServerResponse; after: string | undefined }[];
let submitted: Record<string, unknown>[];

beforeEach(async () => {
  server = new PipelineServer();
  streams = [];
  submitted = [];
  server.keep(DOCUMENT);
  server.intercept = (request, response, body) => {
    const url = request.url ?? "";
    if (url.endsWith("/events")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const after = request.headers["last-event-id"];
      streams.push({ response, after: Array.isArray(after) ? after[0] : after });
      return true;
    }
    if (url === "/api/runs") {
      submitted.push(JSON.parse(body) as Record<string, unknown>);
      send(response, 201, { run_id: "r1" });
    } else if (url === "/api/runs/r1") send(response, 200, { run_id: "r1", ...ASKED });
    else if (url === "/api/runs/r1/cancel") send(response, 202, {});
    else if (url === "/api/runs/r1/stop-and-keep") send(response, 200, { stopping: [] });
    else if (url === "/api/runs/r1/document") send(response, 200, DOCUMENT);
    else return false;
    return true;
  };
  await server.start();
  editor = new Editor({
    api: server.api,
    catalog: CATALOG,
    document: DOCUMENT,
    revision: '"1"',
    storage: null,
  });
});

afterEach(async () => {
  editor.close();
  for (const { response } of streams) response.destroy();
  await server.stop();
});

test("a snapshot, events, a broken connection, the remaining events", async () => {
  expect(await editor.runs.submit({ name: "first" })).toBe("r1");
  await until(() => streams.length === 1);
  say(0, "snapshot", null, { state: fold([queued()]) });
  say(0, "curves", 1, { metrics: {} });
  await until(() => editor.state.run?.connection === "live");
  say(0, "events", 3, [event("RunStarted", null), event("StepStarted", "one", { attempt: 1 })]);
  await until(() => selectStep("one")(editor.state)?.status === "preparing");
  streams[0]?.response.destroy();
  await until(() => streams.length === 2, "another connection");
  expect(streams[1]?.after).toBe("3");
  say(1, "events", 5, [
    event("StepFinished", "one", { artifact_id: "a1" }),
    event("RunFinished", null, { status: "completed" }),
  ]);
  streams[1]?.response.end();
  await until(() => editor.state.run?.connection === "ended");
  expect(editor.state.run?.state.status).toBe("completed");
  expect(selectStep("one")(editor.state)).toMatchObject({ status: "completed", artifact_id: "a1" });
});

test("a cancellation is shown before its event arrives, and requested once", async () => {
  editor.runs.follow("r1", DOCUMENT);
  await until(() => streams.length === 1);
  say(0, "snapshot", null, { state: fold([queued(), event("RunStarted", null)]) });
  await until(() => editor.state.run?.state.status === "running");
  await editor.runs.cancel();
  expect(editor.state.run?.state).toMatchObject({ status: "running", cancel_requested: true });
  expect(selectEnabled("cancel")(editor.state)).toBe(false);
});

test("a stopped runner is reported until it works again or the run has ended", async () => {
  const problem = (): string | null => selectRunnerProblem(editor.state);
  editor.runs.follow("r1", DOCUMENT);
  await until(() => streams.length === 1);
  say(0, "snapshot", null, { state: fold([queued()]) });
  say(0, "runner", null, { problem: "The runner is stopped." });
  await until(() => problem() === "The runner is stopped.");
  say(0, "runner", null, { problem: null });
  await until(() => problem() === null);
  say(0, "runner", null, { problem: "The runner is stopped." });
  await until(() => problem() !== null);
  say(0, "events", 2, [event("RunFinished", null, { status: "cancelled" })]);
  await until(() => problem() === null);
});

test("a stream opened before is read first; interrupted before its curves, it restarts", async () => {
  const early = askEarly(server.api, "r1");
  await until(() => streams.length === 1);
  editor.runs.follow("r1", DOCUMENT, early);
  say(0, "snapshot", null, { state: fold([queued()]) });
  await until(
    () => editor.state.run?.state.status === "queued" && editor.state.run.connection === "live",
  );
  expect(streams).toHaveLength(1);
  streams[0]?.response.destroy();
  await until(() => streams.length === 2, "another connection");
  expect(streams[1]?.after).toBeUndefined();
  say(1, "snapshot", null, { state: fold([queued()]) });
  say(1, "curves", 7, { metrics: { one: { loss: [{ step: 1, value: 2, time: 3 }] } } });
  await until(() => editor.state.run?.metrics["one"]?.["loss"]?.[0]?.value === 2, "its curves");
  streams[1]?.response.destroy();
  await until(() => streams.length === 3, "a third connection");
  expect(streams[2]?.after).toBe("7");
});

test("a stream opened and given up before is opened again by the next reader", async () => {
  const early = askEarly(server.api, "r1");
  await until(() => streams.length === 1);
  early?.abort.abort();
  editor.runs.follow("r1", DOCUMENT, early);
  await until(() => streams.length === 2, "another connection");
  say(1, "snapshot", null, { state: fold([queued()]) });
  await until(() => editor.state.run?.connection === "live");
  expect(editor.state.run?.state.status).toBe("queued");
});

test("a run that no screen shows has no stream, and continues there when one does", async () => {
  editor.runs.follow("r1", DOCUMENT);
  const leave = [editor.runs.shown(), editor.runs.shown()];
  await until(() => streams.length === 1);
  const closed = new Promise((resolve) => streams[0]?.response.on("close", resolve));
  say(0, "snapshot", null, { state: fold([queued()]) });
  say(0, "curves", 7, { metrics: {} });
  await until(() => editor.state.run?.state.status === "queued");
  leave[0]?.();
  say(0, "events", 8, [event("RunStarted", null)]);
  await until(() => editor.state.run?.state.status === "running", "the word of the other screen");
  leave[1]?.();
  await closed;
  editor.runs.catchUp();
  expect(editor.state.run?.connection).toBe("paused");
  editor.runs.shown();
  await until(() => streams.length === 2, "another connection");
  expect(streams[1]?.after).toBe("8");
});

test("an editor closed before it was shown opens no stream until it is shown", async () => {
  editor.runs.pauseUnshown();
  editor.runs.follow("r1", DOCUMENT);
  expect(editor.state.run?.connection).toBe("connecting");
  editor.runs.shown();
  await until(() => streams.length === 1);
});

test.each([
  ["cancelled", 2],
  ["completed", 1],
])("a run that was %s is requested again when it is shown again", async (status, times) => {
  editor.runs.follow("r1", DOCUMENT);
  const leave = editor.runs.shown();
  await until(() => streams.length === 1);
  const ended = [queued(), event("RunFinished", null, { status })];
  say(0, "snapshot", null, { state: fold(ended) });
  streams[0]?.response.end();
  await until(() => editor.state.run?.connection === "ended");
  leave();
  editor.runs.shown();
  const isConnecting = editor.state.run?.connection === "connecting";
  expect(isConnecting).toBe(times === 2);
  if (!isConnecting) return;
  await until(() => streams.length === times);
  say(1, "snapshot", null, { state: fold([...ended, queued(), event("RunStarted", null)]) });
  await until(() => editor.state.run?.state.status === "running", "the run that was resumed");
});

test("one event of one node changes no other node", async () => {
  editor.runs.follow("r1", DOCUMENT);
  await until(() => streams.length === 1);
  say(0, "snapshot", null, { state: fold([queued()]) });
  await until(() => Object.keys(editor.state.run?.steps ?? {}).length === 3);
  const changes: Record<string, number> = { one: 0, two: 0, sum: 0 };
  const unsubscribe = Object.keys(changes).map((id) => {
    let before = [selectStep(id)(editor.state), selectProblemsOf(id)(editor.state)];
    return editor.store.subscribe((state) => {
      const now = [selectStep(id)(state), selectProblemsOf(id)(state)];
      if (now.some((part, place) => part !== before[place])) changes[id] = (changes[id] ?? 0) + 1;
      before = now;
    });
  });
  const facts = { done: 3, total: 10, unit: "iterations", rank: 1 };
  say(0, "events", 2, [event("StepProgress", "two", facts)]);
  await until(() => selectStep("two")(editor.state)?.progress !== null);
  expect(changes).toEqual({ one: 0, two: 1, sum: 0 });
  expect(lanesIn(selectStep("two")(editor.state), 2)).toMatchObject([
    { done: 0, total: 10 },
    { done: 3, total: 10 },
  ]);
  // an equal snapshot renders nothing again
  const steps = editor.state.run?.steps;
  say(0, "snapshot", null, {
    state: JSON.parse(JSON.stringify({ ...fold([queued()]), steps })) as RunState,
  });
  say(0, "events", 3, [event("MetricLogged", "two", { name: "loss", step: 1, value: 0.5 })]);
  await until(() => editor.state.run?.metrics["two"] !== undefined);
  expect(changes).toEqual({ one: 0, two: 1, sum: 0 });
  expect(editor.state.run?.metrics["two"]?.["loss"]).toEqual([{ step: 1, value: 0.5, time: 10 }]);
  for (const end of unsubscribe) end();
});

test("a refused run is explained", async () => {
  server.intercept = (_, response) => {
    const error = { code: "3027", message: "The pipeline has no enabled nodes.", cure: "Add one." };
    send(response, 422, { error });
    return true;
  };
  expect(await editor.runs.submit()).toBeNull();
  expect(editor.state.notices.map((notice) => notice.message)).toEqual([
    "The pipeline has no enabled nodes. Add one.",
  ]);
  expect(editor.state.run).toBeNull();
});

test("a run of a changed pipeline requests the same as the run it continues", async () => {
  editor.runs.follow("r1", DOCUMENT);
  editor.dispatch((document) => setParameter(document, CATALOG, "one", "value", 7), { label: "" });
  await editor.runs.resume();
  const forced: string[] = [];
  expect(submitted[0]).toMatchObject({ ...ASKED, forced, pipeline_id: "sums" });
});

test("a run from a node is announced, and the pipeline is not changed", async () => {
  await editor.runs.submit({ from: "two" });
  expect(submitted[0]).toMatchObject({ document: DOCUMENT, forced: ["two"] });
});

test("stop and keep is offered only if a step can end early; a refusal is reported", async () => {
  const sleeping = pipeline(["one:constant", "nap:sleep"]);
  const enabled = selectEnabled("stop-and-keep");
  editor.runs.follow("r1", sleeping);
  await until(() => streams.length === 1);
  const started = [queued(), event("RunStarted", null), event("StepRunning", "one")];
  say(0, "snapshot", null, { state: fold(started) });
  await until(() => selectStep("one")(editor.state)?.status === "running");
  expect(enabled(editor.state)).toBe(false);
  say(0, "events", 2, [event("StepRunning", "nap")]);
  await until(() => selectStep("nap")(editor.state)?.status === "running");
  expect(enabled(editor.state)).toBe(true);
  const trainings = await editor.runs.stopAndKeep();
  expect(stopText(trainings ?? NaN)).toContain("No training is running");
});

test("a forecast shows warnings at the node, in the table and as speech", async () => {
  const finding = {
    parameter: "batch_size",
    message: "A batch of 64 images exceeds the number of training images (20).",
    cure: "Set Batch size to 20 or less.",
    severity: "error",
  } as const;
  const expected: NodeForecast = {
    node: "sum",
    module: "add",
    reused: false,
    images: 20,
    outputs: {},
    images_processed: null,
    minutes: null,
    choices: {},
    classes: null,
    image_size: null,
    memory_bytes: null,
    seconds: null,
    basis: null,
    range_seconds: null,
    cost: null,
    last: { seconds: 31.2, scaled_seconds: 62, run_id: "r" },
    findings: [finding],
    notes: ["ImageNet weights: included"],
    takes_turns: false,
  };
  const totals = {
    seconds: 3,
    critical_path_seconds: 3,
    nodes_unknown: 0,
    nodes_reused: 0,
    cost: null,
  };
  const other_work = { share: 0.5, words: "other processes use half the cores", seconds: 4.2 };
  server.intercept = (_, response) => {
    send(response, 200, {
      nodes: [expected],
      totals: { ...totals, range_seconds: [2, 9], memory_bytes: null },
      other_work,
    });
    return true;
  };
  const view = createView();
  await showForecast(editor, view);
  const words = selectForecastOf("sum")(view.getState());
  expect(words && forecastText(words)).toBe(
    `${finding.message} ${finding.cure} · last time 31 s · 20 images · ImageNet weights: included`,
  );
  expect(view.getState().spoken).toContain("1 warning: see");
  expect(view.getState().spoken).toContain("other processes use half the cores): about 4.2 s");
  expect(view.getState()).toMatchObject({ forecastOpen: true, dockTab: "forecast" });
  editor.dispatch((d, catalog) => addNode(d, catalog, "constant"), { label: "Add" });
  expect(view.getState().forecast).toBeNull(); // no longer on the nodes, but still in the table
  expect(view.getState().lastForecast?.nodes).toHaveLength(1);
});

test("the result of a node is shown before its forecast, until it is changed", () => {
  const of = (status: string): StepState => ({ ...NEW_STEP, status });
  const ended = ["completed", "reused", "failed"];
  expect(ended.filter((status) => hasNewerResult(of(status), []))).toEqual(ended);
  const open = ["not started", "queued", "running", "cancelled", "skipped"];
  expect(open.filter((status) => hasNewerResult(of(status), []))).toEqual([]);
  expect(hasNewerResult(undefined, [])).toBe(false);
  expect(hasNewerResult(of("completed"), ["epochs changed"])).toBe(false);
});

test("messages may arrive in parts, even within a character", () => {
  const text = ': beat\n\nevent: events\nid: 7\ndata: ["ü",\ndata: 1]\n\nevent: x\ndata: 2\n\n';
  const bytes = new TextEncoder().encode(text);
  const parser = new StreamParser();
  const messages = [...bytes].flatMap((byte) => parser.push(Uint8Array.of(byte)));
  expect(messages).toEqual([
    { event: "events", id: 7, data: ["ü", 1] },
    { event: "x", id: null, data: 2 },
  ]);
});

function say(stream: number, kind: string, id: number | null, data: unknown): void {
  const name = id === null ? "" : `id: ${id}\n`;
  const text = `event: ${kind}\n${name}data: ${JSON.stringify(data)}\n\n`;
  streams[stream]?.response.write(text);
}

function queued(): RunEvent {
  return event("RunQueued", null, { nodes: ["one", "two", "sum"] });
}

function event(kind: string, node: string | null, data: RunEvent["data"] = {}): RunEvent {
  return { id: null, kind, node, data, time: 10 };
}

test("the slowest rank is the one that the others wait for, not the first one to report", () => {
  const lane = (done: number, own_seconds?: number): Lane => ({
    done,
    total: 10,
    ...(own_seconds === undefined ? {} : { own_seconds }),
  });
  expect(slowestOf([lane(4, 0.1), lane(3, 0.11)])).toBe(-1);
  expect(slowestOf([lane(3, 0.1), lane(4, 0.2), lane(4, 0.1)])).toBe(1);
  expect(slowestOf([lane(3), lane(4)])).toBe(-1);
  expect(slowestOf([lane(3, 0.2), undefined])).toBe(-1);
});

test("a long curve is thinned and keeps its extremes and gaps", () => {
  const value = (step: number): number | null =>
    step === 501 ? null : step === 777 ? 9 : step % 3;
  let curve: readonly MetricPoint[] = [];
  for (let step = 0; step < 5000; step += 1) {
    curve = withPoint(curve, { step, value: value(step), time: step });
  }
  const steps = curve.map((point) => point.step);
  expect(curve.length).toBeLessThanOrEqual(1000);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
  expect([steps[0], steps.at(-1)]).toEqual([0, 4999]);
  expect(steps).toContain(501);
  expect(steps).toContain(777);
});
