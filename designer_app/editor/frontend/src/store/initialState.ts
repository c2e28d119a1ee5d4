/** The state of a pipeline that was just opened. */

import type { Catalog } from "../graph/catalog";
import type { ComputeTarget, PipelineDocument } from "../graph/types";
import { NOTHING, NO_HISTORY } from "./undoHistory";
import type { EditorState } from "./types";

interface Opened {
  readonly catalog: Catalog;
  readonly document: PipelineDocument;
  readonly revision: string;
  readonly targets?: readonly ComputeTarget[];
  readonly readOnly?: boolean;
}

const PANES = { palette: true, settings: true, problems: false, outline: false, minimap: true };

export function initialState(opened: Opened): EditorState {
  const { document, revision, catalog, targets = [], readOnly = false } = opened;
  return {
    pipelineId: document.id,
    readOnly,
    document,
    revision,
    catalog,
    targets,
    saveState: "saved",
    conflict: null,
    openElsewhere: false,
    problems: [],
    problemsByNode: {},
    selection: NOTHING,
    viewport: { x: 0, y: 0, zoom: 1 },
    history: NO_HISTORY,
    run: null,
    panes: PANES,
    dialog: null,
    notices: [],
  };
}
