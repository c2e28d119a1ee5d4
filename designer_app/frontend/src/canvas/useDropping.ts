/** Dropping a module from the palette: on the canvas it is added, on a compatible wire inserted. */

import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

import { type Catalog, fits, inputOf, outputOf } from "../graph/catalog";
import { addedNodes, addNode, setParameter, startOf } from "../graph/edits";
import { NODE_WIDTH } from "../graph/layout/geometry";
import { endOf, findNode, linkAt } from "../graph/lookup";
import type { Endpoint, PipelineDocument } from "../graph/types";
import { importWithRetry } from "../ui/importWithRetry";
import { useEditor, useView } from "../view/context";
import { type Drag, type Placeable, speak } from "../view/viewStore";
import { isInside } from "./useCanvasHandle";
import { wireUnder } from "./edgeHitTest";
import { connectionDragStore } from "./connectionDrag";
import { t } from "../graph/translate";

/** The pointer holds a new node by its title. */
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
      const place = (grow: Edit, label: string, done: string): boolean => {
        const edit: Edit = (document, catalog) => withValues(document, catalog, grow, drag);
        const isDone = editor.dispatch(edit, { label, select: "added" });
        speak(view, done);
        editor.canvas?.focus();
        return isDone;
      };
      if (link) {
        void importWithRetry(() => import("./later")).then(({ insertDropped }) =>
          place(
            (...now) => insertDropped(...now, drag.module, endOf(link)),
            t("Insert {title}", drag),
            t("{title} was inserted.", drag),
          ),
        );
        return true;
      }
      return place(
        (...now) => addNode(...now, drag.module, at.x, at.y, startOf(now[1], drag.module)),
        t("Add {title}", drag),
        t("{title} was added.", drag),
      );
    });
    return () => {
      stop();
      release();
    };
  }, [editor, view, flow, frame]);
}

type Edit = (document: PipelineDocument, catalog: Catalog) => PipelineDocument;

/** Set the parameters of a dragged item on the added node. */
function withValues(
  document: PipelineDocument,
  catalog: Catalog,
  grow: Edit,
  { parameters }: Placeable,
): PipelineDocument {
  const grown = grow(document, catalog);
  const [added] = addedNodes(document, grown);
  if (!added) return grown;
  return Object.entries(parameters).reduce(
    (changed, [name, value]) => setParameter(changed, catalog, added, name, value),
    grown,
  );
}

/** True if the module fits on the wire: it accepts the source and produces what the target
 * needs. */
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
