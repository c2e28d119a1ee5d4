/** Shortcuts of commands are changed. */

import { expect, test } from "vitest";

import { CATALOG, pipeline } from "../cases";
import { lesson, lineOf, openEditor } from "./editorPage";

test("a command gets another shortcut, and its default again", async () => {
  const start = pipeline(["one:constant", "two:constant"]);
  const page = await openEditor(start, { catalog: CATALOG });
  const keyOf = (id: string): string => lineOf(page.at(`key-${id}`).querySelector("kbd"));
  await page.select("one");
  await page.press("?");
  await page.click("change-keys");
  await page.button("key-duplicate", "Shortcut for Duplicate: Ctrl+D");
  await page.press("Enter");
  expect(page.text("key-duplicate")).toContain("Enter is used to navigate the page");
  await page.press("l");
  expect(page.text("key-duplicate")).toContain("L is used by");
  await page.button("key-duplicate", "Reassign");
  await page.until(() => expect(keyOf("duplicate")).toBe("L"));
  expect(document.activeElement?.getAttribute("aria-label")).toContain("Shortcut for Duplicate");
  expect(page.text("key-connect-selected")).toContain("none");
  await page.show(start.id);
  await page.select("one");
  await page.press("l");
  await page.until(() => expect(page.counts()[0]).toBe(3));
  await page.press("Control+z", "?");
  await page.click("change-keys");
  await page.button("dialog", "Reset all shortcuts");
  expect(keyOf("duplicate")).toBe("Ctrl+D");
  expect(keyOf("connect-selected")).toBe("L");
});

test("the menu of the toolbar returns the focus", async () => {
  const page = await openEditor(lesson("01-digits"));
  page.focus("more");
  await page.press("Enter");
  await page.focused("menu-save");
  await page.press("ArrowDown", "Escape");
  await page.focused("more");
});
