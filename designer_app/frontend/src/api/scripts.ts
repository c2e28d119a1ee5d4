/** Facts about a script, read from its text without running it. */

import type { Api } from "./client";
import type { ScriptFacts } from "./types.gen";

export function readScript(api: Api, text: string): Promise<ScriptFacts> {
  return api.ask("POST /scripts/read", { body: { text } });
}
