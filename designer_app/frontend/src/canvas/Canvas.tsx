/** Canvas: React Flow over the document, with all pointer interaction. */

import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  MiniMap,
  type Node as FlowNode,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore,
} from "@xyflow/react";
import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  Suspense,
  useMemo,
  useRef,
  useState,
} from "react";
import { useStore as useZustand } from "zustand";

import { perform } from "../commands/registry";
import { definitionOf } from "../graph/definitions";
import { findNode } from "../graph/lookup";
import { useEditor, useEditorState, useView } from "../view/context";
import { importWithRetry } from "../ui/importWithRetry";
import type { Menu } from "../view/viewStore";
import type { Size } from "../graph/types";
import type { Editor } from "../store/editor";
import { selectIsEmpty, selectIsReadOnly, selectPane, selectPlace } from "../store/selectors";
import { REACH, selectFarReach, selectNearReach } from "./levelOfDetail";
import { noteName, partOf } from "./flowElements";
import { BoundaryNode, CanvasExtras, CanvasStyles, GroupNode, NoteNode } from "./laterParts";
import { ConnectionLine } from "./ConnectionLine";
import { ModuleNode } from "./ModuleNode";
import { useCanvasHandle } from "./useCanvasHandle";
import { useConnecting } from "./useConnecting";
import { LevelOfDetailContext, useLevelOfDetailStore } from "./useLevelOfDetail";
import { useDropping } from "./useDropping";
import { useFileDrop } from "./useFileDrop";
import { useFlow } from "./useFlow";
import { useFocus } from "./useFocus";
import { useLongPress } from "./useLongPress";
import { useOutputClick } from "./useOutputClick";
import { useInitialViewport } from "./useInitialViewport";
import { useScreenPixels } from "./useScreenPixels";
import { useBrowserIdle } from "./useBrowserIdle";
import { Wire } from "./Wire";
import { chooseFocusedWire } from "./edgeKeyboard";
import { wireUnder } from "./edgeHitTest";
import { ZoomBar } from "./ZoomBar";
import { t } from "../graph/translate";

// a constant array: React Flow adds listeners for each new one, and forgets pressed keys
const ADDING_KEYS = ["Shift", "Meta", "Control"];
// started early: a large pipeline needs it for its first paint
const overview = importWithRetry(() => import("./overview/OverviewLayer"));
const OverviewLayer = lazy(async () => ({ default: (await overview).OverviewLayer }));

const NODE_TYPES: NodeTypes = {
  module: ModuleNode,
  note: NoteNode,
  "group-frame": GroupNode,
  boundary: BoundaryNode,
};
const EDGE_TYPES: EdgeTypes = { wire: Wire };
const GRID: [number, number] = [8, 8];
const WORDS = {
  "node.a11yDescription.default": t(
    "Press Enter for settings, L to connect, W to select wires, Delete to remove the node.",
  ),
  "edge.a11yDescription.default": t("Press Enter to select the wire, Delete to remove it."),
} as const;

interface Props {
  /** True on a page that scrolls: the wheel scrolls it, and zooms with Ctrl. */
  readonly inPage?: boolean;
}

/** One canvas for each place, so that the inside of a sub-pipeline keeps its own view. */
export function Canvas({ inPage = false }: Props): ReactElement {
  const place = useEditorState(selectPlace);
  return <Measured key={place} inPage={inPage} />;
}

function Measured({ inPage }: Required<Props>): ReactElement {
  const [size, setSize] = useState<Size | null>(null);
  if (!size) {
    const measure = (frame: HTMLElement | null): void => {
      if (frame) setSize({ width: frame.clientWidth, height: frame.clientHeight });
    };
    return <div className="pd-canvas" ref={measure} />;
  }
  return (
    <ReactFlowProvider>
      <Stage size={size} inPage={inPage} />
    </ReactFlowProvider>
  );
}

interface StageProps extends Required<Props> {
  /** Size of the canvas, so that the first view does not move. */
  readonly size: Size;
}

function Stage({ size, inPage }: StageProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const editor = useEditor();
  const flow = useFlow();
  const viewport = useInitialViewport(flow, size, editor.placing.views.get(editor.state.place));
  const connecting = useConnecting();
  const files = useFileDrop();
  const looking = useOutputClick();
  const pointer = usePointer(frame);
  const details = useLevelOfDetailStore(frame);
  const detail = useZustand(details);
  const isOverview = detail === "overview";
  const reach = useStore(detail === "near" ? selectNearReach : selectFarReach);
  const edges = useMemo(
    () => (isOverview ? flow.edges.filter(({ selected }) => selected) : flow.edges),
    [flow.edges, isOverview],
  );
  const isEmpty = useEditorState(selectIsEmpty);
  const frozen = useEditorState(selectIsReadOnly);
  const map = useEditorState(selectPane("minimap"));
  const settled = useBrowserIdle();
  useCanvasHandle(frame, flow.glide);
  useDropping(frame);
  useScreenPixels(frame);
  useFocus(frame);
  useLongPress(frame);
  return (
    <LevelOfDetailContext value={details}>
      <div
        ref={frame}
        className="pd-canvas"
        data-testid="canvas"
        data-region
        role="application"
        aria-label={t("Pipeline canvas")}
        tabIndex={-1}
        data-frozen={frozen || undefined}
        style={{ "--knob": `${reach === REACH ? 0 : reach}px` } as CSSProperties}
        {...(frozen ? {} : files.handlers)}
        {...looking}
        onDoubleClick={pointer.onDoubleClick}
        onKeyDown={pointer.onKeyDown}
      >
        <ReactFlow
          nodes={flow.nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={flow.onNodesChange}
          onEdgesChange={flow.onEdgesChange}
          onNodeDragStop={flow.onDragStop}
          onSelectionDragStop={flow.onDragStop}
          {...connecting}
          nodesDraggable={!frozen}
          nodesConnectable={!frozen}
          edgesReconnectable={!frozen}
          connectionLineComponent={ConnectionLine}
          connectionRadius={26}
          connectionDragThreshold={2}
          reconnectRadius={reach}
          onPaneContextMenu={pointer.onPaneContextMenu}
          onNodeClick={(event, node) => pointer.onNodeClick(event, node.id)}
          onNodeContextMenu={(event, node) => {
            pointer.choose(node.id);
            pointer.menu(event, partOf(node.id).kind);
          }}
          onEdgeContextMenu={(event, edge) => {
            editor.select({ links: [edge.id] });
            pointer.menu(event, "link");
          }}
          onSelectionContextMenu={(event) => pointer.menu(event, "node")}
          onMoveEnd={(_event, viewport) => editor.setViewport(viewport)}
          onPaneClick={pointer.onPaneClick}
          defaultViewport={viewport}
          minZoom={0.08}
          maxZoom={2.5}
          snapToGrid
          snapGrid={GRID}
          selectionMode={SelectionMode.Partial}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={ADDING_KEYS}
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          zoomOnScroll={!inPage}
          preventScrolling={!inPage}
          disableKeyboardA11y
          elevateNodesOnSelect={false}
          onlyRenderVisibleElements={!isOverview}
          ariaLabelConfig={WORDS}
        >
          {isOverview ? (
            <Suspense fallback={null}>
              <OverviewLayer nodes={flow.nodes} edges={flow.edges} />
            </Suspense>
          ) : (
            <Background variant={BackgroundVariant.Dots} gap={20} size={1.6} />
          )}
          {map && settled && !isEmpty && (
            <MiniMap
              pannable
              zoomable
              ariaLabel={t("Minimap")}
              nodeColor={mapColour}
              style={{ width: 150, height: 96 }}
            />
          )}
        </ReactFlow>
        <ZoomBar />
        <CanvasStyles />
        <CanvasExtras frame={frame} isFileOver={files.isOver} />
      </div>
    </LevelOfDetailContext>
  );
}

/** Color in the minimap: a group is lighter than the nodes on it. */
function mapColour({ type }: FlowNode): string {
  return type === "group-frame" ? "var(--line)" : "var(--control-line)";
}

/** Open a sub-pipeline; false for another node. */
function openInside(editor: Editor, id: string): boolean {
  const module = findNode(editor.state.document, id)?.module ?? "";
  return (
    definitionOf(editor.state.document, module) !== undefined &&
    perform(editor, "open-sub-pipeline", { node: id })
  );
}

interface Pointer {
  readonly menu: (event: MouseEvent | globalThis.MouseEvent, on: Menu["on"]) => void;
  /** Select the clicked element, unless it is part of the selection. */
  readonly choose: (name: string) => void;
  /** Select only this one of several selected elements. */
  readonly onNodeClick: (event: MouseEvent, name: string) => void;
  readonly onPaneClick: (event: MouseEvent) => void;
  readonly onPaneContextMenu: (event: MouseEvent | globalThis.MouseEvent) => void;
  readonly onDoubleClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function usePointer(frame: RefObject<HTMLElement | null>): Pointer {
  const editor = useEditor();
  const view = useView();
  const menu: Pointer["menu"] = (event, on) => {
    if (editor.state.readOnly) return;
    event.preventDefault();
    view.setState({ menu: { x: event.clientX, y: event.clientY, on } });
  };
  const wireAt = (event: MouseEvent | globalThis.MouseEvent): string | null =>
    wireUnder(frame.current, { x: event.clientX, y: event.clientY });
  return {
    menu,
    choose: (name) => {
      const { kind, id } = partOf(name);
      const { selection } = editor.store.getState();
      const part = `${kind}s` as const;
      if (selection[part].includes(id)) return;
      editor.select({ [part]: [id] });
    },
    onNodeClick: ({ shiftKey, ctrlKey, metaKey }, name) => {
      const { kind, id } = partOf(name);
      if (!shiftKey && !ctrlKey && !metaKey) editor.select({ [`${kind}s`]: [id] });
    },
    onPaneClick: (event) => {
      view.setState({ menu: null, refusal: null });
      const wire = wireAt(event);
      // React Flow first deselects the previous selection
      if (wire) queueMicrotask(() => editor.select({ links: [wire] }));
    },
    onPaneContextMenu: (event) => {
      const wire = wireAt(event);
      if (wire) editor.select({ links: [wire] });
      menu(event, wire ? "link" : "canvas");
    },
    onDoubleClick: (event) => {
      const target = event.nativeEvent.composedPath()[0];
      if (!(target instanceof Element)) return;
      const id = target.closest<HTMLElement>(".react-flow__node")?.dataset["id"];
      if (id !== undefined && openInside(editor, id)) return;
      if (editor.state.readOnly) return;
      const wire = wireAt(event);
      if (wire) {
        void importWithRetry(() => import("./later")).then((parts) =>
          parts.leadThrough(editor, wire),
        );
        return;
      }
      if (!target.classList.contains("react-flow__pane")) return;
      const at = editor.canvas?.pointer() ?? null;
      editor.openDialog({ kind: "module search", at, from: null });
    },
    onKeyDown: (event) => {
      if (chooseFocusedWire(editor, event.nativeEvent)) return;
      const target = event.nativeEvent.composedPath()[0];
      // the canvas itself has the focus until the selected node is rendered
      const isOurs =
        target === event.currentTarget ||
        (target instanceof Element && target.classList.contains("react-flow__node"));
      const { nodes, notes } = editor.state.selection;
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !isOurs) return;
      if (nodes.length === 0 && notes.length !== 1) return;
      event.preventDefault();
      const [node, second] = nodes;
      if (node !== undefined && second === undefined && openInside(editor, node)) return;
      if (node === undefined) {
        editor.openDialog({ kind: "rename", node: noteName(notes[0] ?? "") });
        return;
      }
      editor.togglePane("settings", true);
      view.setState({ settingsTab: "settings", wantsSettings: true });
    },
  };
}
