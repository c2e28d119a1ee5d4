/** Folders and files as archives, for Home's field for one's own pictures. */

import { archiveOf, type DroppedPart, filesOf } from "./browser/folders";

export { archiveOf };

/** What was dropped as one archive: a zip as it is, folders and pictures put together. */
export async function archiveOfDropped(parts: readonly DroppedPart[]): Promise<File> {
  const files = (await filesOf(parts)).map(({ file }) => file);
  const [first] = files;
  return files.length === 1 && first ? first : archiveOf(files);
}
