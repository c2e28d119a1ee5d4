/** A package that a script lacks: a next version of one's own environment, a copy of another. */

import { afterEach, beforeEach, expect, test } from "vitest";

import { addPackage } from "../src/commands/addPackage";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, send } from "./server";

const START = pipeline(["one:constant"]);
const KEPT = { base: "designer", python: "3.11", as_of: null, allow_builds: false };
const THERE = [
  { ...KEPT, name: "designer", version: 1, reference: "designer@1", curated: true },
  { ...KEPT, name: "mine", version: 1, reference: "mine@1", curated: false },
].map((environment) => ({ ...environment, requirements: ["large"] }));

let server: PipelineServer;
let editor: Editor;
let asked: { readonly name: string; readonly text: string }[] = [];
let built: (string | undefined)[] = [];

beforeEach(async () => {
  server = new PipelineServer();
  await server.start();
  server.keep(START);
  [asked, built] = [[], []];
  server.intercept = (request, response, body) => {
    const [, , resource, reference] = (request.url ?? "").split("/");
    if (resource !== "environments") return false;
    if (request.method === "GET") send(response, 200, { environments: THERE, can_install: true });
    else if (reference === undefined) {
      const one = JSON.parse(body) as { readonly name: string; readonly text: string };
      asked.push(one);
      const version = THERE.filter(({ name }) => name === one.name).length + 1;
      send(response, 201, { ...KEPT, ...one, version, reference: `${one.name}@${version}` });
    } else {
      built.push(decodeURIComponent(reference));
      send(response, 202, {});
    }
    return true;
  };
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

test.each([
  ["mine@1", "mine", "mine@2"],
  ["designer@1", "own-designer", "own-designer@1"],
])("added to %s it is in %s, which is built and chosen", async (environment, name, reference) => {
  expect(await addPackage(editor, { node: "one", name: "tiny", environment })).toBe(true);
  expect(asked).toMatchObject([{ name, text: "large\ntiny", base: "designer" }]);
  expect(built).toEqual([reference]);
  expect(editor.state.whole.nodes[0]?.run_settings?.environment).toBe(reference);
});
