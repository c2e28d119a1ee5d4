/** Datasets that came in from this page, for the lists of them. */

const listeners = new Set<() => void>();

export function announceDataset(): void {
  for (const listener of listeners) listener();
}

/** Return a function that stops it. */
export function watchDatasets(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
