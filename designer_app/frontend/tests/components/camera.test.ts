/** Page Camera: its navigation leads to the other pages, also before a recording is open. */

import { within } from "@testing-library/dom";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test } from "vitest";

import { CameraScreen } from "../../src/screens/camera/CameraScreen";
import { RecordingPage } from "../../src/store/recording";
import { silentApi } from "../server";

const PAGES = [
  { title: "Home", icon: "home", address: "/" },
  { title: "Runs", icon: "history", address: "/runs" },
  { title: "Data", icon: "photo_library", address: "/data" },
];
let leave = (): void => undefined;
afterEach(() => leave());

test("the navigation is there while the recordings load, and marks Data", async () => {
  const root = document.createElement("div");
  document.body.append(root);
  const react = createRoot(root);
  leave = () => react.unmount();
  const page = new RecordingPage(silentApi());
  react.render(createElement(CameraScreen, { page, pages: PAGES }));
  const navigation = await within(root).findByRole("navigation", { hidden: true });
  const links = [...navigation.querySelectorAll("a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/", "/runs", "/data"]);
  expect(links.map((link) => link.getAttribute("aria-current"))).toEqual([null, null, "true"]);
  const menu = within(root).getByTestId("pages-menu");
  expect(menu.getAttribute("popovertarget")).toBe(navigation.id);
});
