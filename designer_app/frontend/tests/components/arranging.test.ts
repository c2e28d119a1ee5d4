/** Groups, notes, places, colours and the outline. */

import { expect, test } from "vitest";

import { type EditorPage, lesson, lessonWith, lineOf, openEditor } from "./editorPage";

const KEPT = ["import", "convert", "split"];

test("a group is named, coloured and folded", async () => {
  const page = await openEditor(lessonWith(KEPT, true));
  await page.select("import", "convert");
  await page.press("Control+g");
  const [group] = (await page.saved()).groups;
  const frame = `group-${group?.id ?? ""}`;
  const title = (await page.find(frame)).querySelector(".pd-group-title");
  if (title) await page.user.dblClick(title);
  await page.until(() => expect(document.activeElement?.tagName).toBe("INPUT"));
  await page.type("Preparation");
  await page.press("Enter");
  await page.says(frame, "Preparation");
  await page.menu(frame, "colour-green");
  await page.shows(frame, "data-type", "green");
  await page.button(frame, "Collapse group");
  await page.says(frame, "2 nodes");
  await page.until(() => expect(page.counts()).toEqual([1, 1])); // the wire that leaves the group
  const [saved] = (await page.saved()).groups;
  expect(saved).toMatchObject({ title: "Preparation", colour: "green", collapsed: true });
  await page.show(page.editor.id);
  await page.button(frame, "Expand group");
  await page.until(() => expect(page.counts()).toEqual([3, 2]));
});

test("a note is written with the keyboard", async () => {
  const page = await openEditor(lessonWith(KEPT));
  page.focus("canvas");
  await page.press("n");
  await page.until(() => expect(document.activeElement?.tagName).toBe("TEXTAREA"));
  await page.type("**Bold** words");
  await page.press("Escape");
  const [note] = page.all(".react-flow__node-note");
  expect(lineOf(note?.querySelector("strong") ?? null)).toBe("Bold");
  page.focus(note);
  await page.press("Enter");
  await page.until(() => expect(document.activeElement?.tagName).toBe("TEXTAREA"));
  await page.press("Escape");
  expect((await page.saved()).notes.map(({ text }) => text)).toEqual(["**Bold** words"]);
});

test("nodes are moved, aligned and tidied", async () => {
  const page = await openEditor(lessonWith(KEPT, true));
  await page.select("convert");
  const before = await placesOf(page);
  await page.press("Alt+ArrowDown", "Alt+ArrowDown");
  const moved = await placesOf(page);
  expect(moved["convert"]?.y).toBe((before["convert"]?.y ?? 0) + 16);
  await page.select("import", "convert", "split");
  await page.button("settings", "Align top");
  await page.until(() => expect(page.editor.state.history.past).toHaveLength(2));
  expect(new Set(Object.values(await placesOf(page)).map(({ y }) => y)).size).toBe(1);
  await page.press("Control+z", "Control+z");
  expect(page.at("undo")).toHaveProperty("disabled", true);
  expect(await placesOf(page)).toEqual(before);
  await page.press("Control+Shift+l");
  await page.says("notice", "already tidy");
  await page.press("Alt+ArrowDown", "Control+Shift+l");
  await page.until(() => expect(page.editor.state.history.past).toHaveLength(2));
  const tidy = await placesOf(page);
  const across = KEPT.map((id) => tidy[id]?.x ?? NaN);
  expect(across).toEqual([...across].sort((one, other) => one - other));
  expect(new Set(across).size).toBe(3);
});

test("several nodes are selected in the outline", async () => {
  const page = await openEditor(lesson("01-digits"));
  const chosen = (): number => page.all("[role=treeitem][aria-selected=true]").length;
  await page.click("tab-outline");
  await page.user.click(rowOf(page, "import"));
  await page.shows("outline-import", "aria-selected", "true");
  await page.user.keyboard("{Control>}");
  await page.user.click(rowOf(page, "train"));
  await page.user.keyboard("{/Control}");
  await page.says("settings", "2 nodes selected");
  page.focus("outline-import");
  await page.press("Home", "Shift+ArrowDown", "Shift+ArrowDown");
  expect(chosen()).toBe(3);
  await page.press(" ");
  expect(chosen()).toBe(2);
  await page.press("ArrowDown");
  expect(chosen()).toBe(1);
});

test("upstream and downstream nodes are selected", async () => {
  const page = await openEditor(lesson("01-digits"));
  await page.select("split");
  await page.press("Control+[");
  await page.says("settings", "3 nodes selected");
  await page.select("train");
  await page.press("Control+]");
  await page.says("settings", "3 nodes selected");
});

test("a node has its own color", async () => {
  const page = await openEditor(lessonWith(KEPT));
  await page.select("convert");
  await page.menu("node-convert", "colour-violet");
  await page.shows("node-convert", "data-type", "violet");
  const colours = (await page.saved()).nodes.map(({ id, color }) => [id, color ?? null]);
  expect(colours).toEqual([
    ["import", null],
    ["convert", "violet"],
    ["split", null],
  ]);
  await page.menu("node-convert", "colour-of-module");
  await page.until(() => expect(page.at("node-convert").dataset["type"]).not.toBe("violet"));
  await page.click("undo");
  await page.shows("node-convert", "data-type", "violet");
});

function rowOf(page: EditorPage, id: string): Element {
  return page.at(`outline-${id}`).firstElementChild ?? page.root;
}

async function placesOf(
  page: EditorPage,
): Promise<Readonly<Record<string, { readonly x: number; readonly y: number }>>> {
  const { nodes } = await page.saved();
  return Object.fromEntries(nodes.map(({ id, position }) => [id, position]));
}

test("a scoring that is added to a split gets the images kept from training", async () => {
  const page = await openEditor(lessonWith(["split"]));
  await page.select("split");
  await page.press("a");
  await page.focused("module-search-input");
  await page.type("score image");
  await page.press("Enter");
  await page.until(() => expect(page.counts()).toEqual([2, 1]));
  const [link] = (await page.saved()).links;
  expect(link?.from.port).toBe("output_image_directory2");
});

test("a node is collapsed to its title bar and expanded again", async () => {
  const page = await openEditor(lessonWith(KEPT, true));
  await page.select("convert");
  await page.menu("node-convert", "collapse-nodes");
  await page.shows("node-convert", "data-collapsed", "true");
  expect(page.all(".pd-node .pd-node-foot")).toHaveLength(2);
  expect(page.all("[data-testid^=port-convert-]")).toHaveLength(2);
  expect(page.counts()).toEqual([3, 2]);
  const saved = (await page.saved()).nodes.map(({ id, collapsed }) => [id, collapsed ?? false]);
  expect(saved).toEqual([
    ["import", false],
    ["convert", true],
    ["split", false],
  ]);
  await page.show(page.editor.id);
  await page.shows("node-convert", "data-collapsed", "true");
  await page.click("tab-outline");
  expect(page.text("outline-convert")).toContain("collapsed");
  expect(page.text("outline-import")).not.toContain("collapsed");
  const button = page.at("node-convert").querySelector("[aria-expanded]");
  expect(button?.getAttribute("aria-expanded")).toBe("false");
  await page.button("node-convert", "Expand Convert to Image Directory");
  await page.until(() => expect(page.all(".pd-node .pd-node-foot")).toHaveLength(3));
  expect((await page.saved()).nodes.every((node) => !("collapsed" in node))).toBe(true);
  await page.select("import", "split");
  await page.press("h");
  await page.until(() => expect(page.all("[data-collapsed]")).toHaveLength(2));
  await page.click("undo");
  await page.until(() => expect(page.all("[data-collapsed]")).toHaveLength(0));
});
