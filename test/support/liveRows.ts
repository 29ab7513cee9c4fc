/** Streams read to plain values. */
import { expect } from 'chai';
import type { DeadLetter, Json, LiveSource, OpenLiveOptions, Position } from '../../src/source/live/liveSource.ts';
import { arrivedRows } from './arrivedRows.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface Read {
  readonly rows: readonly Row[];
  /** For every row, the position at which it has just been used. */
  readonly positions: readonly Position[];
  /** The place of the last item, also of one without rows. */
  readonly last: Json;
  readonly letters: readonly DeadLetter[];
  readonly problems: readonly (string | null)[];
  /** The rows of each arrival. */
  readonly arrivals: readonly number[];
}

export const OPEN: OpenLiveOptions = { from: null, forPrivate: false };

/**
 * Reads a stream to its end, or to `most` rows, as its consumer does: rows of the first item that were used before are
 * passed over. `step` is called after every arrival with the number of rows so far.
 */
export async function readLive(
  source: LiveSource,
  options: Partial<OpenLiveOptions> = {},
  most = Infinity,
  step: (rows: number) => void | Promise<void> = () => {},
): Promise<Read> {
  const [rows, positions, arrivals]: [Row[], Position[], number[]] = [[], [], []];
  const [letters, problems]: [DeadLetter[], (string | null)[]] = [[], []];
  const opened = await source.open({
    ...OPEN,
    onProblem: problem => problems.push(problem),
    ...(!options.forPrivate && {
      onDeadLetter: async (letter: DeadLetter) => {
        letters.push(letter);
      },
    }),
    ...options,
  });
  let after: Json = options.from?.after ?? null;
  let skip = options.from?.rows ?? 0;
  await step(0);
  for await (const { batch, items } of opened.arrivals) {
    expect(items.reduce((sum, item) => sum + item.rows, 0)).to.equal(batch.numRows);
    expect(batch.numRows).to.be.above(0);
    arrivals.push(batch.numRows);
    const values = arrivedRows(batch);
    let at = 0;
    for (const { rows: count, place } of items) {
      for (let k = 1; k <= count; k++) {
        const value = values[at++]!;
        if (skip-- > 0) continue;
        rows.push(value);
        positions.push(k === count ? { after: place, rows: 0 } : { after, rows: k });
      }
      after = place;
    }
    if (rows.length >= most) break;
    await step(rows.length);
  }
  await opened.close();
  return { rows, positions, last: after, letters, problems, arrivals };
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  return expect.fail('it did not fail');
}
