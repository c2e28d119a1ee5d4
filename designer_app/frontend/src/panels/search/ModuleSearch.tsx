/** Search of a module at the pointer; after a wire was dropped, only compatible ones. */

import type { ReactElement } from "react";

import {
  type Catalog,
  inputOf,
  modulesThatGive,
  modulesThatTake,
  outputOf,
} from "../../graph/catalog";
import { addedNodes, addNode, startOf, connect } from "../../graph/edits";
import { findNode } from "../../graph/lookup";
import { linkablePorts } from "../../graph/connections";
import { searchModules } from "../../graph/search";
import type { ModuleSpec, PipelineDocument, Position } from "../../graph/types";
import { addAtCentre, addBeside, freePlace } from "../../commands/addNode";
import { useEditor, useEditorState, useRoot } from "../../view/context";
import { ModuleIcon } from "../../ui/ModuleIcon";
import { selectCatalog, selectDocument, selectOnlyNode } from "../../store/selectors";
import type { LinkStart, Viewport } from "../../store/types";
import { Finder } from "./Finder";
import { t } from "../../graph/translate";

interface Props {
  readonly at: Position | null;
  readonly from: LinkStart | null;
}

export function ModuleSearch({ at, from }: Props): ReactElement {
  const editor = useEditor();
  const root = useRoot();
  const catalog = useEditorState(selectCatalog);
  const document = useEditorState(selectDocument);
  const among = from ? fitting(document, catalog, from) : catalog.modules;
  const choose = (id: string): void => {
    const module = catalog.byId.get(id);
    editor.closeDialog();
    if (!module) return;
    const beside = from ? undefined : selectOnlyNode(editor.state);
    if (beside) {
      addBeside(editor, beside, module);
      return;
    }
    if (!at) {
      addAtCentre(editor, { module: id, title: module.title, parameters: {} });
      return;
    }
    const place = freePlace(editor, at);
    const label = from
      ? t("Add and connect {title}", { title: module.title })
      : t("Add {title}", { title: module.title });
    editor.dispatch((d, c) => addedAt(d, c, id, place, from), { label, select: "added" });
  };
  return (
    <Finder
      label={from ? t("Add a compatible module") : t("Add a module")}
      placeholder={from ? t("Compatible modules") : t("Search modules")}
      testId="module-search"
      at={at && onScreen(root, at, editor.state.viewport)}
      find={(query) =>
        searchModules(catalog, query, among).map((module) => ({
          id: module.id,
          title: module.title,
          detail: module.summary,
          icon: <ModuleIcon module={module} catalog={catalog} />,
        }))
      }
      onChoose={choose}
      onClose={() => editor.closeDialog()}
      nothing={
        from ? t("No compatible module has that name.") : t("No modules found. Try other words.")
      }
    />
  );
}

/** Return the modules with a port that is compatible with the wire. */
function fitting(
  document: PipelineDocument,
  catalog: Catalog,
  from: LinkStart,
): readonly ModuleSpec[] {
  const module = catalog.byId.get(findNode(document, from.end.node)?.module ?? "");
  if (!module) return catalog.modules;
  const port =
    from.side === "output" ? outputOf(module, from.end.port) : inputOf(module, from.end.port);
  if (!port) return catalog.modules;
  return from.side === "output"
    ? modulesThatTake(catalog, port.type)
    : modulesThatGive(catalog, port.type);
}

function addedAt(
  document: PipelineDocument,
  catalog: Catalog,
  module: string,
  at: Position,
  from: LinkStart | null,
): PipelineDocument {
  const [x, y] = [Math.round(at.x), Math.round(at.y)];
  const grown = addNode(document, catalog, module, x, y, startOf(catalog, module));
  const [added] = addedNodes(document, grown);
  if (!from || !added) return grown;
  const port = linkablePorts(grown, catalog, from.end, from.side).find((end) => end.node === added);
  if (!port) return grown;
  return from.side === "output"
    ? connect(grown, catalog, from.end, port)
    : connect(grown, catalog, port, from.end);
}

/** Convert pixels of the document to pixels of the window. */
function onScreen(
  root: HTMLElement,
  at: Position,
  viewport: Viewport,
): { x: number; y: number } | null {
  const canvas = root.querySelector('[data-testid="canvas"]')?.getBoundingClientRect();
  if (!canvas) return null;
  return {
    x: canvas.left + at.x * viewport.zoom + viewport.x,
    y: canvas.top + at.y * viewport.zoom + viewport.y,
  };
}
