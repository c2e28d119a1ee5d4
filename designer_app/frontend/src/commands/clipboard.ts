/** Cut, copy, paste, duplicate. */

import { ApiError } from "../api/client";
import { readDocument } from "../api/pipelines";
import { readClipboard, writeClipboard } from "../browser/clipboard";
import { centredAt, extract, paste, standalone } from "../graph/copies";
import type { PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import { selectionInWords, without } from "./selection";
import { type Args, type Command, nodesFor, someParts } from "./types";
import { t } from "../graph/translate";

/** Document that the server read last: it can be pasted again while the server is unavailable. */
let lastRead: { readonly text: string; readonly document: PipelineDocument } | undefined;

const NOTHING_COPIED = t("The clipboard contains no nodes. Copy some nodes first.");

export const CLIPBOARD_COMMANDS: readonly Command[] = [
  {
    id: "cut",
    label: t("Cut"),
    group: "Edit",
    keys: ["Mod+X"],
    icon: "scissors",
    enabled: someParts,
    perform: async (editor) => {
      const { groups } = editor.state.selection;
      const { nodes, notes } = partsFor(editor);
      await writeClipboard(standalone(extract(editor.state.document, nodes, notes)));
      editor.dispatch((document) => without(document, { nodes, notes, groups, links: [] }), {
        label: t("Cut {parts}", { parts: partsInWords(editor, nodes, notes) }),
      });
    },
  },
  {
    id: "copy",
    label: t("Copy"),
    group: "Edit",
    keys: ["Mod+C"],
    icon: "copy",
    enabled: someParts,
    perform: (editor) => {
      const { nodes, notes } = partsFor(editor);
      return writeClipboard(standalone(extract(editor.state.document, nodes, notes)));
    },
  },
  {
    id: "paste",
    label: t("Paste"),
    group: "Edit",
    keys: ["Mod+V"],
    icon: "clipboard-paste",
    perform: async (editor) => {
      try {
        const copied = await readPiece(editor);
        if (copied && copied.nodes.length + copied.notes.length > 0) insertCopied(editor, copied);
        else editor.notify(NOTHING_COPIED, "information");
      } catch (error) {
        editor.notifyError(error);
      }
    },
  },
  {
    id: "duplicate",
    label: t("Duplicate"),
    group: "Edit",
    keys: ["Mod+D"],
    icon: "copy-plus",
    enabled: someParts,
    perform: (editor, args) => {
      const { nodes, notes } = partsFor(editor, args);
      editor.dispatch((document) => paste(document, extract(document, nodes, notes)), {
        label: t("Duplicate {parts}", { parts: partsInWords(editor, nodes, notes) }),
        select: "added",
      });
    },
  },
];

/** Nodes on the clipboard; those from elsewhere are read by the server. Throws `ApiError`. */
async function readPiece({ api }: Editor): Promise<PipelineDocument | null> {
  const copied = await readClipboard();
  if (!copied || !("json" in copied)) return copied;
  const text = JSON.stringify(copied.json);
  if (lastRead?.text === text) return lastRead.document;
  try {
    const document = await readDocument(api, copied.json);
    lastRead = { text, document };
    return document;
  } catch (error) {
    if (error instanceof ApiError && !error.isPassing) return null; // not a pipeline
    throw error;
  }
}

interface Parts {
  readonly nodes: readonly string[];
  readonly notes: readonly string[];
}

/** Parts to copy: those in the arguments, else the selection; groups include their nodes. */
function partsFor(editor: Editor, args: Args = {}): Parts {
  const { document, selection } = editor.state;
  if ((args["nodes"] ?? args["node"]) !== undefined) {
    return { nodes: nodesFor(editor, args), notes: [] };
  }
  const framed = document.groups.filter((group) => selection.groups.includes(group.id));
  const nodes = new Set([...selection.nodes, ...framed.flatMap((group) => group.nodes)]);
  return { nodes: [...nodes], notes: selection.notes };
}

function partsInWords(editor: Editor, nodes: readonly string[], notes: readonly string[]): string {
  return selectionInWords(editor, { nodes, notes, links: [], groups: [] });
}

function insertCopied(editor: Editor, copied: PipelineDocument): void {
  const pointer = editor.canvas?.pointer();
  const piece = pointer ? centredAt(copied, pointer.x, pointer.y) : copied;
  editor.dispatch((document) => paste(document, piece, pointer ? 0 : undefined), {
    label: pasteLabel(copied),
    select: "added",
  });
}

function pasteLabel({ nodes, notes }: PipelineDocument): string {
  if (nodes.length) return t("Paste {count:,} {count:node|nodes}", { count: nodes.length });
  if (notes.length) return t("Paste {count:,} {count:note|notes}", { count: notes.length });
  return t("Paste");
}
