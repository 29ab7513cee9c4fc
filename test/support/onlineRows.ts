/** Rows for estimates of streams, cut into batches of any size, which can be read again from their beginning. */
import { type RecordBatch, Table, tableFromArrays } from 'apache-arrow';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';

/** y = 2 x1 - .003 x2 + town + 5 + noise, with the towns in turn. */
export function townRows(rows: number, seed: string | number = 1): Table {
  const random = seeded(seed, 'rows of towns');
  const towns = ['Bath', 'Hull', 'York'];
  const x1 = Float64Array.from({ length: rows }, () => normal(random));
  const x2 = Float64Array.from({ length: rows }, () => 1000 * normal(random));
  const town = Array.from({ length: rows }, (_, i) => towns[i % 3]!);
  const y = x1.map((value, i) => 2 * value - 0.003 * x2[i]! + (i % 3) + 5 + normal(random));
  return tableFromArrays({ x1, x2, town, y });
}

/** Scaled rows of a private stream: y = .4 x1 - .3 x2 + .1 + noise. */
export function scaledRows(
  rows: number,
  seed: string | number = 1,
  more: Record<string, ArrayLike<unknown>> = {},
): Table {
  const random = seeded(seed, 'scaled rows');
  const within = (value: number): number => Math.max(-1, Math.min(1, value));
  const x1 = Float64Array.from({ length: rows }, () => within(normal(random) / 3));
  const x2 = Float64Array.from({ length: rows }, () => within(normal(random) / 3));
  const y = x1.map((value, i) => within(0.4 * value - 0.3 * x2[i]! + 0.1 + 0.05 * normal(random)));
  return tableFromArrays({ x1, x2, y, ...more } as Record<string, Float64Array>) as Table;
}

/** The rows from one on, in batches of these sizes in turn. */
export const cut = (table: Table, ...sizes: readonly number[]): Iterable<RecordBatch> => ({
  *[Symbol.iterator]() {
    for (let start = 0, k = 0; start < table.numRows; start += sizes[k++ % sizes.length]!)
      yield* table.slice(start, start + sizes[k % sizes.length]!).batches;
  },
});

/** Sizes of batches at random, small and large. */
export const randomSizes = (random: Random, most = 4000): number[] =>
  Array.from({ length: 50 }, () => 1 + Math.floor(most * uniform(random) ** 3));

export const allOf = <T>(observable: Observable<T>): Promise<T[]> => lastValueFrom(observable.pipe(toArray()));

/** Batches that never end: after them there is only waiting, until the source is left. */
export function waitingAfter(
  batches: Iterable<RecordBatch>,
): AsyncIterable<RecordBatch> & { readonly isLeft: () => boolean } {
  let isLeft = false;
  return {
    isLeft: () => isLeft,
    [Symbol.asyncIterator]() {
      const pass = batches[Symbol.iterator]();
      return {
        next: () => {
          const next = pass.next();
          return next.done ? new Promise(() => {}) : Promise.resolve(next);
        },
        return: async () => {
          isLeft = true;
          return { value: undefined, done: true };
        },
      };
    },
  };
}

export { Table };
