/** The canvas: React Flow over the document, with everything that happens by pointer. */

import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  MiniMap,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
} from "@xyflow/react";
import { type KeyboardEvent, type MouseEvent, type ReactElement, useRef, useState } from "react";

import { useEditor, useEditorState, useView } from "../parts/context";
import type { Menu } from "../parts/view";
import { selectIsEmpty, selectIsReadOnly, selectPane } from "../store/partSelectors";
import { EmptyCanvas } from "./EmptyCanvas";
import { noteName, partOf } from "./flow";
import { GroupNode } from "./GroupNode";
import { LooseWire } from "./LooseWire";
import { ModuleNode } from "./ModuleNode";
import { NoteNode } from "./NoteNode";
import { RefusalCard } from "./RefusalCard";
import { FIT, useCanvasHandle } from "./useCanvasHandle";
import { useConnecting } from "./useConnecting";
import { useDropping } from "./useDropping";
import { useFileDrop } from "./useFileDrop";
import { useFlow } from "./useFlow";
import { useFocus } from "./useFocus";
import { Wire } from "./Wire";
import { WireHint } from "./WireHint";
import { ZoomBar } from "./ZoomBar";

const NODE_TYPES: NodeTypes = { module: ModuleNode, note: NoteNode, "group-frame": GroupNode };
const EDGE_TYPES: EdgeTypes = { wire: Wire };
const GRID: [number, number] = [8, 8];
const WORDS = {
  "node.a11yDescription.default":
    "Press Enter for its settings, L to connect, Delete to remove it.",
  "edge.a11yDescription.default": "Press Delete to remove the wire.",
} as const;

export function Canvas(): ReactElement {
  return (
    <ReactFlowProvider>
      <Stage />
    </ReactFlowProvider>
  );
}

function Stage(): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const editor = useEditor();
  const flow = useFlow();
  const connecting = useConnecting();
  const files = useFileDrop();
  const pointer = usePointer();
  const isEmpty = useEditorState(selectIsEmpty);
  const frozen = useEditorState(selectIsReadOnly);
  const map = useEditorState(selectPane("minimap"));
  // React Flow would fit the first node that is added
  const [beganEmpty] = useState(isEmpty);
  useCanvasHandle(frame);
  useDropping(frame);
  useFocus(frame);
  return (
    <div
      ref={frame}
      className="pd-canvas"
      data-testid="canvas"
      role="application"
      aria-label="Canvas of the pipeline"
      tabIndex={-1}
      data-frozen={frozen || undefined}
      {...(frozen ? {} : files.handlers)}
      onDoubleClick={pointer.onDoubleClick}
      onKeyDown={pointer.onKeyDown}
    >
      <ReactFlow
        nodes={flow.nodes}
        edges={flow.edges}
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
        connectionLineComponent={LooseWire}
        connectionRadius={26}
        connectionDragThreshold={2}
        reconnectRadius={14}
        onPaneContextMenu={(event) => pointer.menu(event, "canvas")}
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
        fitView={!beganEmpty}
        fitViewOptions={FIT}
        minZoom={0.08}
        maxZoom={2.5}
        snapToGrid
        snapGrid={GRID}
        selectionMode={SelectionMode.Partial}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={["Shift", "Meta", "Control"]}
        deleteKeyCode={null}
        zoomOnDoubleClick={false}
        disableKeyboardA11y
        elevateNodesOnSelect={false}
        onlyRenderVisibleElements
        ariaLabelConfig={WORDS}
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1.6} />
        {map && !isEmpty && (
          <MiniMap
            pannable
            zoomable
            ariaLabel="Map of the pipeline"
            nodeColor="var(--line-strong)"
            style={{ width: 150, height: 96 }}
          />
        )}
        <WireHint />
      </ReactFlow>
      <ZoomBar />
      {isEmpty && <EmptyCanvas />}
      {files.isOver && (
        <div className="pd-drop">
          Drop a pipeline, its picture or a replay to open it, a zip or folder of images to train on
          it
        </div>
      )}
      <RefusalCard />
    </div>
  );
}

interface Pointer {
  readonly menu: (event: MouseEvent | globalThis.MouseEvent, on: Menu["on"]) => void;
  /** Selects what was pointed at, unless it is part of the selection. */
  readonly choose: (name: string) => void;
  readonly onPaneClick: () => void;
  readonly onDoubleClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function usePointer(): Pointer {
  const editor = useEditor();
  const view = useView();
  return {
    menu: (event, on) => {
      if (editor.state.readOnly) return;
      event.preventDefault();
      view.setState({ menu: { x: event.clientX, y: event.clientY, on } });
    },
    choose: (name) => {
      const { kind, id } = partOf(name);
      const { selection } = editor.store.getState();
      const part = `${kind}s` as const;
      if (selection[part].includes(id)) return;
      editor.select({ [part]: [id] });
    },
    onPaneClick: () => view.setState({ menu: null, refusal: null }),
    onDoubleClick: (event) => {
      const target = event.nativeEvent.composedPath()[0];
      if (!(target instanceof Element) || !target.classList.contains("react-flow__pane")) return;
      if (editor.state.readOnly) return;
      const at = editor.canvas?.pointer() ?? null;
      editor.openDialog({ kind: "module search", at, from: null });
    },
    onKeyDown: (event) => {
      const target = event.nativeEvent.composedPath()[0];
      const isNode = target instanceof Element && target.classList.contains("react-flow__node");
      const { nodes, notes } = editor.state.selection;
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !isNode) return;
      if (nodes.length + notes.length !== 1) return;
      event.preventDefault();
      if (notes[0] !== undefined) {
        editor.openDialog({ kind: "rename", node: noteName(notes[0]) });
        return;
      }
      editor.togglePane("settings", true);
      view.setState({ settingsTab: "settings", wantsSettings: true });
    },
  };
}
