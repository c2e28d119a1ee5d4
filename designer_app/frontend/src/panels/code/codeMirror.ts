/** CodeMirror as a field: Python, the editor's colors, Escape and then Tab to leave. Loaded on
 * demand. */

import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  insertNewlineAndIndent,
} from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import {
  Compartment,
  EditorState,
  type Extension,
  type Text,
  Transaction,
} from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import type { CodeFault } from "../../graph/codeFaults";

export interface CodeOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** Label for screen readers. */
  readonly label: string;
  readonly testId: string;
  readonly onChange: (text: string) => void;
  readonly onDone: () => void;
}

export interface CodeView {
  /** Show a text, if it differs. */
  readonly setText: (text: string) => void;
  readonly setFaults: (faults: readonly CodeFault[]) => void;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  /** Set the id of the field's description, and whether its value is invalid. */
  readonly describe: (id: string | undefined, isInvalid: boolean) => void;
  readonly focus: () => void;
  readonly remove: () => void;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--reuse)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.comment, tags.docComment], color: "var(--faint)", fontStyle: "italic" },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.className),
    ],
    color: "var(--accent-text)",
  },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--bg)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "6px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    color: "var(--faint)",
    backgroundColor: "var(--bg)",
    borderRight: "1px solid var(--line)",
  },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-matchingBracket": { outline: "1px solid var(--line-strong)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line-strong)",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--fail)" },
});

/** Create the field in `parent`, and its styles in the root of `parent`. */
export function createCodeView(options: CodeOptions): CodeView {
  const { parent, text, onChange } = options;
  const [readOnly, described] = [new Compartment(), new Compartment()];
  let taking = false;
  const view = new EditorView({
    parent,
    root: parent.getRootNode() as Document | ShadowRoot,
    state: EditorState.create({
      doc: text,
      extensions: [
        extensionsOf(options),
        readOnly.of([]),
        described.of([]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !taking) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText: (next) => {
      if (next === view.state.doc.toString()) return;
      taking = true;
      // not a step of the field's own undo, which would restore foreign code as if it were typed
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: Transaction.addToHistory.of(false),
      });
      taking = false;
    },
    setFaults: (faults) => {
      const diagnostics = faults.map((fault) => diagnosticOf(fault, view.state.doc));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    setReadOnly: (isReadOnly) =>
      view.dispatch({
        effects: readOnly.reconfigure([
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ "aria-readonly": String(isReadOnly) }),
        ]),
      }),
    describe: (id, isInvalid) => {
      const said = { "aria-invalid": String(isInvalid), ...(id && { "aria-describedby": id }) };
      view.dispatch({ effects: described.reconfigure(EditorView.contentAttributes.of(said)) });
    },
    focus: () => view.focus(),
    remove: () => view.destroy(),
  };
}

function extensionsOf({ label, testId, onDone }: CodeOptions): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    lintGutter(),
    python(),
    indentUnit.of("    "),
    syntaxHighlighting(COLOURS),
    LOOK,
    keymap.of([
      { key: "Enter", run: insertNewlineAndIndent },
      ...historyKeymap,
      ...defaultKeymap,
      ...lintKeymap, // F8 goes to the next error and shows it
      indentWithTab, // CodeMirror itself lets Tab leave the field for two seconds after Escape
    ]),
    EditorView.contentAttributes.of({ "aria-label": label, "data-testid": testId }),
    EditorView.domEventHandlers({ blur: onDone }),
  ];
}

/** Lines count from 1, columns from 0; a position behind the text is its end. */
function diagnosticOf(fault: CodeFault, doc: Text): Diagnostic {
  const line = doc.line(Math.min(Math.max(1, fault.line), doc.lines));
  const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
  const from = Math.min(line.from + (fault.column ?? indent), line.to);
  const to = Math.min(line.from + (fault.endColumn ?? line.length), line.to);
  return { from, to: Math.max(from, to), severity: "error", message: fault.message };
}
