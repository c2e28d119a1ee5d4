/** Graph of a run: read-only; its critical path is known. */

import { expect, test } from "vitest";

import { isEnabled, perform } from "../src/commands/registry";
import { createApi } from "../src/api/client";
import { lastOfLog, logAfter, logBefore } from "../src/api/logs";
import { criticalPath } from "../src/graph/criticalPath";
import { NEW_STEP } from "../src/graph/runState";
import { fixAndRerun } from "../src/commands/rerun";
import { moveNodes, resetParameter, setParameter } from "../src/graph/edits";
import type { PipelineDocument, StepState } from "../src/graph/types";
import { Editor } from "../src/store/editor";
import { setHost } from "../src/store/pageHost";
import { newRunView } from "../src/store/runReducer";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send } from "./server";

const DOCUMENT = pipeline(
  ["one:constant", "two:constant", "sum:add"],
  ["one.output -> sum.a", "two.output -> sum.b"],
);

test("a frozen graph cannot be changed", () => {
  const api = createApi({ base: "", token: "", fetch: () => Promise.reject(new Error("no")) });
  const editor = new Editor({
    api,
    catalog: CATALOG,
    document: DOCUMENT,
    revision: "",
    readOnly: true,
    storage: null,
  });
  const move = new Map([["one", { x: 500, y: 500 }]]);
  expect(editor.dispatch((document) => moveNodes(document, move), { label: "Move" })).toBe(false);
  editor.select({ nodes: ["one"] });
  for (const id of ["delete", "duplicate", "run", "rename", "tidy-up", "save"]) {
    expect(isEnabled(editor, id), id).toBe(false);
    expect(perform(editor, id, { nodes: ["one"] }), id).toBe(false);
  }
  expect(isEnabled(editor, "fit-view")).toBe(true);
  expect(editor.state.document).toBe(DOCUMENT);
  editor.close();
});

test("a fix on the page of a run starts a new run and changes nothing there", async () => {
  const server = new PipelineServer();
  const sent: PipelineDocument[] = [];
  server.intercept = ({ url }, response, body) => {
    if (url !== "/api/runs/failed/resubmit") return false;
    sent.push((JSON.parse(body) as { document: PipelineDocument }).document);
    send(response, 201, { run_id: "fixed" });
    return true;
  };
  await server.start();
  const shown: unknown[] = [];
  setHost((name, value) => void shown.push([name, value]));
  const options = { api: server.api, catalog: CATALOG, document: DOCUMENT, revision: "" };
  const editor = new Editor({ ...options, readOnly: true, storage: null });
  editor.store.setState({ run: newRunView("failed", DOCUMENT) });
  await fixAndRerun(editor, (d, c) => setParameter(d, c, "one", "value", 5));
  expect(sent).toEqual([setParameter(DOCUMENT, CATALOG, "one", "value", 5)]);
  expect(shown).toEqual([["go", { page: "run", run: "fixed" }]]);
  expect(editor.state.document).toBe(DOCUMENT);
  await fixAndRerun(editor, (d) => resetParameter(d, "gone", "value"));
  expect(editor.state.notices[0]?.message).toContain("gone");
  expect(sent).toHaveLength(1);
  editor.close();
  await server.stop();
});

test("the critical path leads back from the end through the latest inputs", () => {
  const steps = { one: ran(0, 1), two: ran(0, 4), sum: ran(4, 6) };
  expect([...criticalPath(DOCUMENT, steps)]).toEqual(["sum", "two"]);
  const running = { ...steps, one: { ...ran(0, 1), finished: null } };
  expect([...criticalPath(DOCUMENT, running)]).toEqual(["one"]);
  expect(criticalPath(DOCUMENT, {}).size).toBe(0);
});

test("windows on a log hold whole lines and are contiguous", async () => {
  const lines = Array.from({ length: 20_000 }, (_, place) => `line ${place} äöü`);
  const whole = new TextEncoder().encode(`${lines.join("\n")}\n`);
  const lengths: number[] = [];
  const api = createApi({
    base: "http://here",
    token: "",
    fetch: (address, options) => {
      const answer = served(whole, String(address), new Headers(options?.headers));
      lengths.push(answer.length);
      return Promise.resolve(answer.response);
    },
  });
  const log = { run: "r", node: "n", file: "f" };
  let shown = await lastOfLog(api, log);
  expect(shown.text.startsWith("line ")).toBe(true);
  expect(shown.end).toBe(whole.length);
  while (shown.start > 0) {
    const before = await logBefore(api, log, shown.start);
    expect(before.end).toBe(shown.start);
    shown = { ...shown, start: before.start, text: before.text + shown.text };
  }
  expect(shown.text).toBe(`${lines.join("\n")}\n`);
  expect((await logAfter(api, log, whole.length)).text).toBe("");
  expect(Math.max(...lengths)).toBeLessThan(whole.length / 3);
});

function ran(started: number, finished: number): StepState {
  return { ...NEW_STEP, status: "completed", started, finished };
}

/** Bytes of a log as the server returns them. */
function served(
  whole: Uint8Array,
  address: string,
  headers: Headers,
): { response: Response; length: number } {
  const [, first = "", last = ""] = /bytes=(\d*)-(\d*)/.exec(headers.get("Range") ?? "") ?? [];
  const offset = Number(new URL(address).searchParams.get("offset") ?? 0);
  const isRange = headers.has("Range");
  const start = isRange ? (first ? Number(first) : whole.length - Number(last)) : offset;
  const end = isRange && first ? Number(last) + 1 : whole.length;
  const bytes = whole.slice(start, end);
  const size = { "X-Designer-Size": String(whole.length) };
  const range = { "Content-Range": `bytes ${start}-${end - 1}/${whole.length}` };
  const response = new Response(bytes, { headers: isRange ? { ...size, ...range } : size });
  return { response, length: bytes.length };
}
