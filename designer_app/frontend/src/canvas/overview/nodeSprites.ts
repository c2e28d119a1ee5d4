/** Sprites of nodes at one scale, each painted once for all nodes that look the same. */

import type { CompactNodeStyle, CompactNodeStyles } from "./compactNodeStyles";
import { partsOf } from "../hyphens";
import type { NodeAppearance, Placed } from "./nodeAppearance";

/** Line height below which text is illegible, in pixels of the screen. */
const SMALLEST_LINE = 4.7;
/** Sprites painted in one frame: the others are plain boxes until the next. */
const MOST_NEW = 60;
/** Factor by which sprites of another scale are stretched at most while zooming. */
const STRETCH = 1.35;
const DIMMED = 0.55;
/** Width of the border above and below a title. */
const BORDER = 2;

export class NodeSprites {
  private readonly known = new Map<string, OffscreenCanvas>();
  private scale = 0;
  private painted = 0;

  constructor(private readonly styles: CompactNodeStyles) {}

  /** Start a frame; `resting`: the scale has stopped changing, so sprites must be sharp. */
  startFrame(scale: number, resting: boolean): void {
    this.painted = 0;
    const stretch = Math.max(scale / this.scale, this.scale / scale);
    if (this.scale === scale || (!resting && stretch < STRETCH)) return;
    this.known.clear();
    this.scale = scale;
  }

  /** Return the sprite of a node; null if it has to wait for the next frame. */
  of({ key, look }: Placed): OffscreenCanvas | null {
    const known = this.known.get(key);
    if (known) return known;
    if (this.painted >= MOST_NEW) return null;
    this.painted += 1;
    const picture = this.paint(look);
    this.known.set(key, picture);
    return picture;
  }

  private paint(look: NodeAppearance): OffscreenCanvas {
    const { scale } = this;
    const style = this.styles.of(look);
    const width = Math.max(1, Math.round(look.width * scale));
    const height = Math.max(1, Math.round(look.height * scale));
    const picture = new OffscreenCanvas(width, height);
    const context = picture.getContext("2d");
    if (!context) return picture;
    context.globalAlpha = look.muted ? DIMMED : 1;
    context.scale(width / look.width, height / look.height);
    paintBox(context, look, style, 1 / scale);
    context.globalAlpha = 1; // its name is as readable as any other
    if (style.leading * scale >= SMALLEST_LINE) paintTitle(context, look, style);
    return picture;
  }
}

type Context = OffscreenCanvasRenderingContext2D;

/** `pixel` is one pixel of the screen in pixels of the document; no line is thinner. */
function paintBox(
  context: Context,
  look: NodeAppearance,
  style: CompactNodeStyle,
  pixel: number,
): void {
  const line = Math.max(look.selected ? 5 : 2, pixel * (look.selected ? 2 : 1));
  context.beginPath();
  context.roundRect(0, 0, look.width, look.height, style.radius);
  context.clip();
  context.fillStyle = style.edge;
  context.fillRect(0, 0, look.width, look.height);
  context.fillStyle = style.band;
  context.fillRect(
    look.selected ? line : 0,
    look.selected ? line : 0,
    style.bandWidth + line,
    look.height,
  );
  context.fillStyle = style.fill;
  context.beginPath();
  const [width, height] = [look.width - style.bandWidth - line, look.height - 2 * line];
  context.roundRect(style.bandWidth, line, width, height, Math.max(0, style.radius - line));
  context.fill();
}

function paintTitle(context: Context, look: NodeAppearance, style: CompactNodeStyle): void {
  context.font = style.font;
  context.textBaseline = "middle";
  context.fillStyle = style.text;
  const left = style.bandWidth + style.indent;
  const most = Math.max(1, Math.floor((look.height - 2 * BORDER) / style.leading));
  const lines = wrapped(look.title, look.width - left - 8, most, (text) => {
    return context.measureText(text).width;
  });
  const top = look.height / 2 - ((lines.length - 1) * style.leading) / 2;
  lines.forEach((line, index) => context.fillText(line, left, top + index * style.leading));
}

/** Wrap the words into lines of limited number and width; truncated text ends in "…". */
export function wrapped(
  text: string,
  room: number,
  most: number,
  widthOf: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let line = "";
  const words = text.split(/\s+/).filter(Boolean);
  for (const word of words.flatMap((whole) => dividedTo(room, whole, widthOf))) {
    const longer = line ? `${line} ${word}` : word;
    if (!line || widthOf(longer) <= room) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const cut = lines.length > most;
  return lines.slice(0, most).map((line, index) => {
    const mark = cut && index === most - 1 ? "…" : "";
    return shortened(line, mark, room, widthOf);
  });
}

/** Return a word that is too wide in parts with hyphens, as wide as fits. */
function dividedTo(room: number, word: string, widthOf: (text: string) => number): string[] {
  if (widthOf(word) <= room) return [word];
  const divided: string[] = [];
  let line = "";
  for (const part of partsOf(word)) {
    if (line && widthOf(`${line}${part}-`) > room) {
      divided.push(`${line}-`);
      line = part;
    } else line += part;
  }
  return [...divided, line];
}

function shortened(
  line: string,
  mark: string,
  room: number,
  widthOf: (text: string) => number,
): string {
  if (widthOf(line + mark) <= room) return line + mark;
  let length = line.length;
  while (length > 1 && widthOf(`${line.slice(0, length)}…`) > room) length -= 1;
  return `${line.slice(0, length)}…`;
}
