/** Completed lesson steps and offers that are shown once, stored in this browser. */

const KEY = "pd-lesson";
const OFFERED = "pd-tour-offered";

interface Marks {
  /** Creation time of the pipeline, to distinguish it from one of the same name in another
   * workspace. */
  readonly opened: number;
  readonly done: readonly number[];
}

export function readMarks(pipelineId: string, opened: number): readonly number[] {
  try {
    const kept = JSON.parse(stored(`${KEY}.${pipelineId}`) ?? "null") as Partial<Marks> | null;
    if (kept?.opened !== opened || !Array.isArray(kept.done)) return [];
    return kept.done.filter((entry) => Number.isInteger(entry));
  } catch {
    return [];
  }
}

export function keepMarks(pipelineId: string, opened: number, done: readonly number[]): void {
  keep(`${KEY}.${pipelineId}`, JSON.stringify({ opened, done } satisfies Marks));
}

/** Return true once in a browser; false without storage, because it would be true each time. */
export function isFirstOffer(): boolean {
  if (stored(OFFERED) !== null) return false;
  keep(OFFERED, "yes");
  return stored(OFFERED) !== null;
}

function stored(key: string): string | null {
  try {
    return globalThis.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    globalThis.localStorage.setItem(key, value);
  } catch {
    // private browsing: it is kept until the page is closed
  }
}
