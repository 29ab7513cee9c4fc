/** Rows with values that cannot be true: one of them must not wreck an estimate, wherever it comes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { estimateOnline, type OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../../src/fit/online/onlineEstimate.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { allOf } from '../../support/onlineRows.ts';

/** Eight chunks of 400 rows and a last one of 40. */
const ROWS = 3240;
const CHUNK = 400;
type Column = 'a' | 'b' | 'y';

function columnsOf(): Record<Column, Float64Array> {
  const random = seeded(23, 'wild rows');
  const [a, b, y] = [new Float64Array(ROWS), new Float64Array(ROWS), new Float64Array(ROWS)];
  for (let i = 0; i < ROWS; i++) {
    a[i] = normal(random);
    b[i] = 100 + 20 * normal(random);
    y[i] = 1 + 2 * a[i]! - 0.1 * b[i]! + normal(random);
  }
  return { a, b, y };
}

const spoilt = (column: Column, value: number, first: number, count: number): Record<Column, Float64Array> => {
  const columns = columnsOf();
  for (let k = 0; k < count; k++) columns[column][first + 3 * k] = k % 2 === 0 ? value : -value;
  return columns;
};

const lastOf = async (
  columns: Record<Column, Float64Array>,
  options: Partial<OnlineOptions>,
): Promise<OnlineEstimate> =>
  (await allOf(estimateOnline(tableFromArrays(columns).batches, { target: 'y', chunk: CHUNK, ...options }))).at(-1)!;

function expectLike(found: OnlineEstimate, clean: OnlineEstimate, wild: number, what: string): void {
  for (const [name, { estimate, error }] of Object.entries(clean.coefficients)) {
    const own = found.coefficients[name]!;
    // At most five of 3,240 rows are missing: a few hundredths of an error, and more where they were in the last chunk.
    expect(Math.abs(own.estimate - estimate) / error!, `${what}: ${name}`).to.be.below(0.5);
    expect(own.error! / error!, `${what}: error of ${name}`).to.be.within(0.8, 1.25);
  }
  expect(found.progressiveError!.all / clean.progressiveError!.all, `${what}: progressive error`).to.be.within(
    0.95,
    1.05,
  );
  expect(found.rows, what).to.deep.equal({ used: ROWS - wild, read: ROWS });
  expect(JSON.stringify(found.notes), what).to.include(
    wild === 1 ? '1 row was left out, because a value is more than' : `${wild} rows were left out`,
  );
}

describe('a stream with values that cannot be true', () => {
  const places = { 'the pilot': 10, 'a chunk': 5 * CHUNK + 77, 'the last, short chunk': 8 * CHUNK + 4 };
  for (const [kind, loss] of [
    ['squared', squared()],
    ['pseudo-Huber', 'auto'],
  ] as const)
    for (const [place, first] of Object.entries(places))
      it(`is estimated without them by ${kind} loss, in ${place}`, async () => {
        const clean = await lastOf(columnsOf(), { loss });
        for (const column of ['a', 'b', 'y'] as const)
          for (const value of [1e10, 1e29, -1e100, 1e300])
            for (const count of [1, 5])
              expectLike(
                await lastOf(spoilt(column, value, first, count), { loss }),
                clean,
                count,
                `${count} of ${value} in ${column}`,
              );
      }).timeout(60_000);

  it('is estimated without them where it is taken up again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-wild-'));
    try {
      const columns = spoilt('a', 1e29, 5 * CHUNK + 77, 1);
      const whole = await lastOf(columns, { loss: squared() });
      const options = { loss: squared(), checkpoint: folder };
      await lastOf(columns, { ...options, untilRows: 5 * CHUNK });
      const resumed = await lastOf(columns, options);
      expect(resumed.coefficients).to.deep.equal(whole.coefficients);
      expect(resumed.notes).to.deep.equal(whole.notes);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keeps all of its rows where a tail is long, units change or a column is mostly zero', async () => {
    const random = seeded(24, 'odd rows');
    const [a, b, y] = [new Float64Array(ROWS), new Float64Array(ROWS), new Float64Array(ROWS)];
    for (let i = 0; i < ROWS; i++) {
      a[i] = Math.exp(1.5 * normal(random)) * (i < ROWS / 2 ? 1 : 1e6);
      b[i] = i % 50 === 0 ? 1 : 0;
      y[i] = 1 + a[i]! * (i < ROWS / 2 ? 1 : 1e-6) + b[i]! + normal(random);
    }
    const found = await lastOf({ a, b, y }, {});
    expect(found.rows.read).to.equal(ROWS);
    expect(JSON.stringify(found.notes)).not.to.include('left out');
  });
});
