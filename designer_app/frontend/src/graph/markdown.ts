/** Subset of Markdown for notes, as a structure: text stays text, nothing becomes HTML. */

export type Inline =
  | { readonly kind: "text" | "bold" | "italic" | "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly inlines: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: "code"; readonly text: string };

const INLINE =
  /\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|_([^_\n]+)_|`([^`\n]+)`|\[([^\]\n]{0,500})\]\(([^)\s]{1,2000})\)/g;
const BULLET = /^\s{0,3}[-*+]\s+/;
const NUMBER = /^\s{0,3}\d{1,9}[.)]\s+/;
const HEADING = /^(#{1,4})\s+(.*)$/s;
const FENCE = /^```/;

/** Parse the blocks of a text. Only links to http and https are kept. */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = HEADING.exec(line);
    if (line.trim() === "") {
      at += 1;
    } else if (FENCE.test(line)) {
      const end = findEnd(lines, at + 1, (text) => FENCE.test(text));
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
      at = end + 1;
    } else if (heading) {
      const level = heading[1]?.length ?? 1;
      blocks.push({ kind: "heading", level, inlines: parseInline(heading[2] ?? "") });
      at += 1;
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const mark = BULLET.test(line) ? BULLET : NUMBER;
      const end = findEnd(lines, at, (text) => !mark.test(text));
      const items = lines.slice(at, end).map((item) => parseInline(item.replace(mark, "")));
      blocks.push({ kind: "list", ordered: mark === NUMBER, items });
      at = end;
    } else {
      const end = findEnd(lines, at + 1, beginsBlock);
      blocks.push({ kind: "paragraph", inlines: parseInline(lines.slice(at, end).join("\n")) });
      at = end;
    }
  }
  return blocks;
}

/** Parse bold, italic, code and links within a line. */
export function parseInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > last) parts.push({ kind: "text", text: text.slice(last, match.index) });
    parts.push(inlineOf(match));
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push({ kind: "text", text: text.slice(last) });
  return parts;
}

function inlineOf(match: RegExpExecArray): Inline {
  const [whole, bold, italic, underscored, code, label, href] = match;
  if (bold !== undefined) return { kind: "bold", text: bold };
  if (italic !== undefined || underscored !== undefined) {
    return { kind: "italic", text: italic ?? underscored ?? "" };
  }
  if (code !== undefined) return { kind: "code", text: code };
  if (href !== undefined && /^https?:\/\//i.test(href)) {
    return { kind: "link", text: label || href, href };
  }
  return { kind: "text", text: whole };
}

function beginsBlock(line: string): boolean {
  return (
    line.trim() === "" ||
    FENCE.test(line) ||
    HEADING.test(line) ||
    BULLET.test(line) ||
    NUMBER.test(line)
  );
}

function findEnd(lines: readonly string[], from: number, ends: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && !ends(lines[at] ?? "")) at += 1;
  return at;
}
