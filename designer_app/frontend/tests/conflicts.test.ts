/** Two clients change the same pipeline: nobody is overwritten, and the user chooses once. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { resolveConflict } from "../src/store/conflicts";
import type { Editor } from "../src/store/editor";
import { CATALOG } from "./cases";
import { type Options, START, editorOn, set, valueIn } from "./oneValue";
import { PipelineServer, until } from "./server";

let server: PipelineServer;
let editors: Editor[];

beforeEach(async () => {
  server = new PipelineServer();
  editors = [];
  await server.start();
  server.keep(START);
});

afterEach(async () => {
  for (const editor of editors) editor.close();
  await server.stop();
});

describe("a conflict", () => {
  async function collide(options: { openPipeline?: (id: string) => void } = {}): Promise<Editor> {
    const editor = open(options);
    server.keep({ ...setParameter(START, CATALOG, "one", "value", 100), name: "Theirs" });
    set(editor, 2);
    await until(() => editor.state.saveState === "conflict");
    expect(editor.state.dialog).toEqual({ kind: "conflict" });
    expect(server.commits).toEqual([]);
    return editor;
  }

  test("merges both, and keeps ours where both changed the same thing", async () => {
    const editor = await collide();
    await resolveConflict(editor, "join");
    expect(server.commits.map(valueIn)).toEqual([2]);
    expect(server.kept.get(START.id)?.document).toEqual({ ...editor.state.whole, name: "Theirs" });
  });

  test("sends nothing until the user has chosen", async () => {
    const editor = await collide();
    set(editor, 3);
    expect(await editor.flush()).toBe(false);
    expect(server.commits).toEqual([]);
  });

  test("loads theirs, and undo restores ours", async () => {
    const editor = await collide();
    await resolveConflict(editor, "reload");
    expect(valueIn(editor.state.document)).toBe(100);
    expect(editor.state.saveState).toBe("saved");
    editor.undo();
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([2]);
  });

  test("overwrites theirs with ours", async () => {
    const editor = await collide();
    await resolveConflict(editor, "overwrite");
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([2]);
  });

  test("keeps ours as a copy", async () => {
    const opened: string[] = [];
    const editor = await collide({ openPipeline: (id) => opened.push(id) });
    await resolveConflict(editor, "copy");
    expect(valueIn(editor.state.document)).toBe(100);
    const copy = server.kept.get(opened[0] ?? "")?.document;
    expect(copy && valueIn(copy)).toBe(2);
    expect(copy?.name).toContain("(copy)");
  });

  test("does not arise if each thing was changed by only one of two", async () => {
    const editor = open();
    server.keep({ ...START, name: "Theirs" });
    set(editor, 2);
    await until(() => editor.state.saveState === "saved");
    expect(editor.state.notices.at(-1)?.message).toContain("renamed to Theirs");
    expect(server.commits).toEqual([{ ...editor.state.document, name: "Theirs" }]);
    editor.undo(); // undoes only our own edit
    expect(editor.state.document).toEqual({ ...START, name: "Theirs" });
  });

  test("also arises from a deleted pipeline", async () => {
    const editor = open();
    server.kept.delete(START.id);
    set(editor, 2);
    await until(() => editor.state.saveState === "conflict");
    expect(editor.state.conflict).toEqual({ reason: "deleted" });
  });
});

function open(options: Options = {}): Editor {
  const editor = editorOn(server, options);
  editors.push(editor);
  return editor;
}
