/** Comparison of the open pipeline with another one: shown until it is closed, never saved. */

import type { StoreApi } from "zustand/vanilla";

import { ApiError, noAnswer } from "../api/client";
import { comparePipelines } from "../api/comparing";
import {
  type Difference,
  boxOf,
  differencesOf,
  marksAt,
  placeOfDefinition,
} from "../graph/differences";
import { type Box, boxAround } from "../graph/layout/geometry";
import { findNode, remembered } from "../graph/lookup";
import { definitionAt } from "../graph/places";
import type { PipelineDifference, PipelineDocument, Size } from "../graph/types";
import type { Catalog } from "../graph/catalog";
import { type Baseline, type Comparison, comparisonOf } from "./comparisonStore";
import type { Editor } from "./editor";
import type { Selection, Viewport } from "./types";

/** State of the page at the start, restored at the end unless the pipeline was edited. */
interface Start {
  readonly whole: PipelineDocument;
  readonly place: string;
  readonly selection: Selection;
  readonly view: Viewport | undefined;
}

interface Session {
  start: Start | null;
  /** Number of the newest request: responses of earlier ones are ignored. */
  asked: number;
  leave: () => void;
}

const sessions = new WeakMap<Editor, Session>();
/** Time without an edit before the pipeline is compared again. */
const PAUSE_MILLISECONDS = 250;
/** More nodes that only moved are hidden at first, if there are other differences. */
const MOST_MOVED = 12;
/** Zoom at which a difference is shown. */
const LEAST_ZOOM = 0.6;
const MOST_ZOOM = 1;
/** Least zoom of the canvas. */
const MIN_ZOOM = 0.08;
/** Pixels of the document around what is shown, with room for the texts of marks. */
const AROUND = 56;
/** Width of the list, and of a canvas that has room next to it; below, it covers the lower part. */
const LIST_WIDTH = 340;
const ROOM_FOR_LIST = 720;
const SHEET_SHARE = 0.45;
/** Frames to wait for the canvas of a sub-pipeline. */
const MOST_FRAMES = 60;

function sessionOf(editor: Editor): Session {
  const known = sessions.get(editor);
  if (known) return known;
  const made: Session = {
    start: null,
    asked: 0,
    leave: () => undefined,
  };
  sessions.set(editor, made);
  return made;
}

/** Compare the open pipeline with a baseline, again after each edit. */
export async function startComparing(editor: Editor, baseline: Baseline): Promise<void> {
  const session = sessionOf(editor);
  const { whole, place, selection } = editor.state;
  session.leave();
  session.start ??= { whole, place, selection, view: editor.canvas?.view() };
  const empty = { difference: null, compared: null, error: null, current: null, showsMoved: true };
  comparisonOf(editor).setState({ ...baseline, ...empty }, true);
  let pause: ReturnType<typeof setTimeout> | undefined;
  const stop = editor.store.subscribe((now, before) => {
    if (now.whole === before.whole) return;
    clearTimeout(pause);
    pause = setTimeout(() => void compareAgain(editor), PAUSE_MILLISECONDS);
  });
  session.leave = () => {
    clearTimeout(pause);
    stop();
  };
  await compareAgain(editor);
}

/** Ask the server for the differences of the current pipeline. */
export async function compareAgain(editor: Editor): Promise<void> {
  const session = sessionOf(editor);
  const store = comparisonOf(editor);
  const comparison = store.getState();
  if (!comparison) return;
  const asked = (session.asked += 1);
  const compared = editor.state.whole;
  const isNewest = (): boolean => session.asked === asked && store.getState() !== null;
  try {
    const difference = await comparePipelines(editor.api, compared, comparison.reference);
    if (!isNewest()) return;
    const first = store.getState()?.difference === null;
    const { changed, moved } = difference.graph;
    const numMoved = Object.keys(moved).length;
    const hides = first && numMoved > MOST_MOVED && numMoved > Object.keys(changed).length;
    change(store, {
      difference,
      compared,
      error: null,
      ...(hides && difference.count > numMoved && { showsMoved: false }),
    });
    if (first) showAll(editor, difference);
  } catch (error) {
    if (!isNewest()) return;
    change(store, { difference: null, error: error instanceof ApiError ? error : noAnswer() });
  }
}

/** End the comparison: nothing of it remains on the page. */
export function endComparing(editor: Editor): void {
  const session = sessionOf(editor);
  const { start } = session;
  session.leave();
  session.leave = () => undefined;
  session.asked += 1;
  session.start = null;
  const store = comparisonOf(editor);
  if (store.getState() === null) return;
  store.setState(null, true);
  if (start) void restore(editor, start);
}

/** Return to the place, selection and view at the start; after an edit everything stays. */
async function restore(editor: Editor, start: Start): Promise<void> {
  if (editor.state.whole !== start.whole) {
    editor.canvas?.focus();
    return;
  }
  if (editor.state.place !== start.place) {
    await editor.enter(start.place);
    await canvasShown(editor);
  }
  editor.select(start.selection);
  if (start.view) editor.canvas?.show(start.view);
  editor.canvas?.focus();
}

/** Return the differences in the list. */
export function listed(comparison: Comparison, catalog: Catalog): readonly Difference[] {
  const { difference, compared, showsMoved } = comparison;
  if (!difference || !compared) return [];
  const all = allOf(difference)(compared)(catalog);
  return showsMoved ? all : all.filter(({ kind }) => kind !== "moved");
}

const allOf = remembered((difference: PipelineDifference) =>
  remembered((compared: PipelineDocument) =>
    remembered((catalog: Catalog) => differencesOf(difference, compared, catalog)),
  ),
);

export function showMoved(editor: Editor, showsMoved: boolean): void {
  change(comparisonOf(editor), { showsMoved });
}

/** Show the next or the previous difference, after the last one the first; undefined for none. */
export function stepTo(editor: Editor, step: 1 | -1): Difference | undefined {
  const comparison = comparisonOf(editor).getState();
  if (!comparison) return undefined;
  const all = listed(comparison, editor.state.catalog);
  const at = all.findIndex(({ key }) => key === comparison.current);
  const from = at < 0 && step < 0 ? 0 : at;
  const next = all[(from + step + all.length) % Math.max(1, all.length)];
  if (next) void showDifference(editor, next);
  return next;
}

/** Mark a difference as the current one and move the view to it. */
export async function showDifference(editor: Editor, difference: Difference): Promise<void> {
  const store = comparisonOf(editor);
  change(store, { current: difference.key });
  const { whole, catalog } = editor.state;
  const place = placeOfDefinition(whole, catalog, difference.definition);
  if (place === undefined) return;
  if (!isShown(editor, difference.definition)) {
    await editor.enter(place);
    if (!(await canvasShown(editor))) return;
  }
  if (store.getState()?.current !== difference.key) return; // another one was chosen meanwhile
  const box = placeOnCanvas(editor, difference);
  const size = editor.canvas?.room();
  if (!box || !size || !editor.canvas) return;
  const zoom = Math.min(Math.max(editor.canvas.view().zoom, LEAST_ZOOM), MOST_ZOOM);
  editor.canvas.show(viewOf(box, freeRoom(size), zoom));
}

/** Move the view so far out that the list covers no difference; not if the view shows them all. */
function showAll(editor: Editor, difference: PipelineDifference): void {
  const { document, whole, place, catalog } = editor.state;
  const { nodes, ghosts } = marksAt(difference, whole, place, document, catalog);
  const boxes = document.nodes
    .filter(({ id }) => nodes.has(id))
    .map((node) => boxOf(node, catalog));
  const box = boxAround([...boxes, ...ghosts]);
  const { canvas } = editor;
  if (!box || !canvas) return;
  const [view, free] = [canvas.view(), freeRoom(canvas.room())];
  const left = box.x * view.zoom + view.x;
  const top = box.y * view.zoom + view.y;
  const isIn =
    left >= 0 &&
    top >= 0 &&
    left + box.width * view.zoom <= free.width &&
    top + box.height * view.zoom <= free.height;
  if (!isIn) canvas.show(viewOf(box, free, Math.min(view.zoom, MOST_ZOOM)));
}

/** True if the canvas shows the pipeline, or the inside of this sub-pipeline. */
function isShown({ state }: Editor, definition: string | null): boolean {
  const around = state.place ? definitionAt(state.whole, state.place)?.id : null;
  return around === definition;
}

async function canvasShown(editor: Editor): Promise<boolean> {
  for (let frame = 0; frame < MOST_FRAMES; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (editor.canvas) return true;
  }
  return false;
}

/** Return the box around the nodes of a difference on the canvas; undefined for settings. */
function placeOnCanvas(editor: Editor, { nodes }: Difference): Box | undefined {
  const { document, whole, place, catalog } = editor.state;
  const difference = comparisonOf(editor).getState()?.difference;
  if (!difference) return undefined;
  const { ghosts } = marksAt(difference, whole, place, document, catalog);
  const names = nodes.map((id) => (place ? `${place}/${id}` : id));
  return boxAround(
    names.flatMap((name) => {
      const node = findNode(document, name);
      const ghost = ghosts.find(({ id }) => id === name);
      return node ? [boxOf(node, catalog)] : ghost ? [ghost] : [];
    }),
  );
}

/** Return the part of a canvas that the list leaves free. */
function freeRoom({ width, height }: Size): Size {
  if (width >= ROOM_FOR_LIST) return { width: width - LIST_WIDTH, height };
  return { width, height: height * (1 - SHEET_SHARE) };
}

/** Return the view with a box in the middle of the free part, at this zoom if it fits. */
function viewOf(box: Box, free: Size, zoom: number): Viewport {
  const fitting = Math.min(
    free.width / (box.width + 2 * AROUND),
    free.height / (box.height + 2 * AROUND),
  );
  const used = Math.max(MIN_ZOOM, Math.min(zoom, fitting));
  return {
    x: free.width / 2 - (box.x + box.width / 2) * used,
    y: free.height / 2 - (box.y + box.height / 2) * used,
    zoom: used,
  };
}

function change(store: StoreApi<Comparison | null>, changes: Partial<Comparison>): void {
  const now = store.getState();
  if (now) store.setState({ ...now, ...changes }, true);
}
