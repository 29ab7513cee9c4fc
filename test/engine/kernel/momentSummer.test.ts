import { expect } from 'chai';
import { momentSummer } from '../../../src/engine/kernel/wholeSummer.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { integerBelow, uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';

const FEATURES = 3;
const base = { features: FEATURES, grid: 1e-6, squaredNorm: 2 ** 50, norm: 2.25, targetUnit: 2 };

function sumsOf(batch: SampleBatch, options: Partial<typeof base> = {}, cuts: readonly number[] = []): Float64Array {
  const summer = momentSummer({ ...base, ...options, rows: batch.rows });
  const ends = [...cuts, batch.rows];
  ends.forEach((end, k) => {
    summer.add(rowsBetween(batch, ends[k - 1] ?? 0, end));
  });
  return summer.finish().sums;
}

/** The whole matrix of w u u' over rows u = (x, 1), and the sum of w t, by their definition. */
function momentsByHand(
  { columns, target, rows, weights }: SampleBatch,
  norm: number,
): { moments: number[][]; targets: number } {
  const size = columns.length + 1;
  const moments = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  let targets = 0;
  for (let i = 0; i < rows; i++) {
    const u = [...columns.map(column => column[i]!), 1];
    const squares = u.reduce((sum, value) => sum + value ** 2, 0);
    const t = target[i]! / 2;
    const counts = weights === undefined || weights[i]! > 0;
    const weight = counts ? Math.min(1, norm / Math.hypot(squares, t)) : 0;
    for (let a = 0; a < size; a++) for (let b = 0; b < size; b++) moments[a]![b]! += weight * u[a]! * u[b]!;
    targets += weight * t;
  }
  return { moments, targets };
}

const random = seeded('momentSummer', 'rows');
const draw = (rows: number, scale = 1): SampleBatch => ({
  ...sampleBatch(
    Array.from({ length: FEATURES }, () => Float64Array.from({ length: rows }, () => scale * normal(random))),
    Float64Array.from({ length: rows }, () => uniformBetween(random, -1, 1)),
  ),
  weights: Float64Array.from({ length: rows }, () => (integerBelow(random, 10) === 0 ? 0 : 1)),
});

const squaredNorm = (whole: Float64Array): bigint => whole.reduce((sum, q) => sum + BigInt(q) ** 2n, 0n);

describe('momentSummer', () => {
  it('sums the upper triangle of weighted moments, and sqrt(2) times what stands twice, to a few steps of the grid', () => {
    const batch = draw(3000);
    const sums = sumsOf(batch);
    const { moments, targets } = momentsByHand(batch, base.norm);
    let place = 0;
    for (let a = 0; a <= FEATURES; a++)
      for (let b = a; b <= FEATURES; b++) {
        const value = (a === b ? 1 : Math.SQRT2) * moments[a]![b]!;
        // 3,000 roundings that had nothing to do with each other would have a deviation of 16 steps.
        expect(sums[place++]! * base.grid).to.be.closeTo(value, 80 * base.grid);
      }
    expect(sums[place]! * base.grid).to.be.closeTo(targets, 80 * base.grid);
    expect(place).to.equal(sums.length - 1);
  });

  it('says on which grid and held to which norm the sums are, which are raw and whole', () => {
    const batch = draw(10);
    const summer = momentSummer({ ...base, rows: 10 });
    summer.add(batch);
    const { sums, ...rest } = summer.finish();
    expect(rest).to.deep.equal({
      blocks: 1,
      rowsPerBlock: 10,
      privacy: 'raw',
      grid: base.grid,
      squaredNorm: base.squaredNorm,
    });
    expect(sums.every(Number.isSafeInteger)).to.equal(true);
  });

  it('gives the same sums for any cut of the rows into batches', () => {
    const batch = draw(2500);
    const whole = sumsOf(batch);
    for (const cuts of [[1], [1024], [7, 8, 2000]]) expect(sumsOf(batch, {}, cuts)).to.deep.equal(whole);
  });

  it('holds every row to the norm by its weight, and what exceeds the norm on the grid is shrunk', () => {
    // B2 = (N/grid)^2.
    const bound = Math.floor((base.norm / base.grid) ** 2);
    for (let k = 0; k < 2000; k++) {
      const one = draw(1, 10 ** uniformBetween(random, -3, 3));
      expect(squaredNorm(sumsOf(one, { squaredNorm: bound })) <= BigInt(bound)).to.equal(true);
      // Another N than the grid was made for: the check does not rest on it.
      expect(squaredNorm(sumsOf(one, { squaredNorm: 1000, norm: 1e6 })) <= 1000n).to.equal(true);
    }
  });

  it('moves by at most 2 sqrt(B2) where one row is replaced, whatever the rows hold', () => {
    const odd = [NaN, Infinity, -Infinity, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 0, -0, 1, -1, 1e9];
    const B2 = 12_345_678;
    const grid = base.norm / Math.sqrt(B2);
    const value = (): number =>
      integerBelow(random, 2) === 0 ? odd[integerBelow(random, odd.length)]! : uniformBetween(random, -1, 1);
    for (let k = 0; k < 3000; k++) {
      const columns = Array.from({ length: FEATURES }, () => Float64Array.from({ length: 4 }, value));
      const other = columns.map(column => column.slice());
      for (const column of other) column[2] = value();
      const sums = [columns, other].map(own =>
        sumsOf(sampleBatch(own, new Float64Array(4)), { grid, squaredNorm: B2 }),
      );
      const moved = sums[0]!.map((sum, j) => sum - sums[1]![j]!);
      expect(squaredNorm(moved) <= 4n * BigInt(B2)).to.equal(true);
    }
  });

  it('adds exactly 0 for rows that weigh nothing or hold what is not finite', () => {
    const columns = [[NaN], [Infinity], [1]].map(values => Float64Array.from(values));
    expect([...sumsOf(sampleBatch(columns, Float64Array.of(0)))].every(sum => sum === 0)).to.equal(true);
    const half = Array.from({ length: FEATURES }, () => Float64Array.of(0.5));
    const weightless = { ...sampleBatch(half, Float64Array.of(0)), weights: Float64Array.of(0) };
    expect([...sumsOf(weightless)].every(sum => sum === 0)).to.equal(true);
  });

  it('refuses sums that could leave the whole numbers, and too few rows', () => {
    expect(() => momentSummer({ ...base, rows: 2 ** 30 })).to.throw(ArgumentError, 'rowsPerBlock');
    expect(() => momentSummer({ ...base, rows: 5 }).finish()).to.throw(ArgumentError, '5 rows');
  });
});
