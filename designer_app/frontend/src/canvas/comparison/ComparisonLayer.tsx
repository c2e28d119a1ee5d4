/** Marks of the differences from another pipeline, over the nodes: outlines with texts, removed nodes
 * and wires at their former positions. Everything else is quiet. */

import { type Node as FlowNode, type ReactFlowState, useStore, useStoreApi } from "@xyflow/react";
import { type ReactElement, type RefObject, useEffect, useMemo, useRef } from "react";
import { createPortal } from "react-dom";

import { groupOf } from "../../graph/annotations";
import { type Marks, type NodeMark, SIGNS, kindWords, marksAt } from "../../graph/differences";
import type { Box } from "../../graph/layout/geometry";
import { isBoundary } from "../../graph/paths";
import { t } from "../../graph/translate";
import type { PipelineDocument, Position } from "../../graph/types";
import { listed } from "../../store/comparison";
import type { Comparison } from "../../store/comparisonStore";
import { selectCatalog, selectDocument, selectPlace, selectWhole } from "../../store/selectors";
import { useEditorState } from "../../view/context";
import { groupName } from "../flowElements";

/** Texts on a mark; the list has all. */
const MOST_TEXTS = 2;
/** Marks are enlarged up to this factor while the view is small. */
const MOST_ENLARGED = 8;
const selectFrame = ({ domNode }: ReactFlowState): HTMLElement | null => domNode;
const selectNodes = ({ nodes }: ReactFlowState): readonly FlowNode[] => nodes;

interface Props {
  readonly comparison: Comparison;
}

export default function ComparisonLayer({ comparison }: Props): ReactElement | null {
  const catalog = useEditorState(selectCatalog);
  const whole = useEditorState(selectWhole);
  const place = useEditorState(selectPlace);
  const shown = useEditorState(selectDocument);
  const frame = useStore(selectFrame);
  const flowNodes = useStore(selectNodes);
  const layer = useFollowedView(frame);
  const { difference, showsMoved } = comparison;
  const marks = useMemo(
    () => difference && marksAt(difference, whole, place, shown, catalog),
    [difference, whole, place, shown, catalog],
  );
  const current = listed(comparison, catalog).find(({ key }) => key === comparison.current);
  if (!frame || !marks) return null;
  const currentNodes = new Set(current?.nodes.map((id) => (place ? `${place}/${id}` : id)));
  const boxes = new Map(flowNodes.map((node) => [node.id, boxOfFlow(node)]));
  const placed = [...marks.nodes]
    .filter(([, { kind }]) => showsMoved || kind !== "moved")
    .flatMap(([id, mark]) => {
      const box = boxes.get(id) ?? boxes.get(groupAround(shown, id));
      return box ? [{ id, mark, box }] : [];
    });
  const lively = placed.map(({ id }) => (boxes.has(id) ? id : groupAround(shown, id)));
  return createPortal(
    <>
      <style>{quietStyles(lively, marks.wires)}</style>
      <div ref={layer} className="pd-marks" aria-hidden data-testid="comparison-marks">
        <LostWires marks={marks} />
        {marks.ghosts.map(({ id, title, ...box }) => (
          <Mark
            key={`ghost ${id}`}
            id={id}
            mark={{ kind: "removed", texts: [] }}
            box={box}
            title={title}
            isCurrent={currentNodes.has(id)}
          />
        ))}
        {placed.map(({ id, mark, box }) => (
          <Mark key={id} id={id} mark={mark} box={box} isCurrent={currentNodes.has(id)} />
        ))}
      </div>
    </>,
    frame,
  );
}

/** Return the reference of a layer that moves with the view, without being rendered again. */
function useFollowedView(frame: HTMLElement | null): RefObject<HTMLDivElement | null> {
  const layer = useRef<HTMLDivElement>(null);
  const flow = useStoreApi();
  useEffect(() => {
    const follow = ({ transform: [x, y, zoom] }: Pick<ReactFlowState, "transform">): void => {
      const style = layer.current?.style;
      const enlarged = Math.min(MOST_ENLARGED, Math.max(1, 1 / zoom));
      style?.setProperty("transform", `translate(${x}px, ${y}px) scale(${zoom})`);
      style?.setProperty("--enlarged", enlarged.toFixed(2));
    };
    follow(flow.getState());
    return flow.subscribe(follow);
  }, [flow, frame]);
  return layer;
}

interface MarkProps {
  readonly id: string;
  readonly mark: NodeMark;
  readonly box: Box;
  /** Title of a node that is not on the canvas. */
  readonly title?: string;
  readonly isCurrent: boolean;
}

function Mark({ id, mark, box, title, isCurrent }: MarkProps): ReactElement {
  const { kind, texts } = mark;
  const rest = texts.length - MOST_TEXTS;
  const shown = texts.slice(0, MOST_TEXTS);
  return (
    <div
      className="pd-mark"
      data-kind={kind}
      data-current={isCurrent || undefined}
      data-testid={`mark-${id}`}
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
    >
      {title !== undefined && <span className="pd-mark-title">{title}</span>}
      <span className="pd-mark-words">
        <b>{SIGNS[kind]}</b>
        <span>
          {kind === "changed" || kind === "moved" ? shown.join(" · ") : kindWords(kind)}
          {rest > 0 && ` ${t("and {count:,} more", { count: rest })}`}
        </span>
      </span>
    </div>
  );
}

function LostWires({ marks }: { readonly marks: Marks }): ReactElement | null {
  if (marks.lostWires.length === 0) return null;
  return (
    <svg className="pd-lost-wires">
      {marks.lostWires.map(({ key, ends: [from, to] }) => (
        <path key={key} d={curve(from, to)} data-testid={`lost-wire-${key}`} />
      ))}
    </svg>
  );
}

function curve(from: Position, to: Position): string {
  const reach = Math.max(30, Math.abs(to.x - from.x) / 2);
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
}

function boxOfFlow({ position, width = 0, height = 0 }: FlowNode): Box {
  return { x: position.x, y: position.y, width, height };
}

/** Return the element of a collapsed group that hides a node. */
function groupAround(shown: PipelineDocument, id: string): string {
  const group = groupOf(shown, id);
  return group ? groupName(group.id) : "";
}

/** Opacities of nodes, and of wires and the overview, without a difference. */
const [QUIET, QUIET_WIRE] = [0.5, 0.3];

/** Return rules that make everything quiet but these nodes and wires. */
function quietStyles(nodes: readonly string[], wires: readonly string[]): string {
  const named = (ids: readonly string[]): string =>
    ids
      .filter((id) => !isBoundary(id))
      .map((id) => `[data-id="${CSS.escape(id)}"]`)
      .join(",") || ":not(*)";
  const lively = ":not(.selected, :hover, :focus-visible)";
  return `
    .react-flow__node${lively}:not(${named(nodes)}) { opacity: ${QUIET}; }
    .react-flow__edge${lively}:not(${named(wires)}) { opacity: ${QUIET_WIRE}; }
    .react-flow__edge:is(${named(wires)}) .pd-wire { stroke: var(--ok); stroke-width: 4px; }
    .pd-overview { opacity: ${QUIET_WIRE}; }
  `;
}
