/** Filters of the history, which narrow windows have behind a button. */

import { within } from "@testing-library/dom";
import { userEvent } from "@testing-library/user-event";
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";

import { EVERYTHING } from "../../src/api/history";
import { Filters } from "../../src/screens/runs/Filters";

const PAGE = { runs: [], total: 0, experiments: ["birds"], tags: ["kept"] };

function Shown() {
  const [filter, onChange] = useState(EVERYTHING);
  return createElement(Filters, { filter, page: PAGE, areTrials: false, onChange });
}

test("the button shows the filters and says how many are on", async () => {
  const root = document.createElement("div");
  document.body.append(root);
  createRoot(root).render(createElement(Shown));
  const page = within(root);
  const button = await page.findByTestId("runs-filters");
  const choices = page.getByTestId("runs-choices");
  const isOpen = (): unknown => [button.getAttribute("aria-expanded"), choices.dataset["open"]];
  expect(isOpen()).toEqual(["false", "false"]);
  expect(button.textContent).toBe("Filters");
  await userEvent.click(button);
  expect(isOpen()).toEqual(["true", "true"]);
  await userEvent.selectOptions(page.getByTestId("filter-status"), "failed");
  await userEvent.selectOptions(page.getByTestId("filter-tag"), "kept");
  await userEvent.type(page.getByTestId("runs-search"), "bird");
  expect(button.textContent).toBe("Filters (2)");
  await userEvent.click(within(choices).getByText("Clear"));
  expect(button.textContent).toBe("Filters");
});
