/** Pixels of an image, video or canvas as bytes of red, green and blue. */

/** Larger photos are reduced first: their floating point pixels would exceed a phone's memory. */
const MAX_PIXELS = 6_000_000;

/** Return width, height and bytes (H, W, 3), composited on white as scoring does. */
export function pixelsOf(source) {
  const fullWidth = source.videoWidth || source.width;
  const fullHeight = source.videoHeight || source.height;
  if (!(fullWidth > 0 && fullHeight > 0)) throw new Error("The image has no pixels.");
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (fullWidth * fullHeight)));
  const width = Math.max(1, Math.round(fullWidth * scale));
  const height = Math.max(1, Math.round(fullHeight * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from];
    rgb[to + 1] = data[from + 1];
    rgb[to + 2] = data[from + 2];
  }
  return { width, height, rgb };
}
