/** Initial state of an opened pipeline. */

import type { Catalog } from "../graph/catalog";
import { withOwnModules } from "../graph/ownModules";
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

const PANES = {
  palette: true,
  settings: false,
  problems: false,
  outline: false,
  previews: true,
};
/** Number of nodes below which no map is shown: it would cover some of them. */
const MAPPED = 20;

export function initialState(opened: Opened): EditorState {
  const { document, revision, catalog, targets = [], readOnly = false } = opened;
  return {
    pipelineId: document.id,
    readOnly,
    document,
    whole: document,
    place: "",
    shownOf: (whole) => whole,
    revision,
    catalog: withOwnModules(catalog, document),
    targets,
    saveState: "saved",
    conflict: null,
    openElsewhere: false,
    problems: [],
    problemsByNode: {},
    verdict: readOnly ? "current" : "stale",
    selection: NOTHING,
    viewport: { x: 0, y: 0, zoom: 1 },
    history: NO_HISTORY,
    run: null,
    panes: { ...PANES, minimap: document.nodes.length >= MAPPED },
    dialog: null,
    notices: [],
  };
}
