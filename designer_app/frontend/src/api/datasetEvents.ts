/** Announcements of datasets that were added on this page, for lists of datasets. */

const listeners = new Set<() => void>();

export function announceDataset(): void {
  for (const listener of listeners) listener();
}

/** Register a listener; returns a function that removes it. */
export function watchDatasets(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
