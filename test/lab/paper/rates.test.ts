import { expect } from 'chai';
import type { Point } from '../../../src/lab/paper/figure.ts';
import { coveringRank, ratesOf } from '../../../src/lab/paper/rates.ts';

const curve = (series: string, slope: number, reading = 'primary'): Point[] =>
  [500, 4000, 6000, 8000, 16_000].map(x => ({
    reading,
    series,
    x,
    // Below a quarter of the largest n the error may do what it likes.
    value: x < 4000 ? 100 : 3 + slope * Math.log(x),
  }));

describe('ratesOf', () => {
  it('finds planted slopes over the larger n, with the seeds that enclose their median', () => {
    const seeds = Array.from({ length: 20 }, (_, k) => [
      ...curve('ACCFW', -1 / 5 + (k - 9.5) / 100),
      ...curve('FW', -1 / 6),
      ...curve('FW', 7, 'split'),
    ]);
    const [fast, plain] = ratesOf('plot7', seeds);
    expect(fast).to.include({
      series: 'ACCFW',
      theorem: 'ACCFWROB',
      exponent: -1 / 5,
      from: 4000,
      to: 16_000,
    });
    expect(fast!.slope).to.be.closeTo(-1 / 5, 1e-12);
    // The 6th and the 15th of 20.
    expect(fast!.low).to.be.closeTo(-1 / 5 - 0.045, 1e-12);
    expect(fast!.high).to.be.closeTo(-1 / 5 + 0.045, 1e-12);
    for (const key of ['slope', 'low', 'high'] as const) expect(plain![key]).to.be.closeTo(-1 / 6, 1e-12);
  });

  it('bounds nothing with fewer than 6 seeds, and has no rates for figures without a power law', () => {
    const [rate] = ratesOf(
      'plot7',
      Array.from({ length: 5 }, () => [...curve('ACCFW', -1), ...curve('FW', -1)]),
    );
    expect(rate).to.include({ low: -Infinity, high: Infinity });
    expect(ratesOf('plot4', [[]])).to.deep.equal([]);
  });

  it('takes logarithms where a figure shows errors themselves, and powers of eps where rows are contaminated', () => {
    const errors = (series: string, exponent: number): Point[] =>
      [0, 5, 10, 20].map(x => ({ reading: 'primary', series, x, value: 3 * x ** exponent }));
    const [gd, agd] = ratesOf('contamination', [[...errors('GD Huber', 1 / 2), ...errors('AGD Huber', 1)]]);
    expect(gd).to.include({ theorem: 'Hu_eps_PGD', of: 'eps in %', from: 5, to: 20 });
    expect(gd!.slope).to.be.closeTo(1 / 2, 1e-12);
    expect(agd!.slope).to.be.closeTo(1, 1e-12);
  });

  it('looks at private SGD where it ends', () => {
    const points = [100, 200, 400].flatMap(rows =>
      ['ACCFW', 'SGD'].flatMap(method =>
        [rows, rows ** 2].map(x => ({
          reading: 'primary',
          series: `${method} n=${rows}`,
          x,
          value: x === rows ? 100 : -2 * Math.log(rows),
        })),
      ),
    );
    for (const rate of ratesOf('private-sgd', [points])) {
      expect(rate).to.include({ exponent: -1, from: 100, to: 400 });
      expect(rate.slope).to.be.closeTo(-2, 1e-12);
    }
  });
});

describe('coveringRank', () => {
  it('has the ranks of tables of the sign test', () => {
    for (const [count, rank] of [
      [5, 0],
      [6, 1],
      [8, 1],
      [9, 2],
      [15, 4],
      [20, 6],
      [50, 18],
    ] as const) {
      expect(coveringRank(count), String(count)).to.equal(rank);
    }
  });
});
