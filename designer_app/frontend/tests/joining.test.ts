/** Merging two versions while the server is unavailable: nothing is lost, and it can be retried. */

import { afterEach, describe, expect, test, vi } from "vitest";

import { goToNode } from "../src/commands/goTo";
import { setParameter } from "../src/graph/edits";
import { resolveConflict } from "../src/store/conflicts";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import { PipelineServer, until } from "./server";

const START = pipeline(["one:constant"]);
const GONE = { joining: "../src/store/joining", places: "../src/graph/places" };

afterEach(() => {
  for (const part of Object.values(GONE)) vi.doUnmock(part);
  vi.resetModules();
});

test("edits and the choice stay, and merging works after the sub-pipeline has loaded", async () => {
  vi.doMock(GONE.joining, () => Promise.reject(new Error("Failed to fetch")));
  await withEditor(async (editor, server) => {
    server.keep({ ...START, name: "Theirs" });
    set(editor, 2);
    await until(() => editor.state.saveState === "conflict");
    await resolveConflict(editor, "join");
    expect(editor.state.notices.at(-1)?.message).toContain("The server is not responding.");
    expect(editor.state.saveState).toBe("conflict");
    expect(editor.state.whole.nodes[0]?.parameters["value"]).toBe(2);
    vi.doUnmock(GONE.joining);
    vi.resetModules();
    await resolveConflict(editor, "join");
    await until(() => editor.state.saveState === "saved");
    const kept = server.kept.get(START.id)?.document;
    expect([kept?.name, kept?.nodes[0]?.parameters["value"]]).toEqual(["Theirs", 2]);
  });
});

test("a node inside a sub-pipeline that cannot be loaded is reported as unavailable", async () => {
  vi.doMock(GONE.places, () => Promise.reject(new Error("Failed to fetch")));
  await withEditor(async (editor) => {
    goToNode(editor, "front/split");
    await until(() => editor.state.notices.length > 0);
    expect(editor.state.notices.at(-1)?.message).toContain("The server is not responding.");
    expect(editor.state.place).toBe("");
  });
});

describe("nodes without positions that a script adds to an open pipeline", () => {
  const GROWN = pipeline(["one:constant", "two:constant", "three:constant"]);
  const spots = ({ nodes }: typeof START): number =>
    new Set(nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size;

  test("are placed apart if nothing is unsaved", async () => {
    await withEditor(async (editor, server) => {
      server.keep(GROWN);
      await editor.catchUp();
      expect(editor.state.saveState).toBe("saved");
      expect([editor.state.document.nodes.length, spots(editor.state.document)]).toEqual([3, 3]);
    });
  });

  test("are placed apart next to a local edit, and saved with it", async () => {
    await withEditor(async (editor, server) => {
      server.keep(GROWN);
      set(editor, 2);
      await until(() => server.commits.length > 0 && editor.state.saveState === "saved");
      const kept = server.kept.get(START.id)?.document ?? START;
      expect(kept.nodes[0]?.parameters["value"]).toBe(2);
      expect([kept.nodes.length, spots(kept)]).toEqual([3, 3]);
      expect(editor.state.whole).toEqual(kept);
    });
  });
});

async function withEditor(
  work: (editor: Editor, server: PipelineServer) => Promise<void>,
): Promise<void> {
  const server = new PipelineServer();
  await server.start();
  server.keep(START);
  const options = { api: server.api, catalog: CATALOG, document: START, revision: '"1"' };
  const editor = new Editor({ ...options, storage: null, firstRetry: 20 });
  try {
    await work(editor, server);
  } finally {
    editor.close();
    await server.stop();
  }
}

function set(editor: Editor, value: number): void {
  editor.dispatch((document, catalog) => setParameter(document, catalog, "one", "value", value), {
    label: "Set Value",
  });
}
