/** Charts of the pages, saved as files that contain their pipeline. */

import { rendered } from "./browser/pictures";
import { metadataOf } from "./export/svg";
import { withText } from "./export/png";
import type { PipelineDocument } from "./graph/types";

const SCALE = 2;

/** Return the chart as SVG text with a background; `document` is null if its run was deleted. */
export function chartSvg(
  drawn: SVGSVGElement,
  background: string,
  document: PipelineDocument | null,
): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height } = drawn.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const under = drawn.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "rect");
  under.setAttribute("width", "100%");
  under.setAttribute("height", "100%");
  under.setAttribute("fill", background);
  copy.prepend(under);
  // Vega names its gradients by the address of the page, which differs from that of a file
  const text = new XMLSerializer().serializeToString(copy).replace(/="url\([^)"#]*#/g, '="url(#');
  return document ? text.replace(/>/, () => `>${metadataOf(document)}`) : text;
}

/** Return the chart as PNG. */
export async function chartPng(svg: string, document: PipelineDocument | null): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const drawn = await rendered(address, SCALE);
    if (!document) return drawn;
    const bytes = new Uint8Array(await drawn.arrayBuffer());
    const carrying = withText(bytes, JSON.stringify(document));
    return new Blob([carrying as Uint8Array<ArrayBuffer>], { type: "image/png" });
  } finally {
    URL.revokeObjectURL(address);
  }
}
