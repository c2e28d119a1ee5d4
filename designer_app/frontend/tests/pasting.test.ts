/** Pasting of nodes that were copied elsewhere: the server reads them first. */

import { expect, test, vi } from "vitest";

import { perform } from "../src/commands/registry";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { documentOf } from "./documents";
import { PipelineServer, send, until } from "./server";

test("the server reads copied JSON before it is pasted", async () => {
  let text = JSON.stringify({ id: "other", nodes: [{ id: "one", module: "constant" }] });
  vi.stubGlobal("navigator", { clipboard: { readText: () => Promise.resolve(text) } });
  const server = new PipelineServer();
  server.intercept = ({ url }, response, body) => {
    if (url !== "/api/documents/read") return false;
    const isPipeline = body.includes("constant");
    send(response, isPipeline ? 200 : 422, isPipeline ? documentOf(JSON.parse(body)) : {});
    return true;
  };
  await server.start();
  const document = pipeline([]);
  const saved = { api: server.api, document, revision: `"${server.keep(document)}"` };
  const editor = new Editor({ ...saved, catalog: CATALOG, storage: null });
  const notice = (): string => editor.state.notices.at(-1)?.message ?? "";
  perform(editor, "paste");
  await until(() => editor.state.document.nodes.length === 1);
  text = '{"a": 1}';
  perform(editor, "paste");
  await until(() => notice().includes("contains no nodes"));
  await server.stop();
  perform(editor, "paste");
  await until(() => notice().includes("not responding"));
  expect(editor.state.document.nodes.map(({ id }) => id)).toEqual(["one"]);
  editor.close();
  vi.unstubAllGlobals();
});
