/** Interface of an open pipeline for its parts; the editor implements it, and they do not import
 * it. */

import type { StoreApi } from "zustand/vanilla";

import type { Api } from "../api/client";
import type { CodeWriting } from "./codeWriting";
import type { Drafts } from "./drafts";
import type { EditorState, Notice, NoticeAction } from "./types";

export interface EditorContext {
  readonly store: StoreApi<EditorState>;
  readonly api: Api;
  /** Id of the pipeline. */
  readonly id: string;
  readonly drafts: Drafts;
  readonly code: CodeWriting;
  notify(message: string, kind?: Notice["kind"], action?: NoticeAction | null): number;
  notifyError(error: unknown): void;
  /** Save immediately; resolves to true once the server has stored everything. */
  flush(): Promise<boolean>;
}
