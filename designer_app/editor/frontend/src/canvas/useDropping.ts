/** Dropping a module from the palette: on the canvas it is added, on a wire that fits it is inserted. */

import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

import { type Catalog, fits, inputOf, outputOf } from "../graph/catalog";
import { addedNodes, addNode, setParameter, startOf } from "../graph/edits";
import { NODE_WIDTH } from "../graph/layout/geometry";
import { endOf, findNode, linkAt } from "../graph/lookup";
import { makeRoom } from "../graph/layout/makeRoom";
import { insertOnLink } from "../graph/insertions";
import type { Endpoint, PipelineDocument, Position } from "../graph/types";
import { useEditor, useView } from "../view/context";
import { type Drag, type Placeable, speak } from "../view/viewStore";
import { isInside } from "./useCanvasHandle";
import { wireUnder } from "./edgeHitTest";
import { connectionDragStore } from "./connectionDrag";

/** The pointer holds a new node by its head. */
const GRIP = { x: NODE_WIDTH / 2, y: 19 };

export function useDropping(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const view = useView();
  const flow = useReactFlow();
  useEffect(() => {
    const linkUnder = (drag: Drag): string | null => {
      const { document, catalog } = editor.store.getState();
      const id = wireUnder(frame.current, drag);
      return id && fitsOn(document, catalog, drag.module, endOf(id)) ? id : null;
    };
    const stop = view.subscribe(({ drag }, before) => {
      if (drag === before.drag) return;
      const dropLink = drag ? linkUnder(drag) : null;
      if (dropLink !== connectionDragStore.getState().dropLink)
        connectionDragStore.setState({ dropLink });
    });
    const release = view.onDrop((drag) => {
      const box = frame.current?.getBoundingClientRect();
      if (!box || !isInside(drag, box)) return false;
      const link = linkUnder(drag);
      const point = flow.screenToFlowPosition({ x: drag.x, y: drag.y });
      const at = { x: Math.round(point.x - GRIP.x), y: Math.round(point.y - GRIP.y) };
      const done = editor.dispatch(
        (document, catalog) => placed(document, catalog, drag, at, link ? endOf(link) : null),
        { label: link ? `Insert ${drag.title}` : `Add ${drag.title}`, select: "added" },
      );
      speak(view, link ? `${drag.title} was inserted.` : `${drag.title} was added.`);
      editor.canvas?.focus();
      return done;
    });
    return () => {
      stop();
      release();
    };
  }, [editor, view, flow, frame]);
}

function placed(
  document: PipelineDocument,
  catalog: Catalog,
  what: Placeable,
  at: Position,
  on: Endpoint | null,
): PipelineDocument {
  const grown = on
    ? insertOnLink(document, catalog, what.module, on)
    : addNode(document, catalog, what.module, at.x, at.y, startOf(catalog, what.module));
  const [added] = addedNodes(document, grown);
  if (!added) return grown;
  const roomy = on ? makeRoom(grown, added) : grown;
  return Object.entries(what.parameters).reduce(
    (changed, [name, value]) => setParameter(changed, catalog, added, name, value),
    roomy,
  );
}

/** True where the module can stand on the wire: it takes what comes and gives what is needed. */
function fitsOn(document: PipelineDocument, catalog: Catalog, id: string, to: Endpoint): boolean {
  const module = catalog.byId.get(id);
  const link = linkAt(document, to);
  const source = link && catalog.byId.get(findNode(document, link.from.node)?.module ?? "");
  const target = link && catalog.byId.get(findNode(document, link.to.node)?.module ?? "");
  const output = link && source && outputOf(source, link.from.port);
  const input = link && target && inputOf(target, link.to.port);
  if (!module || !output || !input) return false;
  return (
    module.inputs.some((port) => fits(catalog, output.type, port.type)) &&
    module.outputs.some((port) => fits(catalog, port.type, input.type))
  );
}
