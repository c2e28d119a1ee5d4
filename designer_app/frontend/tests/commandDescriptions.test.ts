/** Descriptions in the search for commands. */

import { expect, test } from "vitest";

import { COMMANDS } from "../src/commands/registry";
import { descriptionOf } from "../src/panels/search/commandDescriptions";

test("every listed command is described", () => {
  const listed = COMMANDS.filter((command) => command.listed !== false);
  expect(listed.filter((command) => descriptionOf(command) === "").map(({ id }) => id)).toEqual([]);
});

test("a command that is not listed may have no description", () => {
  expect(COMMANDS.filter((command) => command.listed === false).map(descriptionOf)).toContain("");
});
