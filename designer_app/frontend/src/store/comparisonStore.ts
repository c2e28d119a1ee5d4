/** Store of the comparison of an editor's pipeline with another one; its actions are loaded later. */

import { type StoreApi, createStore } from "zustand/vanilla";

import type { ApiError } from "../api/client";
import type { PipelineDifference, PipelineDocument } from "../graph/types";
import type { Editor } from "./editor";

export interface Baseline {
  /** `pipeline:ID@REVISION`, `published:NAME@VERSION` or `run:ID`. */
  readonly reference: string;
  /** Name shown to the user: "Version 3". */
  readonly label: string;
}

export interface Comparison extends Baseline {
  /** Null until the server has responded. */
  readonly difference: PipelineDifference | null;
  /** Document that was compared. */
  readonly compared: PipelineDocument | null;
  readonly error: ApiError | null;
  /** Key of the difference that is shown; null before the first step. */
  readonly current: string | null;
  /** True if the list contains nodes that only moved. */
  readonly showsMoved: boolean;
}

const stores = new WeakMap<Editor, StoreApi<Comparison | null>>();

/** Return the store of the comparison of an editor; its state is null while nothing is compared. */
export function comparisonOf(editor: Editor): StoreApi<Comparison | null> {
  const known = stores.get(editor) ?? createStore<Comparison | null>(() => null);
  stores.set(editor, known);
  return known;
}
