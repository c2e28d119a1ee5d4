/** Graph as PNG, rendered by the browser from the SVG; it contains the pipeline like the SVG. */

import type { Sizes } from "../graph/layout/boxes";
import type { Catalog } from "../graph/catalog";
import { LIGHT, drawSvg } from "../export/svg";
import { withText } from "../export/png";
import type { PipelineDocument } from "../graph/types";
import { t } from "../graph/translate";

const MAX_SIDE = 8000;

export function svgBlob(document: PipelineDocument, catalog: Catalog, sizes: Sizes): Blob {
  return new Blob([drawSvg(document, catalog, LIGHT, sizes)], { type: "image/svg+xml" });
}

export async function pngBlob(
  document: PipelineDocument,
  catalog: Catalog,
  sizes: Sizes,
  scale = 2,
): Promise<Blob> {
  const address = URL.createObjectURL(svgBlob(document, catalog, sizes));
  try {
    const drawn = await rendered(address, scale);
    const bytes = new Uint8Array(await drawn.arrayBuffer());
    const carrying = withText(bytes, JSON.stringify(document));
    return new Blob([carrying as Uint8Array<ArrayBuffer>], { type: "image/png" });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Render an image at a scale as PNG. */
export async function rendered(address: string, scale: number): Promise<Blob> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const fitting = Math.min(scale, MAX_SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * fitting));
  canvas.height = Math.max(1, Math.round(image.height * fitting));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error(t("The browser could not render the image. Export as SVG instead.")));
    }, "image/png");
  });
}
