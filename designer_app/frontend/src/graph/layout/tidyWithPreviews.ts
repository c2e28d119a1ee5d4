/** Tidy up with space for previews below nodes, if all nodes stay readable. */

import type { Catalog } from "../catalog";
import { nodesById } from "../lookup";
import { previewedType } from "../previewedType";
import type { PipelineDocument, Size } from "../types";
import type { Places } from "./align";
import { type Sizes, USUAL_SIZE } from "./boxes";
import { scaleOf } from "./fold";
import { READABLE_ZOOM, boxAround } from "./geometry";
import { PREVIEW_ROOM } from "./previewRoom";
import { type Wanted, tidy } from "./tidy";

/** Tidy up as `tidy` does; without space for previews if there are none, or if nodes would be too
 * small. */
export async function tidyWithPreviews(
  document: PipelineDocument,
  catalog: Catalog,
  sizes: Sizes,
  wanted: Wanted & { readonly previews: boolean },
): Promise<Places> {
  if (!wanted.previews) return tidy(document, catalog, sizes, wanted);
  const taller = withPictures(document, catalog, sizes);
  const places = await tidy(document, catalog, taller, wanted);
  const { room } = wanted;
  if (!room || scaleOf(extentOf(places, taller), room) >= READABLE_ZOOM) return places;
  return tidy(document, catalog, sizes, wanted);
}

function withPictures(document: PipelineDocument, catalog: Catalog, sizes: Sizes): Sizes {
  return new Map(
    [...nodesById(document).values()].map((node) => {
      const { width, height } = sizes.get(node.id) ?? USUAL_SIZE;
      const pictures = previewedType(node, catalog.byId.get(node.module)) ? PREVIEW_ROOM : 0;
      return [node.id, { width, height: height + pictures }];
    }),
  );
}

function extentOf(places: Places, sizes: Sizes): Size {
  const boxes = [...places].map(([id, place]) => ({ ...place, ...(sizes.get(id) ?? USUAL_SIZE) }));
  return boxAround(boxes) ?? { width: 0, height: 0 };
}
