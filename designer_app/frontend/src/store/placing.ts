/** Place of the canvas: the pipeline or the inside of a sub-pipeline, and the document shown
 * there. */

import { noAnswer } from "../api/client";
import type { Catalog } from "../graph/catalog";
import { withOwnModules } from "../graph/ownModules";
import type * as Places from "../graph/places";
import type { PipelineDocument, Size } from "../graph/types";
import type { EditorState, Viewport } from "./types";
import type { Shown } from "./undoHistory";

export class Placing {
  /** Last view of each place that was left. */
  readonly views = new Map<string, Viewport>();
  /** Size of the canvas when a place was last entered, which determines the positions of its
   * ports. */
  private room: Size | undefined;
  /** Module for the inside of sub-pipelines, loaded when the first is opened. */
  private places: typeof Places | null = null;

  /** Load a place before it is entered on a canvas of this size; throws `ApiError` if it is not
   * available. */
  async load(room?: Size): Promise<void> {
    this.room = room;
    if (this.places) return;
    const places = await import("../graph/places").catch(() => null);
    if (!places) throw noAnswer();
    this.places = places;
  }

  /** Part of a document that is shown at a place, or at its nearest existing parent. */
  look(state: EditorState, whole: PipelineDocument, wanted: string): Shown {
    const { places, room } = this;
    const place = places?.nearestPlace(whole, wanted) ?? "";
    const shownOf =
      place === state.place
        ? state.shownOf
        : (other: PipelineDocument) => places?.shownAt(other, place, room) ?? other;
    return { whole, place, document: shownOf(whole), shownOf };
  }

  /** Return the whole document after an edit of the shown part. */
  kept({ whole, place }: EditorState, after: PipelineDocument): PipelineDocument {
    return this.places?.keptAt(whole, place, after) ?? after;
  }

  /** Return the modules available at a place. */
  catalog(offered: Catalog, { whole, place }: EditorState): Catalog {
    return this.places?.catalogAt(offered, whole, place) ?? withOwnModules(offered, whole);
  }
}
