import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { quantileSketch } from '../../src/math/quantileSketch.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { casesOf } from '../laws/holdsForAll.ts';

/** The least value with at least this share of the weight at or below it, by sorting. */
function exactQuantile(pairs: readonly (readonly [value: number, weight: number])[], share: number): number {
  const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
  let below = 0;
  return pairs
    .filter(([, weight]) => weight > 0)
    .toSorted(([a], [b]) => a - b)
    .find(([, weight]) => {
      below += weight;
      return below >= share * total;
    })![0];
}

describe('quantileSketch', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const share = fc.integer({ min: 0, max: 64 }).map(k => k / 64);

  it('is within 1/128 of the exact quantile, and within what it says, for any doubles', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 200 }), share, (values, q) => {
        const sketch = quantileSketch();
        for (const value of values) sketch.add(value);
        const exact = exactQuantile(
          values.map(value => [value, 1]),
          q,
        );
        const { value, within } = sketch.quantile(q);
        expect(Math.abs(value - exact)).to.be.at.most(within);
        expect(within).to.be.at.most(Math.max(Math.abs(exact) / 128, 2 ** -1029));
      }),
      { seed: 1, numRuns: casesOf(500) },
    );
  });

  it('is within 1/128 of the distance from its origin', () => {
    const near = fc.double({ noNaN: true, min: 280, max: 300 });
    fc.assert(
      fc.property(fc.array(near, { minLength: 1, maxLength: 200 }), near, share, (values, origin, q) => {
        const sketch = quantileSketch({ origin });
        for (const value of values) sketch.add(value);
        const exact = exactQuantile(
          values.map(value => [value, 1]),
          q,
        );
        const { value, within } = sketch.quantile(q);
        expect(Math.abs(value - exact)).to.be.at.most(within + 1e-13);
        expect(within).to.be.at.most(Math.max(Math.abs(exact - origin) / 128, 2 ** -1029));
      }),
      { seed: 2, numRuns: casesOf(200) },
    );
  });

  it('honours weights', () => {
    const weighted = fc.tuple(
      finite,
      fc.integer({ min: 0, max: 64 }).map(k => k / 8),
    );
    fc.assert(
      fc.property(fc.array(weighted, { minLength: 1, maxLength: 100 }), share, (pairs, q) => {
        fc.pre(pairs.some(([, weight]) => weight > 0));
        const sketch = quantileSketch();
        for (const [value, weight] of pairs) sketch.add(value, weight);
        const { value, within } = sketch.quantile(q);
        expect(Math.abs(value - exactQuantile(pairs, q))).to.be.at.most(within);
      }),
      { seed: 3, numRuns: casesOf(200) },
    );
  });

  it('is exact for whole numbers up to 256, and for a constant', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -256, max: 256 }), { minLength: 1, maxLength: 300 }),
        share,
        (values, q) => {
          const sketch = quantileSketch();
          for (const value of values) sketch.add(value);
          const pairs = values.map(value => [value, 1] as const);
          expect(sketch.quantile(q).value).to.equal(exactQuantile(pairs, q));
        },
      ),
      { seed: 4 },
    );
    const constant = quantileSketch();
    for (let i = 0; i < 1000; i++) constant.add(0.1);
    expect(constant.quantile(0.5).value).to.equal(0.1);
  });

  it('holds the whole range of doubles', () => {
    const sketch = quantileSketch({ origin: Number.MAX_VALUE });
    sketch.add(-Number.MAX_VALUE);
    expect(sketch.quantile(0.5).value).to.be.finite;
    const ends = quantileSketch();
    for (const value of [-Number.MAX_VALUE, -0, 0, Number.MIN_VALUE, Number.MAX_VALUE]) ends.add(value);
    expect(ends.quantile(0).value).to.equal(-Number.MAX_VALUE);
    expect(ends.quantile(1).value).to.equal(Number.MAX_VALUE);
    expect(ends.quantile(0.5).value).to.be.closeTo(0, 2 ** -1029);
  });

  it('keeps its bins in order, and few of them', () => {
    const random = seeded(5, 'sketch');
    const sketch = quantileSketch();
    for (let i = 0; i < 100_000; i++) sketch.add(normal(random));
    const bins = [...sketch.bins()];
    expect(bins.length).to.be.below(6000);
    bins.slice(1).forEach(({ value }, k) => {
      expect(value).to.be.above(bins[k]!.value);
    });
    expect(bins.reduce((sum, { weight }) => sum + weight, 0)).to.equal(100_000);
  });

  it('refuses a share that is none, and to invent a quantile of nothing', () => {
    const sketch = quantileSketch();
    expect(() => sketch.quantile(0.5)).to.throw(ArgumentError, 'the weight of a sketch must be above 0');
    sketch.add(1);
    expect(() => sketch.quantile(1.5)).to.throw(ArgumentError, 'share must be from 0 to 1, got 1.5');
  });
});
