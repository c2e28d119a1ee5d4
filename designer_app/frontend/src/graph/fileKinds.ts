/** Viewer for a file, by its name and size. */

export type ContentKind = "picture" | "table" | "text" | "archive" | "other";

const ENDINGS: readonly (readonly [ContentKind, RegExp])[] = [
  ["picture", /\.(png|jpe?g|gif|webp|bmp)$/],
  ["table", /\.(csv|tsv)$/],
  ["text", /\.(txt|log|json|jsonl|ya?ml|toml|md|py|xml|html|ini|cfg)$/],
  ["archive", /\.(zip|tar|tar\.gz|tgz)$/],
];
const MOST_SHOWN = 8 * 2 ** 20;

export function contentKind(path: string, numBytes: number): ContentKind {
  const kind = ENDINGS.find(([, ending]) => ending.test(path.toLowerCase()))?.[0] ?? "other";
  return kind !== "archive" && numBytes > MOST_SHOWN ? "other" : kind;
}

/** Parse the first rows of a table; quoted cells may contain the separator and line ends. */
export function tableRows(text: string, separator: string, most: number): readonly string[][] {
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ["", false];
  const end = (): void => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length && rows.length <= most; at += 1) {
    const letter = text[at] ?? "";
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += letter;
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += letter;
    else if (letter === separator) end();
    else if (letter === "\n") {
      end();
      rows.push([]);
    } else if (letter !== "\r") cell += letter;
  }
  if (cell || rows.at(-1)?.length) end();
  return rows.filter((row) => row.length > 0).slice(0, most);
}
