import { expect } from 'chai';
import fc from 'fast-check';
import { type BlockRequest, type BlockSummer, blockSummer } from '../../../src/engine/kernel/blockSummer.ts';
import { type IntegerRequest, integerSummer } from '../../../src/engine/kernel/integerSummer.ts';
import { fastIntegerSummer } from '../../../src/engine/kernel/wasmSummer.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { integerBelow, type Random, uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { norm, zeros } from '../../../src/math/vector.ts';
import type { Loss } from '../../../src/method/loss/loss.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { losses, sampleFor } from '../../support/losses.ts';

type MakeSummer<R> = (request: R) => BlockSummer;

function sumsOf<R extends BlockRequest>(make: MakeSummer<R>, request: R, ...batches: SampleBatch[]) {
  const summer = make(request);
  for (const batch of batches) summer.add(batch);
  return summer.finish().sums;
}

/** Rows whose gradient is x: squared loss at 0 with a target of -1. */
function rowsOf(...rows: readonly (readonly number[])[]): SampleBatch {
  const columns = rows[0]!.map((_, j) => Float64Array.from(rows, row => row[j]!));
  return sampleBatch(columns, new Float64Array(rows.length).fill(-1));
}

/** A request for the sum of such rows. */
const sumOf = (rows: number, size: number, part: Partial<IntegerRequest> = {}): IntegerRequest => ({
  loss: squared(),
  at: zeros(size),
  blocks: 1,
  rowsPerBlock: rows,
  grid: 1,
  squaredNorm: 2 ** 52,
  ...part,
});

const squaredNorm = (whole: Float64Array): bigint => whole.reduce((sum, q) => sum + BigInt(q) ** 2n, 0n);

describe('integerSummer', () => {
  it('gives whole sums, raw, and says on which grid and held to which norm', () => {
    const request = sumOf(2, 2, { grid: 0.25 });
    const summer = integerSummer(request);
    summer.add(rowsOf([1, -2], [3, 4]));
    expect(summer.finish()).to.deep.equal({
      sums: Float64Array.of(16, 8),
      blocks: 1,
      rowsPerBlock: 2,
      privacy: 'raw',
      grid: 0.25,
      squaredNorm: 2 ** 52,
    });
  });

  it('gives what is on the grid already as it is, whatever the dither', () => {
    holdsForAll(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 })), {
          minLength: 1,
          maxLength: 50,
        }),
        fc.constantFrom(1, 2 ** -20, 2 ** 300),
        (rows, grid) => {
          const request = sumOf(rows.length, 2, { grid });
          const batch = rowsOf(...rows.map(row => row.map(q => q * grid)));
          expect(sumsOf(integerSummer, request, batch)).to.deep.equal(
            Float64Array.from([0, 1], j => rows.reduce((sum, row) => sum + row[j]!, 0)),
          );
        },
      ),
    );
  });

  it('agrees with plain sums to a few steps of the grid, for every loss', () => {
    for (const loss of losses) {
      for (const intercept of [false, true]) {
        const [rows, features] = [3000, 4];
        const batch = { ...sampleFor(loss, rows, features), weights: new Float64Array(rows).fill(0.5) };
        const at = Float64Array.from({ length: features + (intercept ? 1 : 0) }, (_, j) => 0.1 * j);
        const request = { loss, at, blocks: 3, rowsPerBlock: 1000, intercept };
        const plain = sumsOf(blockSummer, request, batch);
        const grid = 1e-3;
        sumsOf(integerSummer, { ...request, grid, squaredNorm: 2 ** 52 }, batch).forEach((sum, k) => {
          // Each of 1,000 roundings is a step at most; unrelated ones add up to 9 in standard deviation.
          expect(sum).to.be.closeTo(plain[k]! / grid, 90);
        });
      }
    }
  });

  it('rounds equal gradients evenly: the error of their sum does not grow with their number', () => {
    for (const gradient of [0.5, 0.1, 1 / 3, 0.618034, -0.0123, 12345.678]) {
      for (const rows of [10, 1000, 100_000]) {
        const batch = rowsOf(...Array.from({ length: rows }, () => [gradient, gradient]));
        for (const sum of sumsOf(integerSummer, sumOf(rows, 2), batch)) {
          expect(sum).to.be.closeTo(rows * gradient, 5);
        }
      }
    }
  });

  it('rounds a row differently at each place and coordinate, by nothing but these', () => {
    const rows = Array.from({ length: 64 }, () => [0.5, 0.5]);
    const request = sumOf(1, 2, { blocks: 64 });
    const sums = sumsOf(integerSummer, request, rowsOf(...rows));
    const [first, second] = [0, 1].map(j => sums.filter((_, k) => k % 2 === j));
    for (const column of [first!, second!]) {
      expect(column.reduce((sum, q) => sum + q, 0)).to.be.closeTo(32, 3);
    }
    expect(first).not.to.deep.equal(second);
    // Another row elsewhere changes nothing here.
    const others = rows.map((row, i) => (i === 7 ? [1e9, NaN] : row));
    const changed = sumsOf(integerSummer, request, rowsOf(...others));
    expect(changed.filter((q, k) => q !== sums[k] && Math.floor(k / 2) !== 7)).to.have.length(0);
  });

  it('shrinks a gradient beyond the norm to it, and keeps its direction', () => {
    const [sum] = [sumsOf(integerSummer, sumOf(1, 2, { squaredNorm: 25e10 }), rowsOf([3e7, -4e7]))];
    expect(sum[0]).to.be.within(3e5 - 2, 3e5);
    expect(sum[1]).to.be.within(-4e5, -4e5 + 2);
  });

  it('lets a gradient at the norm be, and shrinks the next one beyond', () => {
    expect(sumsOf(integerSummer, sumOf(1, 2, { squaredNorm: 25 }), rowsOf([3, 4]))).to.deep.equal(
      Float64Array.of(3, 4),
    );
    expect(sumsOf(integerSummer, sumOf(1, 2, { squaredNorm: 24 }), rowsOf([3, 4]))).to.deep.equal(
      Float64Array.of(2, 3),
    );
    const largest = 2 ** 26;
    expect(sumsOf(integerSummer, sumOf(1, 1), rowsOf([largest]))).to.deep.equal(Float64Array.of(largest));
    const [beyond] = sumsOf(integerSummer, sumOf(1, 1), rowsOf([largest + 1]));
    expect(beyond).to.be.within(largest - 2, largest);
  });

  it('never exceeds the norm by one, where squares leave the whole doubles', () => {
    // 2^52 and one more: the sum of squares is a whole double, and one too large.
    const sums = sumsOf(integerSummer, sumOf(1, 2), rowsOf([2 ** 26, 1]));
    expect(Number(squaredNorm(sums))).to.be.at.most(2 ** 52);
    // 2^26 coordinates would be needed to lose a 1 beside 2^53; a single one beside 2^60 is lost and still too large.
    const lost = sumsOf(integerSummer, sumOf(1, 3), rowsOf([2 ** 30, 1, 1]));
    expect(squaredNorm(lost) <= 2n ** 52n).to.equal(true);
  });

  it('adds exactly 0 for a row of NaN, infinities or overflow, and for one that weighs nothing', () => {
    const bad = [NaN, Infinity, -Infinity, 1e308, -1e200];
    for (const clip of [undefined, 1]) {
      for (const value of bad) {
        for (const row of [
          [value, 1],
          [1, value],
          [value, value],
        ]) {
          const request = sumOf(3, 2, { grid: 1e-4, ...(clip === undefined ? {} : { clip }) });
          const batch = rowsOf([0.2, 0.3], row, [0.4, 0.5]);
          const without = rowsOf([0.2, 0.3], [0, 0], [0.4, 0.5]);
          expect(sumsOf(integerSummer, request, batch)).to.deep.equal(sumsOf(integerSummer, request, without));
        }
      }
    }
    const weightless = { ...rowsOf([1, 2], [3, 4], [5, 6]), weights: zeros(3) };
    expect(sumsOf(integerSummer, sumOf(3, 2), weightless)).to.deep.equal(zeros(2));
    const spoilt = { ...rowsOf([1, 2]), target: Float64Array.of(NaN) };
    expect(sumsOf(integerSummer, sumOf(1, 2), spoilt)).to.deep.equal(zeros(2));
  });

  it('clips gradients to a norm first, weights included and the intercept counted', () => {
    const grid = 1e-6;
    holdsForAll(
      fc.property(fc.tuple(uniform(-3, 3), uniform(-3, 3)), uniform(0, 4), fc.boolean(), (row, weight, intercept) => {
        const clip = 1.5;
        const size = intercept ? 3 : 2;
        const gradient = Float64Array.from([...row, ...(intercept ? [1] : [])], x => weight * x);
        const share = Math.min(1, clip / norm(gradient));
        const batch = { ...rowsOf(row), weights: Float64Array.of(weight) };
        const sums = sumsOf(integerSummer, sumOf(1, size, { grid, clip, intercept }), batch);
        sums.forEach((q, j) => {
          expect(q * grid).to.be.closeTo(gradient[j]! * share, 1.001 * grid);
        });
      }),
    );
  });

  it('gives the same sums for any cut of the rows into batches, and takes no row past the last block', () => {
    const batch = sampleFor(squared(), 2100, 3);
    const request = sumOf(1025, 3, { blocks: 2, grid: 0.01, at: Float64Array.of(1, 2, 3) });
    const expected = sumsOf(integerSummer, request, batch);
    holdsForAll(
      fc.property(fc.array(fc.integer({ min: 0, max: 2100 }), { maxLength: 5 }), cuts => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), 2100];
        const parts = edges.slice(1).map((end, k) => rowsBetween(batch, edges[k]!, end));
        expect(sumsOf(integerSummer, request, ...parts)).to.deep.equal(expected);
      }),
    );
    const summer = integerSummer(request);
    expect(summer.add(batch)).to.equal(2050);
  });

  it('refuses what could not be exact or has no meaning, by name', () => {
    const good = sumOf(4, 2);
    const bad: [part: Partial<IntegerRequest>, message: string][] = [
      [{ grid: 0 }, 'grid must be a finite number above 0, got 0'],
      [{ grid: NaN }, 'grid must be a finite number above 0, got NaN'],
      [{ squaredNorm: 0 }, 'squaredNorm must be a whole number from 1 to 4503599627370496, got 0'],
      [{ squaredNorm: 1.5 }, 'squaredNorm must be a whole number'],
      [{ squaredNorm: 2 ** 53 }, 'squaredNorm must be a whole number'],
      [{ clip: 0 }, 'clip must be a finite number above 0, got 0'],
      [{ clip: NaN }, 'clip must be a finite number above 0, got NaN'],
      [{ rowsPerBlock: 2 ** 27 }, 'rowsPerBlock must stay below 2^53/sqrt(squaredNorm) = 134217728'],
      [{ rowsPerBlock: 2.5 }, 'rowsPerBlock must be a whole number of at least 1, got 2.5'],
      [{ at: Float64Array.of(NaN, 1) }, 'at[0] must be a finite number, got NaN'],
    ];
    for (const make of [integerSummer, fastIntegerSummer]) {
      make(good);
      make({ ...good, rowsPerBlock: 2 ** 27 - 1 });
      for (const [part, message] of bad) {
        expect(() => make({ ...good, ...part })).to.throw(ArgumentError, message);
      }
      const summer = make(good);
      summer.add(rowsOf([1, 2]));
      expect(() => summer.finish()).to.throw(ArgumentError, '1 blocks of 4 rows need 4 rows, got 1');
    }
  });
});

/** Rows that try to break a bound, and a bound to break. */
function adversary(random: Random, loss: Loss, clipped: boolean) {
  const pick = <T>(...choices: readonly T[]): T => choices[integerBelow(random, choices.length)]!;
  const some = (scale: number): number => uniformBetween(random, -scale, scale);
  const wild = (): number =>
    pick(
      NaN,
      Infinity,
      -Infinity,
      1e308,
      -1e308,
      1e160,
      1e154,
      5e-324,
      -1e-310,
      0,
      -0,
      2 ** 26,
      2 ** 53,
      -(2 ** 30) - 1,
    );
  const value = (scale: number): number => (pick(true, true, true, false) ? some(scale) : wild());
  const [squaredNorm, exact] = pick(
    [1, [1, 0]],
    [25, [3, 4]],
    [169, [-5, 12]],
    [2 ** 36 + 1, [2 ** 18, 1]],
    [2 ** 52, [2 ** 26, 0]],
  );
  const grid = pick(1, 1e-5, 2 ** -30, 1e-300, 1e290);
  const bound = grid * Math.sqrt(squaredNorm);
  const size = pick(2, 3);
  const intercept = size === 3;
  const request: IntegerRequest = {
    loss,
    at: Float64Array.from({ length: size }, () => pick(0, some(1), some(1e3), 1e300)),
    blocks: 1,
    rowsPerBlock: 2,
    intercept,
    grid,
    squaredNorm,
    ...(clipped ? { clip: pick(bound, bound / 3, 10 * bound) } : {}),
  };
  const row = (): number[] => {
    const scale = pick(bound, 100 * bound, bound / Math.sqrt(squaredNorm));
    // The last two are near or at the bound where a slope is near 1, or -1.
    const x = pick(
      () => [value(1), value(1)],
      () => [value(scale), value(scale)],
      () => exact.map(q => q * grid),
      () => exact.map(q => -q * grid),
    )();
    return [...x, pick(value(1), -1, 1, value(bound)), pick(1, 1, value(2))];
  };
  const batchOf = (...rows: number[][]): SampleBatch => ({
    rows: rows.length,
    columns: [0, 1].map(j => Float64Array.from(rows, given => given[j]!)),
    target: Float64Array.from(rows, given => given[2]!),
    weights: Float64Array.from(rows, given => given[3]!),
  });
  const [kept, one, other] = [row(), row(), row()];
  const isFirst = pick(true, false);
  return {
    request,
    pair: [one, other].map(mine => (isFirst ? batchOf(mine, kept) : batchOf(kept, mine))),
  };
}

describe('the sensitivity of integer sums', () => {
  for (const loss of [...losses, pseudoHuber(1e3)]) {
    for (const clipped of [false, true]) {
      it(`is at most 2 sqrt(B2) over 10,000 pairs of adversarial neighbours: ${loss.name}, ${clipped ? 'clipped' : 'not clipped'}`, () => {
        const random = seeded(1, `neighbours of ${loss.name}`);
        let closest = 0;
        for (let k = 0; k < 10_000; k++) {
          const { request, pair } = adversary(random, loss, clipped);
          for (const make of loss.kernel === undefined ? [integerSummer] : [integerSummer, fastIntegerSummer]) {
            const [a, b] = pair.map(batch => sumsOf(make, request, batch));
            const moved = a!.reduce((sum, q, j) => sum + (BigInt(q) - BigInt(b![j]!)) ** 2n, 0n);
            const most = 4n * BigInt(request.squaredNorm);
            if (moved > most) expect.fail(`moved by ${moved}, more than ${most}`);
            closest = Math.max(closest, Number(moved) / Number(most));
          }
        }
        // The bound is reached, so the pairs do try it.
        expect(closest).to.be.above(0.99);
      });
    }
  }
});
