/** After every component test, close its page and remove what a browser would store. */

import { configure } from "@testing-library/dom";
import { afterEach } from "vitest";

import { closePage } from "./editorPage";

configure({
  // ends only what never arrives, also on a busy machine
  asyncUtilTimeout: 30_000,
  // a whole editor as text adds nothing to the message
  getElementError: (message) => new Error(message ?? "Not found."),
});

afterEach(closePage);
