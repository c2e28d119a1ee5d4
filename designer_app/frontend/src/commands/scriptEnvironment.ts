/** Environment that a script requires: saved under its name, built and selected. */

import { buildEnvironment, keepEnvironment } from "../api/environments";
import { setRunSettings } from "../graph/edits";
import type { Editor } from "../store/editor";
import { withProgressNotice } from "./progressNotice";
import type { Args } from "./types";
import { t } from "../graph/translate";

export async function buildFor(editor: Editor, args: Args): Promise<void> {
  const { node, name, text, file_name: fileName } = args;
  if (![node, name, text, fileName].every((argument) => typeof argument === "string")) return;
  try {
    const asked = { name: environmentName(String(name)), text: String(text) };
    const { reference } = await withProgressNotice(editor, t("Resolving versions"), () =>
      keepEnvironment(editor.api, { ...asked, file_name: String(fileName) }),
    );
    await buildEnvironment(editor.api, reference);
    editor.dispatch(
      (document) => setRunSettings(document, String(node), { environment: reference }),
      { label: t("Use {reference}", { reference }) },
    );
    editor.notify(
      t("{reference} is selected and being built. See Environments.", { reference }),
      "success",
    );
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Return a valid environment name for a file name: `birds` for `Birds.py`. */
export function environmentName(file: string): string {
  const name = file
    .toLowerCase()
    .replace(/\.[^.]*$/, "")
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "");
  return name.slice(0, 60) || "script";
}
