import { expect } from 'chai';
import fc from 'fast-check';
import { type Moments, moments } from '../../src/math/moments.ts';
import { expectClose } from '../support/close.ts';

const of = (values: readonly number[], weights: readonly number[] = []): Moments => {
  const seen = moments();
  values.forEach((value, i) => {
    seen.add(value, weights[i]);
  });
  return seen;
};

/** A sum that rounds once: of exact multiples of 2^-20. */
const exact = (values: readonly number[]): bigint => values.reduce((sum, x) => sum + BigInt(x * 2 ** 20), 0n);

describe('moments', () => {
  const multiple = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map(k => k / 2 ** 20);

  it('have the mean of the numbers, to the last digits', () => {
    fc.assert(
      fc.property(fc.array(multiple, { minLength: 1, maxLength: 500 }), values => {
        const mean = Number(exact(values)) / 2 ** 20 / values.length;
        const size = values.reduce((sum, x) => sum + Math.abs(x), 0) / values.length;
        expect(of(values).mean).to.be.closeTo(mean, 1e-15 * size);
      }),
      { seed: 1 },
    );
  });

  it('have the spread around it, however large the mean is beside it', () => {
    const spread = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    for (const offset of [0, 1e6, 1e12, -1e15]) {
      const seen = of(spread.map(x => x + offset));
      expect(seen.mean).to.equal(5.5 + offset);
      expectClose(seen.squares, 82.5);
    }
  });

  it('take a weight as so many equal numbers, and a weight of 0 as none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(multiple, fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 50 }),
        pairs => {
          const repeated = of(pairs.flatMap(([value, times]) => Array<number>(times).fill(value)));
          const weighted = of(
            pairs.map(([value]) => value),
            pairs.map(([, times]) => times),
          );
          expect(weighted.weight).to.equal(repeated.weight);
          const scale = Math.sqrt(repeated.squares) + Math.abs(repeated.mean);
          expect(weighted.mean).to.be.closeTo(repeated.mean, 1e-14 * scale);
          expect(weighted.squares).to.be.closeTo(repeated.squares, 1e-12 * scale ** 2);
        },
      ),
      { seed: 2 },
    );
  });

  it('know a constant as exactly constant', () => {
    const seen = of(Array<number>(1000).fill(0.1));
    expect([seen.mean, seen.squares]).to.deep.equal([0.1, 0]);
  });

  it('are 0 before the first number', () => {
    const { weight, mean, squares } = moments();
    expect([weight, mean, squares]).to.deep.equal([0, 0, 0]);
  });
});
