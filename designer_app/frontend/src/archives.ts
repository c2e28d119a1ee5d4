/** Archives of folders and files, for the upload of own images on the Home page. */

import { archiveOf, type DroppedPart, filesOf } from "./browser/folders";

export { archiveOf };

/** Return dropped files as one archive: a zip unchanged, folders and images packed. */
export async function archiveOfDropped(parts: readonly DroppedPart[]): Promise<File> {
  const files = (await filesOf(parts)).map(({ file }) => file);
  const [first] = files;
  return files.length === 1 && first ? first : archiveOf(files);
}
