/** Log as a file: fetched in parts, so that the page does not hold its text. */

import type { Api } from "../../api/client";
import { type LogName, logAfter } from "../../api/logs";

/** Save the log as a browser download; reports the progress, 0 to 1. */
export async function saveLog(
  api: Api,
  log: LogName,
  onShare: (share: number) => void,
): Promise<void> {
  const parts: Blob[] = [];
  let end = 0;
  for (;;) {
    const part = await logAfter(api, log, end);
    if (part.end === end) break;
    parts.push(new Blob([part.text]));
    end = part.end;
    onShare(part.size > 0 ? end / part.size : 1);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: "text/plain" }));
  link.download = `${log.run}-${log.node}-${log.file}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
