/** Facts of a confusion matrix; rows are true classes, columns predicted classes. */

export type Matrix = readonly (readonly number[])[];

export interface Hits {
  readonly right: number;
  readonly total: number;
}

export function hitsIn(matrix: Matrix): Hits {
  const right = matrix.reduce((sum, row, place) => sum + (row[place] ?? 0), 0);
  return { right, total: matrix.reduce((sum, row) => sum + sumOf(row), 0) };
}

/** Return the share of each cell in its row, 0 to 1. */
export function sharesOf(matrix: Matrix): Matrix {
  return matrix.map((row) => {
    const total = sumOf(row) || 1;
    return row.map((count) => count / total);
  });
}

function sumOf(row: readonly number[]): number {
  return row.reduce((sum, count) => sum + count, 0);
}
