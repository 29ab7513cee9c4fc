import { expect } from 'chai';
import { momentSummer } from '../../../src/engine/kernel/wholeSummer.ts';
import { releaseMoments } from '../../../src/fit/private/releases.ts';
import { uniformBetween } from '../../../src/math/random/random.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { discreteGaussianMechanism } from '../../../src/privacy/discreteGaussianMechanism.ts';
import type { Mechanism } from '../../../src/privacy/mechanism.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { expectStandardNoise } from '../../support/standardNoise.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const ROWS = 2000;
const FEATURES = 4;
const random = seeded('releaseMoments', 'rows');
const rows = sampleBatch(
  Array.from({ length: FEATURES }, () => Float64Array.from({ length: ROWS }, () => uniformBetween(random, -1, 1))),
  new Float64Array(ROWS),
);
const plan = planPrivate({
  rows: ROWS,
  loss: pseudoHuber(0.2),
  scaling: unitScaling(FEATURES),
  epsilon: 1,
  delta: 1e-6,
  moments: 'yes',
});
const { noise, norm, targetUnit } = plan.moments!;
const mechanism = discreteGaussianMechanism(noise, secure());

describe('releaseMoments', () => {
  it('adds noise of the declared size to every moment, and no other', async () => {
    const summer = momentSummer({ features: FEATURES, rows: ROWS, norm, targetUnit, ...noise });
    summer.add(rows);
    const exact = summer.finish().sums.map(sum => (sum * noise.grid) / ROWS);
    expect(exact).to.have.length(16);
    await expectStandardNoise(exact, async () => {
      const released = await releaseMoments(samplesOf(rows), plan, mechanism);
      expect(released.sigma).to.equal((noise.scale * noise.grid) / ROWS);
      return released;
    });
  });

  it('charges nothing where rows are not those of the plan', async () => {
    const untouched: Mechanism = { ...mechanism, event: () => expect.fail('it was charged') };
    const half = sampleBatch(
      rows.columns.map(column => column.subarray(0, 1000)),
      rows.target.subarray(0, 1000),
    );
    const narrow = sampleBatch(rows.columns.slice(1), rows.target);
    for (const [other, text] of [
      [half, 'the rows must be the 2000 of the plan, got 1000'],
      [narrow, 'the features must be the 4 of the plan, got 3'],
    ] as const) {
      const failed = await releaseMoments(samplesOf(other), plan, untouched).catch((error: Error) => error);
      expect((failed as Error).message).to.include(text);
    }
  });

  it('charges before it draws, and as not private where the noise can be drawn again', async () => {
    const order: string[] = [];
    const watched: Mechanism = {
      ...mechanism,
      event: release => {
        order.push('charge');
        return mechanism.event(release);
      },
      perturb: (sums, release) => {
        order.push('draw');
        return mechanism.perturb(sums, release);
      },
    };
    const { ledger } = await releaseMoments(samplesOf(rows), plan, watched);
    expect(order).to.deep.equal(['charge', 'draw']);
    expect(ledger.entries).to.have.length(1);
    expect(ledger.isPrivate).to.equal(true);
    const simulated = discreteGaussianMechanism(noise, seeded('releaseMoments', 'noise'));
    expect((await releaseMoments(samplesOf(rows), plan, simulated)).ledger.isPrivate).to.equal(false);
  });
});
