import { expect } from 'chai';
import type { Pilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const SLOPE = 1.9;

/** Rows around 0, of which a share lies far out; targets on a line but for noise, and what far rows have instead. */
function studied(
  seed: number,
  {
    rows = 400,
    share = 0.08,
    at = 60,
    noise = 4,
    far = (x: number): number => SLOPE * x,
  }: { rows?: number; share?: number; at?: number; noise?: number; far?: (x: number) => number },
): { readonly pilot: Pilot; readonly leastSquares: number } {
  const random: Random = seeded(`far rows ${seed}`, 'rows');
  const isFar = Array.from({ length: rows }, () => uniform(random) < share);
  const x = Float64Array.from(isFar, out => normal(random) + (out ? at : 0));
  const y = x.map((value, i) => (isFar[i] ? far(value) : SLOPE * value) + noise * normal(random));
  const [meanX, meanY] = [x, y].map(values => values.reduce((sum, value) => sum + value, 0) / rows);
  const products = (of: Float64Array): number =>
    x.reduce((sum, value, i) => sum + (value - meanX!) * (of[i]! - (of === x ? meanX! : meanY!)), 0);
  return {
    pilot: studyPilot(sampleBatch([x], y), { loss: 'auto', intercept: true, isBlended: true }),
    leastSquares: products(y) / products(x),
  };
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

describe('rows far out that follow the others', () => {
  it('are counted as much, where the others alone do not tell the slope so far', () => {
    // The slope of near rows alone is off by 0.2 and more, that of all by 0.012. The samples are seeded.
    for (const seed of seeds) {
      const { pilot, leastSquares } = studied(seed, {});
      expect(Math.abs(pilot.estimate.theta[0]! - leastSquares), `seed ${seed}`).to.be.below(0.02);
    }
  });

  it('are counted as much where they are few', () => {
    for (const seed of seeds) {
      const { pilot, leastSquares } = studied(seed, { rows: 2000, share: 0.01, at: 100 });
      expect(Math.abs(pilot.estimate.theta[0]! - leastSquares), `seed ${seed}`).to.be.below(0.03);
    }
  });
});

describe('rows far out of another law', () => {
  const others: Record<string, (x: number) => number> = {
    'of the opposite slope': x => -SLOPE * x,
    'of no slope': () => 0,
    'off the line to one side': x => SLOPE * x + 100,
  };
  for (const [law, far] of Object.entries(others)) {
    it(`${law} do not carry the estimate away`, () => {
      for (const seed of seeds) {
        const { pilot } = studied(seed, { noise: 1, at: 30, far });
        // Five standard errors of the other rows.
        expect(Math.abs(pilot.estimate.theta[0]! - SLOPE), `seed ${seed}`).to.be.below(5 / Math.sqrt(370));
      }
    });
  }
});
