/** Differences of the open pipeline from another one: a list over the edge of the canvas, each entry
 * shown on the canvas by key. */

import { MoveDown, MoveUp, X } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";

import { type Difference, type DifferenceKind, SIGNS, kindWords } from "../../graph/differences";
import { t } from "../../graph/translate";
import {
  compareAgain,
  endComparing,
  listed,
  showDifference,
  showMoved,
  stepTo,
} from "../../store/comparison";
import type { Comparison } from "../../store/comparisonStore";
import { selectCatalog } from "../../store/selectors";
import { comparisonStyles } from "../../styles/comparisonStyles";
import { Button, IconButton } from "../../ui/buttons";
import { useEditor, useEditorState, useRoot, useView } from "../../view/context";
import { speak } from "../../view/viewStore";

const KINDS = ["added", "changed", "removed", "moved"] as const;

interface Props {
  readonly comparison: Comparison;
}

export default function ComparisonPanel({ comparison }: Props): ReactElement | null {
  const root = useRoot();
  const place = root.querySelector(".pd-middle");
  if (!place) return null;
  return createPortal(
    <>
      <style>{comparisonStyles}</style>
      <Panel key={comparison.reference} comparison={comparison} />
    </>,
    place,
  );
}

function Panel({ comparison }: Props): ReactElement {
  const editor = useEditor();
  const root = useRoot();
  const view = useView();
  const catalog = useEditorState(selectCatalog);
  const all = listed(comparison, catalog);
  const { label, difference, error } = comparison;
  const list = useRef<HTMLDivElement>(null);
  const titleId = useId();
  useSpoken(comparison);
  const step = (by: 1 | -1): void => {
    const shown = stepTo(editor, by);
    if (shown) speak(view, spokenText(shown, all));
  };
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== "F7" || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    };
    root.addEventListener("keydown", listener);
    return () => root.removeEventListener("keydown", listener);
  });
  const isKnown = difference !== null;
  useEffect(() => list.current?.focus({ preventScroll: true }), [isKnown]);
  const close = (): void => {
    endComparing(editor);
    speak(view, t("Comparison closed."));
  };
  return (
    <aside
      data-region
      className="pd-comparison"
      aria-labelledby={titleId}
      data-testid="comparison"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <header className="pd-comparison-head">
        <h2 id={titleId} title={label}>
          {t("Compared with {label}", { label })}
        </h2>
        <IconButton
          icon={MoveUp}
          label={t("Previous difference")}
          keys="Shift+F7"
          disabled={all.length === 0}
          data-testid="comparison-previous"
          onClick={() => step(-1)}
        />
        <IconButton
          icon={MoveDown}
          label={t("Next difference")}
          keys="F7"
          disabled={all.length === 0}
          data-testid="comparison-next"
          onClick={() => step(1)}
        />
        <IconButton
          icon={X}
          label={t("Close comparison")}
          data-testid="comparison-close"
          onClick={close}
        />
      </header>
      {error && (
        <div className="pd-comparison-note" role="alert" data-testid="comparison-error">
          <p>
            {error.message} {error.cure}
          </p>
          {error.isPassing && (
            <Button small onClick={() => void compareAgain(editor)}>
              {t("Try again")}
            </Button>
          )}
          <Button small onClick={() => editor.openDialog({ kind: "compare" })}>
            {t("Compare with...")}
          </Button>
        </div>
      )}
      {!error && !difference && (
        <p className="pd-comparison-note" role="status">
          <span className="pd-spinner" /> {t("Comparing ...")}
        </p>
      )}
      {difference && <Counts comparison={comparison} />}
      {difference && all.length > 0 && <List listRef={list} comparison={comparison} all={all} />}
    </aside>
  );
}

/** Announce the result of the comparison, also after an edit. */
function useSpoken({ label, difference }: Comparison): void {
  const view = useView();
  const count = difference?.count;
  useEffect(() => {
    if (count === undefined) return;
    speak(
      view,
      count === 0
        ? t("No differences from {label}.", { label })
        : t("{count:,} {count:difference|differences} from {label}.", { count, label }),
    );
  }, [view, count, label]);
}

function Counts({ comparison }: Props): ReactElement {
  const editor = useEditor();
  const catalog = useEditorState(selectCatalog);
  const all = listed({ ...comparison, showsMoved: true }, catalog);
  const counts = KINDS.map((kind) => ({
    kind,
    count: all.filter((difference) => difference.kind === kind).length,
  })).filter(({ count }) => count > 0);
  const hasMoved = counts.some(({ kind }) => kind === "moved");
  return (
    <div className="pd-comparison-note" data-testid="comparison-counts">
      {counts.length === 0 && <p>{t("No differences.")}</p>}
      {counts.length > 0 && (
        <p className="pd-comparison-counts">
          {counts.map(({ kind, count }) => (
            <span key={kind} data-kind={kind}>
              <Sign kind={kind} /> {t("{count:,} {kind}", { count, kind: kindWords(kind) })}
            </span>
          ))}
        </p>
      )}
      {hasMoved && (
        <label>
          <input
            type="checkbox"
            data-testid="comparison-moved"
            checked={comparison.showsMoved}
            onChange={(event) => showMoved(editor, event.target.checked)}
          />
          {t("Show nodes that only moved")}
        </label>
      )}
    </div>
  );
}

function Sign({ kind }: { readonly kind: DifferenceKind }): ReactElement {
  return (
    <span className="pd-sign" aria-hidden>
      {SIGNS[kind]}
    </span>
  );
}

interface ListProps {
  readonly listRef: React.RefObject<HTMLDivElement | null>;
  readonly comparison: Comparison;
  readonly all: readonly Difference[];
}

function List({ listRef, comparison, all }: ListProps): ReactElement {
  const editor = useEditor();
  const view = useView();
  const id = useId();
  const at = all.findIndex(({ key }) => key === comparison.current);
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = all.length - 1;
    const to = {
      ArrowDown: Math.min(last, at + 1),
      ArrowUp: Math.max(0, at - 1),
      Home: 0,
      End: last,
    }[event.key];
    const goal = to === undefined ? undefined : all[to];
    const current = all[at];
    if (goal) {
      void showDifference(editor, goal);
      speak(view, spokenText(goal, all));
    } else if (event.key === "Enter" && current) openSettings(editor, current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={listRef}
      className="pd-comparison-list pd-scroll"
      role="listbox"
      aria-label={t("Differences")}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      data-testid="comparison-list"
      onKeyDown={onKeyDown}
    >
      {all.map((difference, place) => (
        <Entry
          key={difference.key}
          id={`${id}-${place}`}
          difference={difference}
          selected={place === at}
        />
      ))}
    </div>
  );
}

interface EntryProps {
  readonly id: string;
  readonly difference: Difference;
  readonly selected: boolean;
}

function Entry({ id, difference, selected }: EntryProps): ReactElement {
  const editor = useEditor();
  const { kind, title, texts } = difference;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) ref.current?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div
      ref={ref}
      id={id}
      role="option"
      className="pd-comparison-entry"
      data-kind={kind}
      data-testid={`difference-${difference.key}`}
      aria-selected={selected}
      onClick={() => void showDifference(editor, difference)}
      onDoubleClick={() => openSettings(editor, difference)}
    >
      <Sign kind={kind} />
      <span className="pd-comparison-words">
        <b>{title}</b> <small>{kindWords(kind)}</small>
        {texts.map((text) => (
          <span key={text} className="pd-comparison-text">
            {text}
          </span>
        ))}
      </span>
    </div>
  );
}

/** Select the node of a difference and open its settings; a removed node has none. */
function openSettings(editor: ReturnType<typeof useEditor>, difference: Difference): void {
  const { document, place } = editor.state;
  const nodes = difference.nodes
    .map((node) => (place ? `${place}/${node}` : node))
    .filter((name) => document.nodes.some(({ id }) => id === name));
  if (nodes.length === 0 && difference.nodes.length > 0) return;
  editor.select({ nodes: nodes.slice(-1) });
  editor.togglePane("settings", true);
}

/** "2 of 5: Train, changed. Epochs: 4 → 8". */
function spokenText(difference: Difference, all: readonly Difference[]): string {
  const { title, kind, texts } = difference;
  const place = all.findIndex(({ key }) => key === difference.key) + 1;
  const said = t("{place} of {count}: {title}, {kind}.", {
    place,
    count: all.length,
    title,
    kind: kindWords(kind),
  });
  return [said, ...texts].join(" ");
}
