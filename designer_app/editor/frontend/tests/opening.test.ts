/** A pipeline that the page begins to load before there is a place to show it in. */

import { afterEach, beforeEach, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { closeEditor, loadEditor, prepareEditor } from "../src/store/editors";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send, until } from "./server";

const FIRST = pipeline(["one:constant"]);
const OTHER = { ...FIRST, id: "other" };

let server: PipelineServer;
let asked: string[];
let targets: { name: string }[];

beforeEach(async () => {
  server = new PipelineServer();
  asked = [];
  targets = [];
  server.intercept = ({ url = "" }, response) => {
    asked.push(url);
    if (url === "/api/catalog") send(response, 200, { ...CATALOG.spec, targets });
    return url === "/api/catalog";
  };
  await server.start();
  server.keep(FIRST);
  server.keep(OTHER);
});

afterEach(async () => {
  for (const id of [FIRST.id, OTHER.id]) closeEditor(id);
  await server.stop();
});

test("is asked for once", async () => {
  prepareEditor(server.api, FIRST.id);
  const editor = await loadEditor(server.api, FIRST.id);
  expect(editor.state.document).toEqual(FIRST);
  expect(asked.filter((url) => url === `/api/pipelines/${FIRST.id}`)).toHaveLength(1);
});

test("is asked for again where another one was wanted first", async () => {
  prepareEditor(server.api, FIRST.id);
  await loadEditor(server.api, OTHER.id);
  const changed = setParameter(FIRST, CATALOG, "one", "value", 7);
  server.keep(changed);
  const editor = await loadEditor(server.api, FIRST.id);
  await until(() => editor.state.document.nodes[0]?.parameters["value"] === 7, "the newest");
});

test("is asked for again where that went wrong", async () => {
  await server.stop();
  prepareEditor(server.api, FIRST.id);
  await server.start();
  expect((await loadEditor(server.api, FIRST.id)).state.document).toEqual(FIRST);
});

test("knows the compute targets that were added while another page was shown", async () => {
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

test("its newest run is asked for, however many runs of others there are since", async () => {
  await loadEditor(server.api, FIRST.id);
  await until(() => asked.includes(`/api/runs?limit=1&pipeline=${FIRST.id}`), "its newest run");
});
