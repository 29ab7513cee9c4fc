import { expect } from 'chai';
import { fitPrivate } from '../../../../src/fit/private/fitPrivate.ts';
import { settling } from '../../../../src/inference/intervals/private/settling.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { logistic } from '../../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { type PrivateOptions, planPrivate } from '../../../../src/plan/private/planPrivate.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';
import { scalingOf } from '../../../../src/sample/transform/scaling.ts';

const ROWS = 20_000;
const optionsFor = (epsilon: number, isLogistic = false): PrivateOptions => ({
  rows: ROWS,
  loss: isLogistic ? logistic() : pseudoHuber(0.2),
  scaling: scalingOf({
    features: 2,
    bounds: { intervals: Array(2).fill({ least: -1, most: 1 }) },
    target: isLogistic ? { least: 0, most: 1 } : { least: -2, most: 2 },
    intercept: true,
    scalesTarget: !isLogistic,
  }),
  epsilon,
  delta: 1e-6,
});

/**
 * Features that fill such a part of their bounds, and a target that depends on them as much as if they filled all of
 * them.
 */
async function fitted(options: PrivateOptions, part: number, seed: number) {
  const random = seeded(seed, 'rows');
  const columns = [0, 1].map(() => Float64Array.from({ length: ROWS }, () => part * (2 * uniform(random) - 1)));
  const isLogistic = options.loss.name === 'logistic';
  const target = columns[0]!.map((x, i) => {
    const score = ((isLogistic ? 3 : 0.7) * (x - columns[1]![i]!)) / part;
    if (!isLogistic) return score + 0.3 * normal(random);
    return uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0;
  });
  const plan = planPrivate(options);
  return fitPrivate(samplesOf(sampleBatch(columns, target)), plan, {
    random: seeded(seed, 'noise'),
    order: 'as-is',
  });
}

describe('settling', () => {
  for (const [name, seeds] of [
    ['', [0]],
    [', whatever the noise @slow', [1, 2, 3, 4]],
  ] as const)
    it(`finds nothing where noise is all that the last gradients have${name}`, async () => {
      for (const options of [optionsFor(1), optionsFor(0.2), optionsFor(1, true)])
        for (const seed of seeds) expect((await fitted(options, 1, seed)).pull).to.be.within(0, 1);
    });

  it('finds that rows still pull where steps end before the answer', async () => {
    for (const options of [
      { ...optionsFor(1), steps: 4 },
      { ...optionsFor(1), steps: 40, momentum: 0, moments: 'no' },
      { ...optionsFor(3, true), steps: 10, moments: 'no' },
    ] as const) {
      expect((await fitted(options, 0.2, 1)).pull).to.be.above(1);
    }
  });

  it('has nothing to hold gradients of fresh chunks against, nor those of rules that the model does not describe', () => {
    expect(settling(planPrivate({ ...optionsFor(1), mode: 'fresh' })).pull()).to.equal(null);
    const full = planPrivate({ ...optionsFor(1), mode: 'full' });
    expect(settling({ ...full, predicted: null }).pull()).to.equal(null);
    expect(settling(full).pull()).to.equal(0);
  });
});
