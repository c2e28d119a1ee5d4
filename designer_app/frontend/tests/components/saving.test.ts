/** No edit is lost and none is silently overwritten: what the page shows about it. */

import { expect, test, vi } from "vitest";

import { setName } from "../../src/graph/edits";
import type { Editor } from "../../src/store/editor";
import { type EditorPage, lessonWith, openEditor } from "./editorPage";

const KEPT = ["import", "convert", "split"];
const START = lessonWith(KEPT);

test("an edit is saved and shown as saved", async () => {
  const page = await openEditor(START);
  await page.fill("pipeline-name", "Renamed");
  expect((await page.saved()).name).toBe("Renamed");
  await page.show(START.id);
  expect(page.value("pipeline-name")).toBe("Renamed");
});

test.each(["join", "reload", "copy", "overwrite"])(
  "two tabs never overwrite in silence: %s",
  async (choice) => {
    const page = await openEditor(START);
    await rename(tabOfAnotherBrowser(page), "From the first tab");
    await page.fill("pipeline-name", "From the second tab");
    await page.shows("save-state", "data-state", "conflict");
    expect(nameOnServer(page)).toBe("From the first tab");
    await page.says("conflict-differences", "renamed to From the first tab");
    await page.click(`conflict-${choice}`);
    await page.until(() => expect(page.dialog()).toBeNull());
    await page.saved();
    const isOurs = choice === "join" || choice === "overwrite";
    expect(nameOnServer(page)).toBe(isOurs ? "From the second tab" : "From the first tab");
    if (choice !== "copy") return;
    const names = [...page.server.kept.values()].map(({ document }) => document.name);
    expect(names).toContain("From the second tab (copy)");
    await page.until(() => expect(page.value("pipeline-name")).toBe("From the second tab (copy)"));
  },
);

test("tabs of one browser notice each other", async () => {
  const page = await openEditor(START);
  const other = page.openTab();
  await page.find("elsewhere");
  await page.until(() => expect(other.state.openElsewhere).toBe(true));
  await rename(other, "Seen in both");
  await page.until(() => expect(page.value("pipeline-name")).toBe("Seen in both"));
});

test("edits of different things are merged", async () => {
  const page = await openEditor(START);
  await rename(tabOfAnotherBrowser(page), "Renamed there");
  await page.user.dblClick(page.at("palette-densenet"));
  await page.says("notice", "renamed to Renamed there");
  expect(page.value("pipeline-name")).toBe("Renamed there");
  expect((await page.saved()).nodes).toHaveLength(KEPT.length + 1);
});

test("an earlier version is viewed, named and restored", async () => {
  const entries = [
    { revision: 2, name: null, created: 20, num_nodes: 3, changes: "renamed to Second" },
    { revision: 1, name: null, created: 10, num_nodes: 3, changes: "" },
  ];
  const named: unknown[] = [];
  const path = `/pipelines/${START.id}/revisions`;
  const page = await openEditor(START, {
    answers: {
      [`GET ${path}`]: { revisions: entries },
      [`PUT ${path}/2/name`]: (body) => {
        named.push(JSON.parse(body));
        return {};
      },
      [`POST ${path}/1/restore`]: () => {
        page.server.keep(START);
        return { id: START.id, revision: 3 };
      },
    },
  });
  await page.fill("pipeline-name", "Second");
  await page.saved();
  await page.click("more");
  await page.click("menu-versions");
  await page.says("revision-2", "renamed to Second");
  await page.button("revision-2", "Name version 2");
  await page.type("no more split");
  await page.press("Escape");
  await page.until(() => expect(page.text("revision-2")).not.toContain("no more split"));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Name version 2");
  await page.button("revision-2", "Name version 2");
  await page.type("no more split");
  await page.press("Enter");
  await page.says("revision-2", "no more split");
  await page.until(() => expect(named).toEqual([{ name: "no more split" }]));
  await page.button("revision-1", "Restore");
  await page.until(() => expect(page.dialog()).toBeNull());
  expect(page.value("pipeline-name")).toBe(START.name);
  expect(await page.saved()).toEqual(START);
  await page.click("undo");
  expect(page.value("pipeline-name")).toBe("Second");
  expect((await page.saved()).name).toBe("Second");
});

/** Open the same pipeline in a tab that this one does not notice. */
function tabOfAnotherBrowser(page: EditorPage): Editor {
  vi.stubGlobal("BroadcastChannel", undefined);
  const tab = page.openTab();
  vi.unstubAllGlobals();
  return tab;
}

async function rename(tab: Editor, name: string): Promise<void> {
  tab.dispatch((document) => setName(document, name), { label: "Rename pipeline" });
  expect(await tab.flush()).toBe(true);
}

function nameOnServer({ server }: EditorPage): string | undefined {
  return server.kept.get(START.id)?.document.name;
}
