/** Dropped folders as zip archives: files unchanged and put together without copying them. */

import { crc32 } from "../export/crc32";
import { t } from "../graph/translate";

interface Entry {
  readonly path: string;
  readonly file: File;
}

/** Limits of a zip without 64-bit fields. */
const MOST_FILES = 65_000;
const MOST_BYTES = 4_000_000_000;
const WANTED = /\.(jpe?g|png|bmp|gif|webp|tiff?|csv|tsv|txt|json|jsonl)$/i;
const IMAGE = /\.(jpe?g|png|bmp|gif|webp|tiff?|avif|heic)$/i;
/** Hidden files and generated folders to leave out, except the files that list what to ignore. */
const LEFT_OUT = /^(\.(?!amlignore$|gitignore$).*|__pycache__|node_modules)$/;
/** Generated folders in a folder of code: results of earlier runs, installed packages. */
const NO_SOURCE = /^(outputs|logs|mlruns|venv)\//;

/** A dropped folder or file, read from the event while it is handled. */
export interface DroppedPart {
  readonly entry: FileSystemEntry | null;
  readonly file: File | null;
}

/** A dropped file, or a folder as an archive. */
export interface DroppedFile {
  readonly file: File;
  /** Script and requirements of a folder of code. */
  readonly code?: SourceFolder;
}

export interface SourceFolder {
  readonly script: File;
  readonly requirements: File | undefined;
  /** True if the folder contains a file that defines the image in which the script runs. */
  readonly hasImageFile: boolean;
}

/** Return the dropped files; a folder becomes an archive of its images, or of all its files if it
 * contains Python code. Throws an error whose message can be shown. */
export async function filesOf(parts: readonly DroppedPart[]): Promise<readonly DroppedFile[]> {
  const files = await Promise.all(
    parts.map(({ entry, file }) =>
      entry?.isDirectory ? archived(entry as FileSystemDirectoryEntry) : file && { file },
    ),
  );
  return files.filter((file) => file !== null);
}

/** Return dropped files, and the images in dropped folders at any depth; throws an error whose
 * message can be shown. */
export async function imagesOf(parts: readonly DroppedPart[]): Promise<readonly File[]> {
  const files = await Promise.all(
    parts.map(async ({ entry, file }) => {
      if (!entry?.isDirectory) return file ? [file] : [];
      const inside = await filesIn(entry as FileSystemDirectoryEntry, "");
      return inside.filter(({ path }) => IMAGE.test(path)).map((one) => one.file);
    }),
  );
  return files.flat();
}

/** Return chosen or dropped files as one archive with their paths; throws an error whose message
 * can be shown. */
export function archiveOf(files: readonly File[]): Promise<File> {
  const wanted = files.filter((file) => WANTED.test(file.name));
  const entries = wanted.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const name = files[0]?.webkitRelativePath.split("/")[0] || "pictures";
  return packed(name, entries);
}

async function archived(folder: FileSystemDirectoryEntry): Promise<DroppedFile> {
  const all = await filesIn(folder, "");
  const code = sourceIn(all);
  const kept = all.filter(({ path }) => (code ? !NO_SOURCE.test(path) : WANTED.test(path)));
  const file = await packed(folder.name, kept);
  return code ? { file, code } : { file };
}

/** Return the script with the expected name, or the only one; undefined if the top folder has
 * none. */
function sourceIn(entries: readonly Entry[]): SourceFolder | undefined {
  const scripts = entries.filter(({ path }) => /^[^/]+\.py$/i.test(path));
  const named = (name: string): Entry | undefined => scripts.find(({ path }) => path === name);
  const script = named("train.py") ?? named("main.py") ?? scripts[0];
  const requirements = entries.find(({ path }) => path === "requirements.txt");
  const hasImageFile = entries.some(({ path }) => /^(Dockerfile|Containerfile)$/.test(path));
  return script && { script: script.file, requirements: requirements?.file, hasImageFile };
}

async function packed(name: string, entries: readonly Entry[]): Promise<File> {
  const bytes = entries.reduce((sum, { file }) => sum + file.size, 0);
  if (entries.length === 0) throw new Error(t('Folder "{name}" contains no images.', { name }));
  if (entries.length > MOST_FILES || bytes > MOST_BYTES) {
    throw new Error(t('Folder "{name}" is too large to drop. Add it on the Data page.', { name }));
  }
  return new File([await zipOf(entries)], `${name}.zip`, { type: "application/zip" });
}

async function filesIn(folder: FileSystemDirectoryEntry, path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await allOf(folder)) {
    if (LEFT_OUT.test(entry.name)) continue;
    const place = `${path}${entry.name}`;
    if (entry.isDirectory) {
      entries.push(...(await filesIn(entry as FileSystemDirectoryEntry, `${place}/`)));
    } else {
      entries.push({ path: place, file: await fileOf(entry as FileSystemFileEntry) });
    }
  }
  return entries;
}

/** Return all entries: a browser returns a hundred at a time, and none at the end. */
async function allOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A zip of stored files (APPNOTE 4.3): images are compressed already. */
async function zipOf(entries: readonly Entry[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, directorySize] = [0, 0];
  for (const { path, file } of entries) {
    const name = new TextEncoder().encode(path);
    const sum = crc32(new Uint8Array(await file.arrayBuffer()));
    const shared = sharedFields(sum, file.size, name.length);
    parts.push(words([4, 0x04034b50]), shared, name, file);
    const tail = words([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(words([4, 0x02014b50], [2, 20]), shared, tail, name);
    offset += 30 + name.length + file.size;
    directorySize += 46 + name.length;
  }
  const count = entries.length;
  const end = words([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count]);
  return new Blob([...parts, ...directory, end, words([4, directorySize], [4, offset], [2, 0])]);
}

/** Fields that both headers of a file share: version, UTF-8, stored, 1 January 1980, checksum,
 * sizes, lengths. */
function sharedFields(sum: number, size: number, nameLength: number): Uint8Array<ArrayBuffer> {
  return words(
    [2, 20],
    [2, 0x0800],
    [2, 0],
    [2, 0],
    [2, 0x21],
    [4, sum],
    [4, size],
    [4, size],
    [2, nameLength],
    [2, 0],
  );
}

/** Return numbers as this many bytes, lowest byte first. */
function words(
  ...numbers: readonly (readonly [bytes: number, value: number])[]
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of numbers) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}
