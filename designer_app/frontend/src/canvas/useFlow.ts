/** Elements for React Flow, and its changes: selection at once, moves at the end of a drag. */

import {
  type Edge,
  type EdgeChange,
  type Node as FlowNode,
  type NodeChange,
  useStoreApi,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { changeNote } from "../graph/annotations";
import { moveNodes } from "../graph/edits";
import { titleOf } from "../graph/search";
import { findNode } from "../graph/lookup";
import type { PipelineDocument, Position } from "../graph/types";
import { carryWaypoints } from "../graph/waypoints";
import { importWithRetry } from "../ui/importWithRetry";
import { useEditor, useEditorState } from "../view/context";
import { selectCatalog, selectDocument, selectSelection } from "../store/selectors";
import type { EditorState, Selection } from "../store/types";
import { selectIsOverview } from "./levelOfDetail";
import { clearGuides, inLine } from "./alignment";
import { flowEdges, flowNodes, groupName, type Moved, type Scene, partOf } from "./flowElements";
import { type Router, routedEdges } from "./routedEdges";
import { type AnimatedMove, useAnimatedMove } from "./useAnimatedMove";
import { t } from "../graph/translate";

export interface Flow {
  readonly nodes: FlowNode[];
  readonly edges: Edge[];
  readonly onNodesChange: (changes: NodeChange[]) => void;
  readonly onEdgesChange: (changes: EdgeChange[]) => void;
  readonly onDragStop: () => void;
  readonly glide: AnimatedMove;
}

const NOWHERE: Moved = new Map();

export function useFlow(): Flow {
  const editor = useEditor();
  const flow = useStoreApi();
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const selection = useEditorState(selectSelection);
  const [moved, setMoved] = useState<Moved>(NOWHERE);
  const newest = useRef<Moved>(NOWHERE);
  const scene = useMemo<Scene>(
    () => ({ document, catalog, selection, moved }),
    [document, catalog, selection, moved],
  );
  const nodes = useMemo(() => flowNodes(scene), [scene]);
  const plain = useMemo(
    () => flowEdges({ document, catalog, selection, moved: NOWHERE }),
    [document, catalog, selection],
  );
  const router = useRouter();
  const edges = useMemo(() => routedEdges(nodes, plain, router), [nodes, plain, router]);
  const onNodesChange = useCallback(
    (changes: NodeChange[]) => {
      const chosen = withChoices(editor.store.getState().selection, changes);
      const boxing =
        flow.getState().userSelectionRect !== null && selectIsOverview(flow.getState());
      if (chosen) editor.select(boxing ? { ...chosen, links: wiresOf(chosen, edges) } : chosen);
      const { document: now } = editor.store.getState();
      newest.current = withMoves(newest.current, inLine(changes, nodes), now, nodes);
      setMoved(newest.current);
    },
    [editor, nodes, edges, flow],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange[]) => {
      const { selection: before } = editor.store.getState();
      const links = new Set(before.links);
      const choices = changes.filter((change) => change.type === "select");
      for (const { id, selected } of choices) {
        if (selected) links.add(id);
        else links.delete(id);
      }
      if (choices.length > 0) editor.select({ ...before, links: [...links] });
    },
    [editor],
  );
  const onDragStop = useCallback(() => {
    if (newest.current.size > 0) keepMoves(editor, newest.current);
    newest.current = NOWHERE;
    setMoved(NOWHERE);
    clearGuides();
  }, [editor]);
  const glide = useAnimatedMove(setMoved);
  return { nodes, edges, onNodesChange, onEdgesChange, onDragStop, glide };
}

// Started early, so that it is loaded together with the pipeline
const layout = importWithRetry(() => import("../graph/layout/wireRouter"));
let loaded: Router | null = null;
void layout.then((router) => {
  loaded = router;
});

/** Return the wire router; null until it is loaded. */
/** Return the edges between nodes, which are where they will be after an animation. */
export function routedNow(nodes: readonly FlowNode[], state: EditorState): readonly Edge[] {
  return routedEdges(nodes, flowEdges({ ...state, moved: NOWHERE }), loaded);
}

function useRouter(): Router | null {
  const [router, setRouter] = useState(() => loaded);
  useEffect(() => {
    if (!router) void layout.then(setRouter);
  }, [router]);
  return router;
}

/** Return the selection after React Flow's changes; undefined if there are none. */
function withChoices(
  before: Selection,
  changes: readonly NodeChange[],
): Partial<Selection> | undefined {
  const choices = changes.filter((change) => change.type === "select");
  if (choices.length === 0) return undefined;
  const chosen = {
    node: new Set(before.nodes),
    note: new Set(before.notes),
    group: new Set(before.groups),
  };
  for (const choice of choices) {
    const { kind, id } = partOf(choice.id);
    if (choice.selected) chosen[kind].add(id);
    else chosen[kind].delete(id);
  }
  return {
    links: before.links,
    nodes: [...chosen.node],
    notes: [...chosen.note],
    groups: [...chosen.group],
  };
}

/** Return the wires at selected nodes: React Flow itself adds them to a selection box. */
function wiresOf(chosen: Partial<Selection>, edges: readonly Edge[]): readonly string[] {
  const ends = new Set([...(chosen.nodes ?? []), ...(chosen.groups ?? []).map(groupName)]);
  return edges.filter(({ source, target }) => ends.has(source) || ends.has(target)).map(idOf);
}

const idOf = ({ id }: Edge): string => id;

/** Return current positions; a group frame moves its nodes. */
function withMoves(
  before: Moved,
  changes: readonly NodeChange[],
  document: PipelineDocument,
  nodes: readonly FlowNode[],
): Moved {
  const moves = changes.filter((change) => change.type === "position" && change.position);
  if (moves.length === 0) return before;
  const moved = new Map(before);
  for (const move of moves) {
    if (move.type !== "position" || !move.position) continue;
    const { kind, id } = partOf(move.id);
    if (kind === "group") moveGroup(moved, id, move.position, document, nodes);
    else moved.set(move.id, move.position);
  }
  return moved;
}

function moveGroup(
  moved: Map<string, Position>,
  id: string,
  to: Position,
  document: PipelineDocument,
  nodes: readonly FlowNode[],
): void {
  const frame = nodes.find((node) => node.id === groupName(id));
  const group = document.groups.find((group) => group.id === id);
  if (!frame || !group) return;
  const [dx, dy] = [to.x - frame.position.x, to.y - frame.position.y];
  for (const member of group.nodes) {
    const place = moved.get(member) ?? findNode(document, member)?.position;
    if (place) moved.set(member, { x: place.x + dx, y: place.y + dy });
  }
}

/** Store a finished drag in the document, as one undo step. */
function keepMoves(editor: ReturnType<typeof useEditor>, places: Moved): void {
  const { document: before, catalog } = editor.store.getState();
  const nodes = new Map([...places].filter(([name]) => partOf(name).kind === "node").map(rounded));
  const notes = [...places].filter(([name]) => partOf(name).kind === "note").map(rounded);
  const first = findNode(before, [...nodes.keys()][0] ?? "");
  const moved =
    nodes.size === 1 && first
      ? titleOf(first, catalog)
      : nodes.size
        ? t("{count:,} {count:node|nodes}", { count: nodes.size })
        : t("{count:,} {count:note|notes}", { count: notes.length });
  editor.dispatch(
    (document) =>
      notes.reduce(
        (changed, [name, position]) => changeNote(changed, partOf(name).id, { position }),
        carryWaypoints(moveNodes(document, nodes), shifts(document, nodes)),
      ),
    { label: t("Move {moved}", { moved }) },
  );
}

/** Displacement of each node. */
function shifts(document: PipelineDocument, places: Moved): Moved {
  return new Map(
    [...places].flatMap(([id, place]) => {
      const before = findNode(document, id)?.position;
      return before ? [[id, { x: place.x - before.x, y: place.y - before.y }] as const] : [];
    }),
  );
}

function rounded([name, place]: readonly [string, Position]): [string, Position] {
  return [name, { x: Math.round(place.x), y: Math.round(place.y) }];
}
