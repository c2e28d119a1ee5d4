/** What finds problems: the first picture stands without it, and it is loaded beside that. */

import type { allProblems, byNode } from "./problems";

interface Checks {
  readonly allProblems: typeof allProblems;
  readonly byNode: typeof byNode;
}

let checks: Checks | null = null;

/** Null until they are loaded. */
export function checksSoFar(): Checks | null {
  return checks;
}

/** Fails where the server is away; whoever wants them next asks again. */
export async function loadChecks(): Promise<void> {
  const { allProblems, byNode } = await import("./problems");
  checks = { allProblems, byNode };
}
