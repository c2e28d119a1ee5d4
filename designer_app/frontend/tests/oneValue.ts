/** Document of the autosave tests: one node with one value, and an editor for it. */

import { setParameter } from "../src/graph/edits";
import type { DraftStorage } from "../src/store/drafts";
import { Editor } from "../src/store/editor";
import { CATALOG, pipeline } from "./cases";
import type { PipelineServer } from "./server";

export interface Options {
  readonly storage?: DraftStorage;
  readonly openPipeline?: (id: string) => void;
}

export const START = pipeline(["one:constant"]);

export function editorOn(server: PipelineServer, options: Options): Editor {
  const kept = server.kept.get(START.id);
  if (!kept) throw new Error("nothing kept");
  return new Editor({
    api: server.api,
    catalog: CATALOG,
    document: kept.document,
    revision: `"${kept.revision}"`,
    storage: null,
    firstRetry: 20,
    ...options,
  });
}

export function set(editor: Editor, value: number): void {
  editor.dispatch((document, catalog) => setParameter(document, catalog, "one", "value", value), {
    label: "Set Value",
  });
}

export function valueIn(document: typeof START): unknown {
  return document.nodes[0]?.parameters["value"];
}
