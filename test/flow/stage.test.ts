import { expect } from 'chai';
import { map } from 'rxjs';
import { geometricMedian, mean } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { huberGradient } from '../../src/flow/huberGradient.ts';
import { perturb } from '../../src/flow/perturb.ts';
import { checkStages, stage } from '../../src/flow/stage.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import { seeded } from '../../src/random/seeded.ts';
import { smallPlan } from '../support/descentFixtures.ts';

const plan = smallPlan({ privacy: { epsilon: 1, delta: 1e-6, lipschitz: 1 } });
const noise = perturb(simulatedGaussian(seeded(1, 'noise')), plan);
const sums = blockSums(plan);
const huber = huberGradient(plan, { contamination: 0.1, failureProbability: 0.1 });
const shrink = stage({ name: 'shrink', from: 'gradient', to: 'gradient', run: map(gradient => gradient) });
const peek = stage({ name: 'peek', from: 'sums', to: 'sums', run: map(found => found) });

describe('checkStages', () => {
  it('accepts estimates, noise, aggregates and whatever comes after them', () => {
    checkStages([sums, mean()], false);
    checkStages([sums, geometricMedian(), shrink], false);
    checkStages([sums, peek, mean(), shrink, shrink], false);
    checkStages([huber, shrink], false);
    checkStages([sums, noise, mean()], true);
    checkStages([sums, noise, peek, geometricMedian(), shrink], true);
  });

  it('refuses stages that do not fit, naming the one and the order', () => {
    expect(() => checkStages([mean(), sums], false)).to.throw('stage mean takes sums but follows a step');
    expect(() => checkStages([sums, shrink], false)).to.throw(
      'stage shrink takes gradient but follows a sums',
    );
    expect(() => checkStages([huber, geometricMedian()], false)).to.throw('geometric-median takes sums');
    expect(() => checkStages([sums, mean(), noise], false)).to.throw('stage perturb takes sums');
    expect(() => checkStages([sums], false)).to.throw('must end in a gradient, got sums from blockSums');
    expect(() => checkStages([], false)).to.throw('got step from no stage');
    expect(() => checkStages([sums, noise, noise, mean()], false)).to.throw('one perturb at most');
  });

  it('refuses a private run that would release anything without noise', () => {
    expect(() => checkStages([sums, mean()], true)).to.throw('must hold perturb');
    expect(() => checkStages([huber], true)).to.throw('must hold perturb');
    expect(() => checkStages([sums, peek, noise, mean()], true)).to.throw(
      'stage peek reads rows before the noise',
    );
    const own = stage({ name: 'own', from: 'step', to: 'sums', run: map(() => expect.fail('runs')) });
    expect(() => checkStages([own, noise, mean()], true)).to.throw('stage own reads rows before the noise');
    expect(() => checkStages([{ ...sums }, noise, mean()], true)).to.throw('reads rows before the noise');
    expect(() => checkStages([sums, { ...noise }, mean()], true)).to.throw('reads rows before the noise');
  });
});

describe('stage', () => {
  it('refuses directions that no pipeline has, a missing name and a missing operator', () => {
    const make = (from: 'step' | 'sums' | 'gradient', to: 'step' | 'sums' | 'gradient') => () =>
      stage({ name: 'odd', from, to, run: map(value => value as never) });
    expect(make('gradient', 'sums')).to.throw('from and to must be one of');
    expect(make('gradient', 'step')).to.throw('from and to must be one of');
    expect(() => stage({ name: '', from: 'sums', to: 'sums', run: map(value => value) })).to.throw(
      'name must',
    );
    expect(() => stage({ name: 'x', from: 'sums', to: 'sums', run: undefined as never })).to.throw(
      'run must',
    );
  });
});
