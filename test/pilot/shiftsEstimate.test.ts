import { expect } from 'chai';
import { lossByName } from '../../src/loss/lossByName.ts';
import type { Vector } from '../../src/math/vector.ts';
import { leverageOf } from '../../src/pilot/leverage.ts';
import { irls } from '../../src/pilot/minimize.ts';
import { shiftsEstimate } from '../../src/pilot/shiftsEstimate.ts';
import { normal } from '../../src/random/normal.ts';
import { type Random, uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import type { SampleBatch } from '../../src/sample/sampleBatch.ts';

const tukey = { loss: lossByName('tukey', { parameter: 4.685 }), isWeighted: false };
const huber = { loss: lossByName('pseudo-huber', { parameter: 1.345 }), isWeighted: true };

/**
 * y = x + noise in units of the features, with the share of samples in which counting far rows carries the estimate
 * away.
 */
function shareCarried(
  samples: number,
  rows: number,
  noise: (random: Random, x: number) => number,
  isOdd: (random: Random) => boolean,
): number {
  let carried = 0;
  for (let seed = 0; seed < samples; seed++) {
    const random = seeded(seed, 'carried');
    const odd = Uint8Array.from({ length: rows }, () => (isOdd(random) ? 1 : 0));
    const x = Float64Array.from(odd, own => (own ? 4 + 0.5 * normal(random) : normal(random)));
    const target = x.map((value, i) => (odd[i] ? -value : value) + noise(random, value));
    const batch: SampleBatch = { rows, columns: [x], target };
    const weights = new Float64Array(rows).fill(1);
    const leverage = leverageOf(batch, weights, true);
    const leverageWeights = leverage.weights(leverage.squares(batch.columns, rows));
    const start: Vector = Float64Array.of(1, 0);
    const t = irls(batch, tukey.loss.loss, start, {
      intercept: true,
      weights,
      penalties: new Float64Array(2),
    });
    const options = { intercept: true, leverage, weights, leverageWeights, t };
    if (shiftsEstimate(batch, { chosen: tukey, other: huber }, options)) carried++;
  }
  return carried / samples;
}

describe('isCarriedAway', () => {
  // A chi-square of 2 degrees is beyond 2 + 3 * 2 in one of 55 samples: of 200, in more than 13 hardly once in ten
  // thousand.
  it('is seldom so where noise is symmetric, also where it grows with a feature', () => {
    expect(shareCarried(200, 500, normal, () => false)).to.be.below(13 / 200);
    const growing = (random: Random, x: number): number => (0.5 + Math.abs(x)) * normal(random);
    expect(shareCarried(200, 500, growing, () => false)).to.be.below(13 / 200);
  });

  it('is nearly always so where far rows follow another line', () => {
    expect(shareCarried(50, 500, normal, random => uniform(random) < 0.05)).to.equal(1);
  });
});
