/** Logs by byte ranges: a page never loads a whole log. */

import type { Api } from "./client";
import type { Endpoints, LogEntry, RunLogMatches } from "./types.gen";
import { wholeLetters } from "./utf8";

/** Name of one log: its run, node and file. */
export interface LogName {
  readonly run: string;
  readonly node: string;
  readonly file: string;
}

/** Whole lines of a log, and their position in it. */
export interface LogWindow {
  readonly text: string;
  /** First byte, and the byte after the last. */
  readonly start: number;
  readonly end: number;
  /** Size of the whole log. */
  readonly size: number;
}

const WINDOW_BYTES = 65_536;
const LINE_END = 10;

export async function logsOf(api: Api, run: string): Promise<readonly LogEntry[]> {
  return (await api.ask("GET /runs/{run_id}/logs", { path: { run_id: run } })).logs;
}

/** Return the end of a log. */
export async function lastOfLog(api: Api, log: LogName): Promise<LogWindow> {
  const tail = await read(api, log, { Range: `bytes=-${WINDOW_BYTES}` });
  return windowOf(tail, tail.start > 0);
}

/** Return the lines before a byte position at the start of a line. */
export async function logBefore(api: Api, log: LogName, end: number): Promise<LogWindow> {
  const start = Math.max(0, end - WINDOW_BYTES);
  const chunk = await read(api, log, { Range: `bytes=${start}-${end - 1}` });
  return windowOf(chunk, start > 0);
}

/** Return the lines from a byte position at the start of a line; empty if the log has not grown. */
export async function logAfter(api: Api, log: LogName, start: number): Promise<LogWindow> {
  return windowOf(await read(api, log, {}, { offset: String(start) }, start), false);
}

/** Search for a text in all logs of a run or of one node, on the server; returns the matching
 * lines. */
export function searchLogs(
  api: Api,
  run: string,
  within: string,
  text: string,
): Promise<RunLogMatches> {
  return api.ask("GET /runs/{run_id}/log-matches", {
    path: { run_id: run },
    query: within ? { text, within } : { text },
  });
}

interface Bytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly size: number;
}

async function read(
  api: Api,
  log: LogName,
  header: { readonly Range?: string },
  query: { readonly offset?: string } = {},
  from = 0,
): Promise<Bytes> {
  const said = { ...placeOf(log), header, query };
  const response = await api.send("GET /runs/{run_id}/logs/{node}/{log}", said);
  const range = /^bytes (\d+)-/.exec(response.headers.get("Content-Range") ?? "");
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    start: range ? Number(range[1]) : from,
    size: Number(response.headers.get("X-Designer-Size") ?? 0),
  };
}

/** Return the complete lines of some bytes; a partial first line is dropped. */
function windowOf({ bytes, start, size }: Bytes, isCut: boolean): LogWindow {
  const letters = wholeLetters(bytes).length;
  const first = isCut ? bytes.indexOf(LINE_END) + 1 : 0;
  const full = start + bytes.length >= size;
  const lineStart = bytes.lastIndexOf(LINE_END) + 1;
  const last = full || lineStart <= first ? letters : lineStart;
  const text = new TextDecoder().decode(bytes.subarray(first, last));
  return { text, start: start + first, end: start + last, size };
}

type Place = Pick<Endpoints["GET /runs/{run_id}/logs/{node}/{log}"], "path">;

function placeOf({ run, node, file }: LogName): Place {
  return { path: { run_id: run, node, log: file } };
}
