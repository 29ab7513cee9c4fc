import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { gapOf } from '../../../src/source/inspect/numberProfile.ts';

const random = seeded('gap', 'values');

function gapAmong(rows: number, draw: (i: number) => number): number | null {
  const values = Float64Array.from({ length: rows }, (_, i) => draw(i)).sort();
  const quantile = (share: number): number => values[Math.max(0, Math.ceil(share * rows) - 1)]!;
  return gapOf(rows, quantile);
}

describe('gapOf', () => {
  it('measures the share of values beyond a gap, on either side', () => {
    for (const share of [0.001, 0.01, 0.05]) {
      for (const code of [1e5, -9999]) {
        const found = gapAmong(50_000, i => (i % Math.round(1 / share) === 0 ? code : 50 + 10 * normal(random)));
        expect(found, `${share} at ${code}`).to.be.closeTo(share, 0.1 * share);
      }
    }
  });

  it('finds none in tails that thin out evenly, however heavy', () => {
    const laws = {
      normal: () => normal(random),
      uniform: () => uniform(random),
      exponential: () => -Math.log(uniform(random)),
      'log-normal': () => Math.exp(normal(random)),
      'exp(2 z)': () => Math.exp(2 * normal(random)),
      't(2)': () => studentT(random, 2),
      Cauchy: () => studentT(random, 1),
    };
    for (const [law, draw] of Object.entries(laws)) {
      for (const rows of [100, 5000, 50_000]) expect(gapAmong(rows, draw), `${law} ${rows}`).to.equal(null);
    }
  });

  it('finds none where most values are one, or few are there', () => {
    expect(gapAmong(10_000, i => (i % 50 === 0 ? i : 0))).to.equal(null);
    expect(gapAmong(10_000, i => i % 2)).to.equal(null);
    expect(gapAmong(3, i => 1000 ** i)).to.equal(null);
    expect(gapAmong(1, () => 7)).to.equal(null);
  });
});
