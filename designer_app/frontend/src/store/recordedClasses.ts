/** Classes of a recording as a tab shows them: what the server has, and what is on its way. */

import type { ClassEntry } from "../api/types.gen";

/** A picture; the check mark is shown once it is `stored`. */
export interface ShownPicture {
  readonly id: string;
  readonly stored: boolean;
}

export interface ShownClass {
  readonly id: string;
  readonly name: string;
  /** Oldest first. */
  readonly pictures: readonly ShownPicture[];
}

/** Return the classes of the server with the pictures that this tab has yet to store. */
export function mergedClasses(
  shown: readonly ShownClass[],
  stored: readonly ClassEntry[],
): readonly ShownClass[] {
  return stored.map(({ id, name, pictures }) => {
    const known = new Set(pictures);
    const mine = shown.find((one) => one.id === id)?.pictures ?? [];
    const waiting = mine.filter((picture) => !picture.stored && !known.has(picture.id));
    return {
      id,
      name,
      pictures: [...pictures.map((picture) => ({ id: picture, stored: true })), ...waiting],
    };
  });
}

export function withPicture(
  classes: readonly ShownClass[],
  classId: string,
  picture: ShownPicture,
): readonly ShownClass[] {
  return changed(classes, classId, (pictures) => [
    ...pictures.filter((one) => one.id !== picture.id),
    picture,
  ]);
}

/** Mark a picture as stored, at its place. */
export function withStored(
  classes: readonly ShownClass[],
  classId: string,
  id: string,
): readonly ShownClass[] {
  return changed(classes, classId, (pictures) =>
    pictures.map((one) => (one.id === id ? { id, stored: true } : one)),
  );
}

export function withoutPicture(
  classes: readonly ShownClass[],
  classId: string,
  id: string,
): readonly ShownClass[] {
  return changed(classes, classId, (pictures) => pictures.filter((one) => one.id !== id));
}

export function numStored(category: ShownClass): number {
  return category.pictures.filter((picture) => picture.stored).length;
}

/** Return true if the classes can be trained: two of them with enough stored pictures. */
export function isTrainable(classes: readonly ShownClass[]): boolean {
  return classes.filter((category) => numStored(category) >= LEAST_PICTURES).length >= 2;
}

/** Pictures of a class that a training needs; the server checks the same. */
export const LEAST_PICTURES = 2;
/** Pictures of a class from which on the result is usually good. */
export const ADVISED_PICTURES = 5;

const RANDOM_BYTES = 6;

/** Return a new id of a picture: sorted by time, and different in each tab. */
export function newPictureId(milliseconds = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  const tail = [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return milliseconds.toString(16).padStart(12, "0") + tail;
}

function changed(
  classes: readonly ShownClass[],
  classId: string,
  change: (pictures: readonly ShownPicture[]) => readonly ShownPicture[],
): readonly ShownClass[] {
  return classes.map((one) =>
    one.id === classId ? { ...one, pictures: change(one.pictures) } : one,
  );
}
