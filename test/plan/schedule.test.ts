import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { geometricChunks, type Schedule, uniformChunks } from '../../src/plan/schedule.ts';
import { casesOf, holdsForAll, uniform } from '../laws/holdsForAll.ts';
import { refusesBad } from '../support/badArguments.ts';

/** Steps, ratios and least sizes, with rows enough for them. */
const settings = fc
  .record({
    steps: fc.integer({ min: 1, max: 60 }),
    ratio: fc.oneof(fc.constant(1), uniform(0.05, 1)),
    least: fc.integer({ min: 1, max: 40 }),
    more: uniform(0, 6).map(exponent => Math.floor(10 ** exponent) - 1),
  })
  .map(({ steps, ratio, least, more }) => ({ rows: steps * least + more, steps, ratio, least }));

const total = ({ chunks }: Schedule): number => chunks.reduce((sum, size) => sum + size, 0);

describe('uniformChunks', () => {
  it('cuts floor(n/T) rows for each step and leaves the rest over', () => {
    expect(uniformChunks({ rows: 10_000, steps: 6 })).to.deep.equal({
      chunks: [1666, 1666, 1666, 1666, 1666, 1666],
      leftOver: 4,
    });
    expect(uniformChunks({ rows: 7, steps: 7 })).to.deep.equal({
      chunks: [1, 1, 1, 1, 1, 1, 1],
      leftOver: 0,
    });
    expect(uniformChunks({ rows: 5, steps: 1 })).to.deep.equal({ chunks: [5], leftOver: 0 });
  });

  it('accounts for every row once', () => {
    holdsForAll(
      fc.property(settings, ({ rows, steps }) => {
        const schedule = uniformChunks({ rows, steps });
        expect(schedule.chunks).to.have.length(steps);
        expect(total(schedule) + schedule.leftOver).to.equal(rows);
        expect(schedule.leftOver).to.be.within(0, steps - 1);
      }),
    );
  });

  it('refuses more steps than rows, and counts that are none', () => {
    expect(() => uniformChunks({ rows: 5, steps: 6 })).to.throw(
      ArgumentError,
      'rows must be at least steps x 1 = 6, got 5; use more rows or fewer steps',
    );
    refusesBad(uniformChunks, { rows: 10, steps: 2 }, { rows: 'count', steps: 'count' });
  });
});

describe('geometricChunks', () => {
  it('gives late steps more rows, by the ratio', () => {
    expect(geometricChunks({ rows: 150, steps: 4, ratio: 1 / 2 }).chunks).to.deep.equal([10, 20, 40, 80]);
    expect(geometricChunks({ rows: 10, steps: 4, ratio: 1 }).chunks).to.deep.equal([2, 2, 3, 3]);
  });

  it('gives early steps the least size where their share is smaller, and shares out the rest', () => {
    const { chunks, leftOver } = geometricChunks({ rows: 1000, steps: 6, ratio: 1 / 10, least: 50 });
    expect(chunks).to.deep.equal([50, 50, 50, 50, 72, 728]);
    expect(leftOver).to.equal(0);
  });

  it('uses every row in one chunk, none twice', () => {
    holdsForAll(
      fc.property(settings, setting => {
        const schedule = geometricChunks(setting);
        expect(schedule.chunks).to.have.length(setting.steps);
        expect(total(schedule)).to.equal(setting.rows);
        expect(schedule.leftOver).to.equal(0);
        for (const size of schedule.chunks) expect(size).to.satisfy(Number.isInteger);
      }),
    );
  });

  it('has no chunk below the least size, and none smaller than the one before', () => {
    holdsForAll(
      fc.property(settings, setting => {
        const { chunks } = geometricChunks(setting);
        chunks.forEach((size, t) => {
          expect(size).to.be.at.least(t === 0 ? setting.least : chunks[t - 1]!);
        });
      }),
    );
  });

  it('follows q^(T-1-t) to within a row where no least size binds', () => {
    let compared = 0;
    holdsForAll(
      fc.property(settings, ({ rows, steps, ratio }) => {
        const powers = Array.from({ length: steps }, (_, t) => ratio ** (steps - 1 - t));
        const whole = powers.reduce((sum, power) => sum + power, 0);
        const shares = powers.map(power => (rows * power) / whole);
        if (shares[0]! < 1) return;
        geometricChunks({ rows, steps, ratio }).chunks.forEach((size, t) => {
          expect(Math.abs(size - shares[t]!)).to.be.at.most(1 + 1e-9);
        });
        compared++;
      }),
    );
    expect(compared).to.be.above(casesOf(100));
  });

  it('shares out by q^(T-1-t) among the steps above the least size', () => {
    holdsForAll(
      fc.property(settings, setting => {
        const { chunks } = geometricChunks(setting);
        const large = chunks.map((size, t) => [size, t] as const).filter(([size]) => size > setting.least + 1);
        large.forEach(([size, t], k) => {
          const [next, after] = large[k + 1] ?? [size, t];
          // Each size is within a row of its share, so shares s and s' = s / q^(t'-t) may seem off by a row each.
          const steeper = setting.ratio ** (after - t);
          expect(Math.abs(size - next * steeper)).to.be.at.most(1 + steeper + 1e-9 * size);
        });
      }),
    );
  });

  it('is uniform for a ratio of 1, up to a row', () => {
    holdsForAll(
      fc.property(settings, ({ rows, steps, least }) => {
        const equal = uniformChunks({ rows, steps }).chunks[0]!;
        for (const size of geometricChunks({ rows, steps, ratio: 1, least }).chunks) {
          expect(size).to.be.within(equal, equal + 1);
        }
      }),
    );
  });

  it('refuses ratios outside (0, 1], too few rows, and counts that are none', () => {
    for (const ratio of [Number.NaN, 0, -0.5, 1.01, Infinity]) {
      expect(() => geometricChunks({ rows: 10, steps: 2, ratio })).to.throw(
        ArgumentError,
        `ratio must be in (0, 1], got ${ratio}`,
      );
    }
    expect(() => geometricChunks({ rows: 59, steps: 3, ratio: 0.5, least: 20 })).to.throw(
      ArgumentError,
      'rows must be at least steps x 20 = 60, got 59',
    );
    refusesBad(
      geometricChunks,
      { rows: 10, steps: 2, ratio: 0.5, least: 2 },
      {
        rows: 'count',
        steps: 'count',
        least: 'count',
      },
    );
  });
});

describe('a schedule', () => {
  it('is a frozen value', () => {
    for (const schedule of [
      uniformChunks({ rows: 10, steps: 3 }),
      geometricChunks({ rows: 10, steps: 3, ratio: 0.5 }),
    ]) {
      expect(schedule).to.be.frozen;
      expect(schedule.chunks).to.be.frozen;
    }
  });
});
