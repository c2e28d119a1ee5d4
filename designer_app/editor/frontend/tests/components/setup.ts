/** After every component test its page is closed, and nothing is left that a browser would keep. */

import { configure } from "@testing-library/dom";
import { afterEach } from "vitest";

import { closePage } from "./editorPage";

configure({
  // ends only what never comes, beside other checks on a busy machine too
  asyncUtilTimeout: 30_000,
  // a whole editor as text says nothing that the message does not
  getElementError: (message) => new Error(message ?? "Not found."),
});

afterEach(closePage);
