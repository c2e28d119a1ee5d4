/** Lists of texts, written one item a line. */

/** Lines of a text as a list; empty lines are skipped. */
export function itemsOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** Return true for lists that can be written one item a line. */
export function isLineList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes("\n"))
  );
}
