/** What is said of code while it is written: nothing that was found before it was told. */

import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send, until } from "./server";

const START = pipeline(["one:constant"]);
/** A call is told of at one of the parameters that it is made of. */
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
    debounce: 10,
    firstRetry: 20,
  });
});

afterEach(async () => {
  editor.close();
  await server.stop();
});

const found = (): readonly string[] => editor.state.problems.map(({ code }) => code);
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

test("a call that is told of at another of its parameters is not foreign while it is told", async () => {
  const shown: string[] = [];
  let edits = 0;
  server.intercept = (request, response) => {
    shown.push(...found());
    if (request.url?.endsWith("/code/edit")) {
      edits += 1;
      if (edits === 1)
        write(3); // typed while the first was told: not known to the server yet
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
  expect(found()).toEqual([]);
});

test("a save that answers late does not bring back what was over", async () => {
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
  expect(found()).toEqual([]);
});

test("code that stays foreign is told of as soon as the server has said so", async () => {
  server.intercept = (request, response) => {
    if (!request.url?.endsWith("/code/edit")) return judge(response);
    send(response, 200, { allowed: [] });
    return true;
  };
  write(2);
  await editor.code.settle();
  expect(found()).toEqual(["3033"]);
});
