/** Image of the graph as SVG text, made from the document alone; it contains the pipeline. */

import { type Sizes, USUAL_SIZE, boundsOf } from "../graph/layout/boxes";
import { type Catalog, colourOf, moduleColour } from "../graph/catalog";
import { findNode, nodesById } from "../graph/lookup";
import { portLabel } from "../graph/portLabels";
import { titleOf } from "../graph/search";
import { waypointsOf } from "../graph/waypoints";
import { nodeSize, portPlaceOn } from "../graph/layout/geometry";
import type {
  Group,
  Link,
  ModuleSpec,
  Note,
  PipelineDocument,
  PipelineNode,
  Side,
} from "../graph/types";

export interface Theme {
  readonly background: string;
  readonly surface: string;
  readonly border: string;
  readonly text: string;
  readonly muted: string;
  /** Colour word of a port type -> colour. */
  readonly hues: Readonly<Record<string, string>>;
}

export const LIGHT: Theme = {
  background: "#ffffff",
  surface: "#ffffff",
  border: "#cfd5dd",
  text: "#1b2330",
  muted: "#4f5a6a",
  hues: {
    grey: "#6f7a88",
    green: "#178554",
    violet: "#8447ca",
    amber: "#b06c0d",
    red: "#c8423a",
    blue: "#2b69de",
  },
};

/** Marks around the document, found by a string search: a regular expression takes quadratic
 * time. */
const METADATA = '<metadata id="pipeline-designer">';
const METADATA_END = "</metadata>";
const PADDING = 32;
const HEADER = 40;
const ROW = 22;
/** Height of a line of a title, and mean width of its letters, in pixels. */
const LINE = 15;
const LETTER = 7.5;

/** Return the image as SVG text; its metadata contains the document. */
export function drawSvg(
  document: PipelineDocument,
  catalog: Catalog,
  theme: Theme = LIGHT,
  drawn: Sizes = new Map(),
): string {
  const sizes = withEstimates(document, catalog, drawn);
  const { x, y, width, height } = frame(document, sizes);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" font-family="'Source Sans 3','Source Sans Pro',sans-serif">`,
    `<title>${escaped(document.name || document.id)}</title>`,
    metadataOf(document),
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${theme.background}"/>`,
    ...document.groups.map((group) => drawGroup(group, document, sizes, theme)),
    ...document.links.map((link) => drawLink(link, document, catalog, sizes, theme)),
    ...document.notes.map((note) => drawNote(note, theme)),
    ...[...nodesById(document).values()].map((node) => drawNode(node, catalog, sizes, theme)),
    "</svg>",
    "",
  ].join("\n");
}

/** Return the element that contains the document. */
export function metadataOf(document: PipelineDocument): string {
  return `${METADATA}${escaped(documentText(document))}${METADATA_END}`;
}

/** Return the document's JSON text in such an image; undefined if there is none. */
export function textInSvg(svg: string): string | undefined {
  const opening = svg.indexOf(METADATA);
  const start = opening + METADATA.length;
  const end = opening < 0 ? -1 : svg.indexOf(METADATA_END, start);
  return end < 0 ? undefined : unescaped(svg.slice(start, end));
}

/** Return the document as JSON; the two characters that XML cannot contain are escaped as in
 * JSON. */
function documentText(document: PipelineDocument): string {
  return JSON.stringify(document).replace(/[\ufffe\uffff]/g, (letter) =>
    letter === "\uffff" ? "\\uffff" : "\\ufffe",
  );
}

/** Return the size of a node by the number of its ports, if it was not measured. */
function estimatedSize(node: PipelineNode, catalog: Catalog): { width: number; height: number } {
  const module = catalog.byId.get(node.module);
  if (node.collapsed) return nodeSize(node, module);
  const rows = Math.max(module?.inputs.length ?? 0, module?.outputs.length ?? 0, 1);
  return { width: USUAL_SIZE.width, height: HEADER + rows * ROW + 10 };
}

function withEstimates(document: PipelineDocument, catalog: Catalog, drawn: Sizes): Sizes {
  return new Map(
    document.nodes.map((node) => [node.id, drawn.get(node.id) ?? estimatedSize(node, catalog)]),
  );
}

function frame(
  document: PipelineDocument,
  sizes: Sizes,
): { x: number; y: number; width: number; height: number } {
  const nodes = boundsOf(document.nodes, sizes);
  const boxes = [
    ...(nodes ? [nodes] : []),
    ...document.notes.map((note) => ({ ...note.position, width: note.width, height: note.height })),
  ];
  if (boxes.length === 0) return { x: 0, y: 0, width: 320, height: 160 };
  const x = Math.floor(Math.min(...boxes.map((box) => box.x)) - PADDING);
  const y = Math.floor(Math.min(...boxes.map((box) => box.y)) - PADDING);
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + PADDING;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + PADDING;
  return { x, y, width: Math.ceil(right - x), height: Math.ceil(bottom - y) };
}

function drawNode(node: PipelineNode, catalog: Catalog, sizes: Sizes, theme: Theme): string {
  const { x, y } = node.position;
  const { width, height } = sizes.get(node.id) ?? USUAL_SIZE;
  const module = catalog.byId.get(node.module);
  const hue = theme.hues[module ? moduleColour(catalog, module) : "grey"] ?? theme.muted;
  const draw = (side: Side, left: number): readonly string[] =>
    (module?.[`${side}s`] ?? []).map((port, row) => {
      const hue = theme.hues[colourOf(catalog, port.type)] ?? theme.muted;
      const label = module ? portLabel(port, node, module) : port.title;
      return drawPort(node, label, side, left, portY(node, module, side, row), hue, theme);
    });
  const ports = [...draw("input", x), ...draw("output", x + width)];
  const middle = y + (node.collapsed ? height / 2 : HEADER / 2);
  const title = titleLines(titleOf(node, catalog), width, node.collapsed ? 1 : 2);
  const drawLine = (line: string, number: number): string => {
    const top = middle + 5 + LINE * (number - (title.length - 1) / 2);
    return `<text x="${x + 32}" y="${top}" font-size="14" font-weight="600" fill="${theme.text}">${escaped(line)}</text>`;
  };
  return [
    "<g>",
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${theme.surface}" stroke="${theme.border}"${node.disabled ? ' stroke-dasharray="6 4"' : ""}/>`,
    `<circle cx="${x + 18}" cy="${middle}" r="6" fill="${hue}"/>`,
    ...title.map(drawLine),
    ...ports,
    "</g>",
  ].join("");
}

/** Split a title at spaces into lines that fit next to the icon; the last one is cut off. */
function titleLines(title: string, width: number, most: number): readonly string[] {
  const letters = Math.max(8, Math.floor((width - 40) / LETTER));
  const at = title.lastIndexOf(" ", letters);
  if (title.length <= letters || most < 2 || at < 1) return [clipped(title, letters)];
  return [title.slice(0, at), clipped(title.slice(at + 1), letters)];
}

function drawPort(
  node: PipelineNode,
  title: string,
  side: Side,
  x: number,
  y: number,
  hue: string,
  theme: Theme,
): string {
  const circle = `<circle cx="${x}" cy="${y}" r="5" fill="${hue}" stroke="${theme.surface}" stroke-width="2"/>`;
  if (node.collapsed) return circle;
  const [textX, anchor] = side === "input" ? [x + 12, "start"] : [x - 12, "end"];
  return `${circle}<text x="${textX}" y="${y + 4}" font-size="11" text-anchor="${anchor}" fill="${theme.muted}">${escaped(clipped(title, 18))}</text>`;
}

function drawLink(
  link: Link,
  document: PipelineDocument,
  catalog: Catalog,
  sizes: Sizes,
  theme: Theme,
): string {
  const [source, target] = [findNode(document, link.from.node), findNode(document, link.to.node)];
  if (!source || !target) return "";
  const [from, to] = [source, target].map((node) => catalog.byId.get(node.module));
  const outputs = from?.outputs ?? [];
  const output = outputs.findIndex((port) => port.id === link.from.port);
  const input = (to?.inputs ?? []).findIndex((port) => port.id === link.to.port);
  const x1 = source.position.x + (sizes.get(source.id) ?? USUAL_SIZE).width;
  const y1 = portY(source, from, "output", Math.max(0, output));
  const [x2, y2] = [target.position.x, portY(target, to, "input", Math.max(0, input))];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  const hue = theme.hues[colourOf(catalog, outputs[output]?.type ?? "")] ?? theme.muted;
  const points = waypointsOf(link).map(({ x, y }) => `L${x} ${y}`);
  const curve = `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  const way = points.length > 0 ? `M${x1} ${y1} ${points.join(" ")} L${x2} ${y2}` : curve;
  return `<path d="${way}" fill="none" stroke="${hue}" stroke-width="2"/>`;
}

function drawGroup(group: Group, document: PipelineDocument, sizes: Sizes, theme: Theme): string {
  const nodes = group.nodes.flatMap((id) => findNode(document, id) ?? []);
  const bounds = boundsOf(nodes, sizes);
  if (!bounds) return "";
  const hue = theme.hues[group.colour] ?? theme.muted;
  const [x, y] = [bounds.x - 16, bounds.y - 34];
  return (
    `<rect x="${x}" y="${y}" width="${bounds.width + 32}" height="${bounds.height + 50}" rx="10" fill="${hue}" fill-opacity="0.08" stroke="${hue}" stroke-opacity="0.5"/>` +
    `<text x="${x + 12}" y="${y + 20}" font-size="13" font-weight="600" fill="${hue}">${escaped(clipped(group.title, 60))}</text>`
  );
}

function drawNote(note: Note, theme: Theme): string {
  const { x, y } = note.position;
  const rows = Math.max(1, Math.floor((note.height - 16) / 16));
  const letters = Math.max(4, Math.floor(note.width / 7));
  const lines = note.text.split("\n").slice(0, rows);
  const amber = theme.hues["amber"] ?? theme.muted;
  return [
    `<rect x="${x}" y="${y}" width="${note.width}" height="${note.height}" rx="6" fill="${amber}" fill-opacity="0.1" stroke="${amber}" stroke-opacity="0.4"/>`,
    ...lines.map(
      (line, row) =>
        `<text x="${x + 10}" y="${y + 20 + row * 16}" font-size="12" fill="${theme.text}">${escaped(clipped(line, letters))}</text>`,
    ),
  ].join("");
}

function portY(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  side: Side,
  row: number,
): number {
  const { y } = node.position;
  if (node.collapsed) return y + portPlaceOn(node, module, side, row).y;
  return y + HEADER + row * ROW + ROW / 2;
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  // XML allows no other control characters than tab and line breaks
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  return allowed.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
