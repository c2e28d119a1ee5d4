/** Problems of code while it is being written: those from before its approval are not shown. */

import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import type { PipelineDocument } from "../src/graph/types";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send, until } from "./server";

const START = pipeline(["one:constant"]);
/** A call is reported at one of its parameters. */
const FOREIGN = {
  code: "3033",
  name: "ForeignCode",
  severity: "error",
  node: "one",
  port: null,
  parameter: "source_folder",
  remedy: { look_at_code: true },
  details: null,
  reason: "",
  facts: {},
  message: "It came from elsewhere.",
  cure: "Look at it.",
};

let server: PipelineServer;
let editor: Editor;
let foreign = true;

beforeEach(async () => {
  server = new PipelineServer();
  await server.start();
  server.keep(START);
  foreign = true;
  editor = new Editor({
    api: server.api,
    catalog: CATALOG,
    document: START,
    revision: '"1"',
    storage: null,
    firstRetry: 20,
  });
});

afterEach(async () => {
  editor.close();
  await server.stop();
});

const codes = (): readonly string[] => editor.state.problems.map(({ code }) => code);
const judge = (response: ServerResponse): true => {
  send(response, 200, { valid: !foreign, problems: foreign ? [FOREIGN] : [] }, 2);
  return true;
};

function write(value: number): void {
  const before = editor.state.whole;
  editor.dispatch((document, catalog) => setParameter(document, catalog, "one", "value", value), {
    label: "Set Value",
  });
  editor.code.wrote(before, "one", "value");
}

test("a call reported at another of its parameters is not shown as foreign while it is sent", async () => {
  const shown: string[] = [];
  let edits = 0;
  server.intercept = (request, response) => {
    shown.push(...codes());
    if (request.url?.endsWith("/code/edit")) {
      edits += 1;
      if (edits === 1)
        write(3); // typed while the first edit was being sent: not known to the server yet
      else foreign = false;
      send(response, 200, { allowed: [] });
      return true;
    }
    return judge(response);
  };
  write(2);
  await until(() => edits === 2);
  await editor.code.settle();
  expect(shown).toEqual([]);
  expect(codes()).toEqual([]);
});

test("a late response to a save does not restore outdated problems", async () => {
  let late: ServerResponse | undefined;
  server.intercept = (request, response) => {
    if (request.method === "PUT") {
      late = response;
      return true;
    }
    if (request.url?.endsWith("/code/edit")) {
      foreign = false;
      send(response, 200, { allowed: [] });
      return true;
    }
    return judge(response);
  };
  write(2);
  await until(() => late !== undefined);
  await editor.code.settle();
  if (late) send(late, 200, { problems: [FOREIGN] }, 2);
  await until(() => editor.state.saveState === "saved");
  expect(codes()).toEqual([]);
});

test("code that stays foreign is reported as soon as the server has checked it", async () => {
  server.intercept = (request, response) => {
    if (!request.url?.endsWith("/code/edit")) return judge(response);
    send(response, 200, { allowed: [] });
    return true;
  };
  write(2);
  await editor.code.settle();
  expect(codes()).toEqual(["3033"]);
});

// what counts as the owner's own

const isEdit = (url: string | undefined): boolean => url?.endsWith("/code/edit") ?? false;

interface SentEdit {
  readonly before: PipelineDocument;
  readonly after: PipelineDocument;
  readonly places: readonly { node: string; parameter: string }[];
}

/** The server is unavailable until `isBack`; returns the edits that it then receives. */
function away(): { readonly sent: SentEdit[]; isBack: boolean } {
  const state = { sent: [] as SentEdit[], isBack: false };
  server.intercept = (request, response, body) => {
    if (!isEdit(request.url)) return judge(response);
    if (!state.isBack) {
      response.destroy();
      return true;
    }
    state.sent.push(JSON.parse(body) as SentEdit);
    send(response, 200, { allowed: [] });
    return true;
  };
  return state;
}

/** Insert nodes in another way than by typing: by a paste, a drop, or in another tab. */
function bring(id: string, value: number): void {
  const [start] = START.nodes;
  if (!start) throw new Error("the pipeline has no node");
  editor.dispatch(
    (document) => ({
      ...document,
      nodes: [
        ...document.nodes.filter((node) => node.id !== id),
        { ...start, id, parameters: { value } },
      ],
    }),
    { label: "Paste" },
  );
}

function type(node: string, value: number, coalesceKey?: string): void {
  const before = editor.state.whole;
  editor.dispatch((document, catalog) => setParameter(document, catalog, node, "value", value), {
    label: "Set Value",
    ...(coalesceKey !== undefined && { coalesceKey }),
  });
  editor.code.wrote(before, node, "value");
}

const valuesIn = (document: PipelineDocument): Record<string, unknown> =>
  Object.fromEntries(document.nodes.map(({ id, parameters }) => [id, parameters["value"]]));

async function back(state: { isBack: boolean }): Promise<void> {
  await editor.code.settle().catch(() => undefined);
  state.isBack = true;
  await editor.code.settle();
}

test("nodes pasted while the server was unavailable are foreign, also after an edit", async () => {
  const state = away();
  write(2);
  bring("theirs", 666);
  type("theirs", 667);
  await back(state);
  expect(state.sent.map(({ places }) => places)).toEqual([
    [{ node: "one", parameter: "value" }],
    [{ node: "theirs", parameter: "value" }],
  ]);
  const [own, theirs] = state.sent;
  expect(own && "theirs" in valuesIn(own.after)).toBe(false);
  expect(theirs && valuesIn(theirs.before)["theirs"]).toBe(666); // the pasted value is sent
  expect(theirs && valuesIn(theirs.after)["theirs"]).toBe(667);
});

test("nodes that replace one with written code are not the owner's", async () => {
  const state = away();
  write(2);
  bring("one", 666);
  await back(state);
  expect(state.sent.map(({ after }) => valuesIn(after))).toEqual([{ one: 2 }]);
});

test("undo and redo of a paste at an edited node approve nothing", async () => {
  const state = away();
  bring("one", 666);
  editor.undo();
  write(2);
  editor.undo();
  bring("one", 667);
  editor.undo();
  editor.redo();
  await back(state);
  const [edit] = state.sent;
  expect(state.sent).toHaveLength(1);
  expect(edit && valuesIn(edit.after)).toEqual({ one: 2 });
});

test("typing that is one undo step is sent as one edit", async () => {
  const state = away();
  for (const value of [2, 3, 4]) type("one", value, "one.value");
  editor.endTyping();
  type("one", 5, "one.value");
  await back(state);
  expect(state.sent.map(({ before, after }) => [valuesIn(before), valuesIn(after)])).toEqual([
    [valuesIn(START), { one: 4 }],
    [{ one: 4 }, { one: 5 }],
  ]);
});

test("an edit that the server refuses does not block later ones", async () => {
  let count = 0;
  server.intercept = (request, response) => {
    if (!isEdit(request.url)) return judge(response);
    count += 1;
    const error = { code: "document", message: "It is none.", cure: "Change it." };
    if (count === 1) send(response, 422, { error });
    else send(response, 200, { allowed: [] });
    return true;
  };
  write(2);
  await expect(editor.code.settle()).rejects.toThrow("It is none.");
  type("one", 3);
  await editor.code.settle();
  expect(count).toBe(2);
});
