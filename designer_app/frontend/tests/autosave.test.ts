/** Autosave of an editor against a real server: nothing is lost and nothing is overwritten. */

import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { perform } from "../src/commands/registry";
import { setParameter } from "../src/graph/edits";
import { Editor } from "../src/store/editor";
import type { DraftStorage } from "../src/store/drafts";
import { CATALOG } from "./cases";
import { type Options, START, editorOn, set, valueIn } from "./oneValue";
import { PipelineServer, finish, send, until } from "./server";

const PROBLEM = {
  code: "0099",
  name: "OfServer",
  severity: "error",
  node: null,
  port: null,
  parameter: null,
  message: "Only the server knows this.",
  cure: "Ask it.",
  remedy: null,
  details: null,
  reason: "",
  facts: {},
};

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

describe("a commit", () => {
  test("is sent once for edits in quick succession, and acknowledged", async () => {
    const editor = open();
    for (const value of [2, 3, 4]) set(editor, value);
    expect(editor.state.saveState).toBe("unsaved");
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([4]);
    expect(editor.state.revision).toBe('"2"');
  });

  test("waits for the server to come back", async () => {
    const storage = memory();
    const editor = open({ storage });
    await server.stop();
    set(editor, 2);
    await until(() => editor.state.saveState === "offline");
    set(editor, 3);
    await until(() => storage.items.size > 0, "a draft");
    await server.start();
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn).at(-1)).toBe(3);
    expect(storage.items.size).toBe(0);
  });

  test("is sent again if its response is lost, and stored once", async () => {
    let lost = 0;
    server.intercept = (request, response) => {
      if (request.method !== "PUT" || lost > 0) return false;
      lost += 1;
      // the commit is stored, the connection breaks before its response
      response.writeHead = () => response;
      response.write = () => true;
      response.end = () => response.destroy() as never;
      return false;
    };
    const editor = open();
    set(editor, 2);
    await until(() => lost === 1);
    set(editor, 3);
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([2, 3]);
    expect(editor.state.conflict).toBeNull();
  });

  test("is saved once the server has stored it; its problems follow", async () => {
    const waiting: ServerResponse[] = [];
    server.judge = (response) => void waiting.push(response);
    const editor = open();
    set(editor, 2);
    await until(() => editor.state.saveState === "saved" && editor.state.revision === '"2"');
    expect(waiting).toHaveLength(1);
    set(editor, 3);
    await until(() => waiting.length === 2 && editor.state.saveState === "saved");
    // the second answer arrives first: the first, for an older document, does not replace it
    finish(waiting[1], [PROBLEM]);
    finish(waiting[0], []);
    await editor.checking.settle();
    expect(editor.state.problems.map((problem) => problem.message)).toEqual([PROBLEM.message]);
  });

  test("is stored if the response ends before the problems; they are requested again", async () => {
    server.judge = (response) => void response.write(" ", () => response.destroy());
    server.intercept = ({ url }, response) => {
      if (url !== "/api/validate") return false;
      send(response, 200, { valid: false, problems: [PROBLEM] });
      return true;
    };
    const editor = open();
    set(editor, 2);
    await until(() => editor.state.problems.length > 0);
    expect(editor.state.saveState).toBe("saved");
    expect(server.commits.map(valueIn)).toEqual([2]);
  });

  test("that was stored and answered with 409 is not a conflict", async () => {
    const editor = open();
    set(editor, 2);
    server.keep(editor.state.document);
    await until(() => editor.state.saveState === "saved");
    expect(editor.state.revision).toBe('"2"');
  });

  test("is not sent again if the server refuses it; the next one is", async () => {
    refuseOnce();
    const editor = open();
    set(editor, 2);
    await until(() => editor.state.notices.length > 0);
    expect(editor.state.notices[0]?.message).toBe("No. Mend it.");
    expect(editor.state.saveState).toBe("unsaved");
    set(editor, 3);
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([3]);
  });
});

describe("after an outage of the server", () => {
  test("edits are saved after merging somebody else's", async () => {
    const editor = open();
    await offlineWith(editor, 2);
    server.keep({ ...START, description: "from elsewhere" });
    await server.start();
    await until(() => editor.state.saveState === "saved");
    expect(editor.state.document.description).toBe("from elsewhere");
    set(editor, 3);
    await until(() => valueIn(server.kept.get(START.id)?.document ?? START) === 3);
    expect(server.commits.map(valueIn)).toEqual([2, 3]);
  });

  test("the next edit is sent after a refused one", async () => {
    const editor = open();
    await offlineWith(editor, 2);
    refuseOnce();
    await server.start();
    await until(() => editor.state.saveState === "unsaved");
    set(editor, 3);
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([3]);
  });

  test("edits are saved after loading the saved version resolved a conflict", async () => {
    const editor = open();
    await offlineWith(editor, 2);
    server.keep(setParameter(START, CATALOG, "one", "value", 100));
    await server.start();
    await until(() => editor.state.saveState === "conflict");
    await editor.reload("Load");
    set(editor, 3);
    await until(() => editor.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([3]);
  });
});

describe("a draft", () => {
  test("is restored and saved when the page is opened again", async () => {
    const storage = memory();
    const first = open({ storage });
    await server.stop();
    set(first, 2);
    first.close();
    await server.start();
    const second = open({ storage });
    expect(valueIn(second.state.document)).toBe(2);
    await until(() => second.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([2]);
    expect(storage.items.size).toBe(0);
    second.undo();
    expect(second.state.document).toEqual(START);
  });

  test("is not a conflict if its commit was stored", async () => {
    const storage = memory();
    const first = open({ storage });
    server.intercept = (request, response, body) => {
      if (request.method !== "PUT") return false;
      server.keep(JSON.parse(body) as typeof START);
      response.destroy();
      return true;
    };
    set(first, 2);
    await until(() => first.state.saveState === "offline");
    set(first, 3);
    first.close();
    server.intercept = () => false;
    const second = open({ storage });
    await until(() => second.state.saveState === "saved");
    expect(server.commits.map(valueIn)).toEqual([3]);
  });

  test("of an older revision asks the user, also after another reload", async () => {
    const storage = memory();
    const first = open({ storage });
    await server.stop();
    set(first, 2);
    first.close();
    await server.start();
    server.keep(setParameter(START, CATALOG, "one", "value", 100));
    for (let reload = 0; reload < 2; reload += 1) {
      const editor = open({ storage });
      expect(editor.state.saveState).toBe("conflict");
      expect(valueIn(editor.state.document)).toBe(2);
      editor.close();
    }
    expect(server.commits).toEqual([]);
  });

  test("is not removed by another tab that has saved", async () => {
    const storage = memory();
    const [one, other] = [open({ storage }), open({ storage })];
    server.keep(setParameter(START, CATALOG, "one", "value", 100));
    set(one, 2);
    await until(() => one.state.saveState === "conflict" && storage.items.size > 0);
    await other.reload("Load");
    set(other, 3);
    await until(() => other.state.saveState === "saved");
    one.close();
    expect(storage.items.size).toBeGreaterThan(0);
  });

  test("of each tab is kept: one is restored, the other is offered as a copy", async () => {
    const storage = memory();
    const [one, other] = [open({ storage }), open({ storage })];
    await server.stop();
    set(one, 2);
    await until(() => storage.items.size === 1, "the draft of the first tab");
    set(other, 3);
    await until(() => storage.items.size === 2, "the draft of the second tab");
    set(other, 4);
    for (const editor of [one, other]) editor.close();
    backdate(storage, 2);
    await server.start();
    const next = open({ storage });
    expect(valueIn(next.state.document)).toBe(4);
    await until(() => next.state.saveState === "saved");
    const offered = next.state.notices.find((notice) => notice.action !== null);
    expect(offered?.message).toContain("Another tab has unsaved edits");
    expect([...storage.items.values()].map(valueOf)).toEqual([2]);
    perform(next, offered?.action?.command ?? "", offered?.action?.args);
    await until(() => storage.items.size === 0, "the copy");
    const copy = [...server.kept.values()].find(({ document }) => document.name.includes("(copy)"));
    expect(copy && valueIn(copy.document)).toBe(2);
    expect(server.commits.map(valueIn)).toEqual([4]);
  });

  test("stays and is offered again if its copy cannot be saved", async () => {
    const storage = memory();
    const tabs = [open({ storage }), open({ storage })];
    await server.stop();
    tabs.forEach((editor, place) => set(editor, 2 + place));
    for (const editor of tabs) editor.close();
    await server.start();
    server.intercept = (request, response) => {
      if (request.method !== "POST") return false;
      send(response, 507, { error: { code: "full", message: "No room.", cure: "Make some." } });
      return true;
    };
    const next = open({ storage });
    await until(() => next.state.saveState === "saved");
    perform(next, "keep-drafts");
    await until(() => next.state.notices.some(({ kind }) => kind === "error"));
    next.close();
    expect(storage.items.size).toBe(1);
    expect(open({ storage }).state.document.nodes[0]?.parameters["value"]).toBeDefined();
    expect(storage.items.size).toBeGreaterThan(0);
  });

  test("stays after being adopted if its tab has continued", async () => {
    const storage = memory();
    const first = open({ storage });
    await server.stop();
    set(first, 2);
    await until(() => storage.items.size === 1, "a draft");
    const [key = "", text = ""] = [...storage.items][0] ?? [];
    const second = open({ storage });
    expect(valueIn(second.state.document)).toBe(2);
    storage.setItem(key, text.replace('"value":2', '"value":5'));
    second.close();
    expect([...storage.items.values()].map(valueOf).sort()).toEqual([2, 5]);
  });

  test("of the format without tabs is restored and removed", async () => {
    const storage = memory();
    const draft = { document: setParameter(START, CATALOG, "one", "value", 7), revision: '"1"' };
    storage.setItem(`pipeline-designer.draft.${START.id}`, JSON.stringify(draft));
    const editor = open({ storage });
    expect(valueIn(editor.state.document)).toBe(7);
    await until(() => editor.state.saveState === "saved");
    expect(storage.items.size).toBe(0);
  });

  test("of another pipeline is ignored", () => {
    const storage = memory();
    const document = { ...setParameter(START, CATALOG, "one", "value", 7), id: `${START.id}.b` };
    const key = `pipeline-designer.draft.${START.id}.b tab`;
    storage.setItem(key, JSON.stringify({ document, revision: '"1"' }));
    expect(open({ storage }).state.document).toEqual(START);
    expect(storage.items.has(key)).toBe(true);
  });

  test("that cannot be read is ignored", () => {
    const storage = memory();
    storage.items.set(`pipeline-designer.draft.${START.id}`, "{half");
    expect(open({ storage }).state.document).toEqual(START);
  });
});

describe("two tabs", () => {
  test("notice each other, and the idle one follows", async () => {
    const [one, other] = [open(), open()];
    await until(() => one.state.openElsewhere && other.state.openElsewhere);
    set(one, 2);
    await until(() => valueIn(other.state.document) === 2, "the other tab's document");
    expect(other.state.saveState).toBe("saved");
    one.close();
    await until(() => !other.state.openElsewhere);
  });

  test("notice that the other was closed or reloaded, and that it came back", async () => {
    const page = new EventTarget();
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    open(); // only this tab hears the events of the page
    vi.unstubAllGlobals();
    const other = open();
    await until(() => other.state.openElsewhere);
    page.dispatchEvent(new Event("pagehide"));
    await until(() => !other.state.openElsewhere);
    page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    await until(() => other.state.openElsewhere);
  });

  test("never overwrite each other silently", async () => {
    const [one, other] = [open(), open()];
    set(one, 2);
    set(other, 3);
    await until(() => [one, other].some((editor) => editor.state.saveState === "conflict"));
    expect(server.commits).toHaveLength(1);
  });
});

function open(options: Options = {}): Editor {
  const editor = editorOn(server, options);
  editors.push(editor);
  return editor;
}

/** Make an edit while the server is stopped. */
async function offlineWith(editor: Editor, value: number): Promise<void> {
  await server.stop();
  set(editor, value);
  await until(() => editor.state.saveState === "offline");
}

function refuseOnce(): void {
  server.intercept = ({ method }, response) => {
    if (method !== "PUT") return false;
    server.intercept = () => false;
    send(response, 422, { error: { code: "InvalidDocument", message: "No.", cure: "Mend it." } });
    return true;
  };
}

/** Value in a stored draft. */
function valueOf(text: string): unknown {
  return valueIn((JSON.parse(text) as { document: typeof START }).document);
}

/** Make the draft with that value an hour older. */
function backdate(storage: ReturnType<typeof memory>, value: number): void {
  for (const [key, text] of storage.items) {
    const draft = JSON.parse(text) as { written: number };
    if (valueOf(text) !== value) continue;
    storage.setItem(key, JSON.stringify({ ...draft, written: draft.written - 3_600_000 }));
  }
}

function memory(): DraftStorage & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    key: (place) => [...items.keys()][place] ?? null,
    get length() {
      return items.size;
    },
  };
}
