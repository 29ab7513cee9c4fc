import { expect } from 'chai';
import { map } from 'rxjs';
import { geometricMedian, mean } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { huberGradient } from '../../src/flow/huberGradient.ts';
import { perturb } from '../../src/flow/perturb.ts';
import { checkStages, stage } from '../../src/flow/stage.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import { smallPlan } from '../support/descentFixtures.ts';

const privacy = { epsilon: 1, delta: 1e-6, lipschitz: 1 };
const plan = smallPlan({ privacy });
const open = smallPlan();
const noise = perturb(simulatedGaussian(seeded(1, 'noise')), plan);
const sums = blockSums(plan);
const huber = huberGradient(plan, { contamination: 0.1, failureProbability: 0.1 });
const shrink = stage({ name: 'shrink', from: 'gradient', to: 'gradient', run: map(gradient => gradient) });
const peek = stage({ name: 'peek', from: 'sums', to: 'sums', run: map(found => found) });

describe('checkStages', () => {
  it('accepts estimates, noise, aggregates and whatever comes after them', () => {
    checkStages([sums, mean()], open);
    checkStages([sums, geometricMedian(), shrink], open);
    checkStages([sums, peek, mean(), shrink, shrink], open);
    checkStages([huber, shrink], open);
    checkStages([sums, noise, mean()], plan);
    checkStages([sums, noise, peek, geometricMedian(), shrink], plan);
  });

  it('refuses stages that do not fit, naming the one and the order', () => {
    expect(() => checkStages([mean(), sums], open)).to.throw('stage mean takes sums but follows a step');
    expect(() => checkStages([sums, shrink], open)).to.throw('stage shrink takes gradient but follows a sums');
    expect(() => checkStages([huber, geometricMedian()], open)).to.throw('geometric-median takes sums');
    expect(() => checkStages([sums, mean(), noise], open)).to.throw('stage perturb takes sums');
    expect(() => checkStages([sums], open)).to.throw('must end in a gradient, got sums from blockSums');
    expect(() => checkStages([], open)).to.throw('got step from no stage');
    expect(() => checkStages([sums, noise, noise, mean()], open)).to.throw('one perturb at most');
  });

  it('refuses a private run that would release anything without noise', () => {
    expect(() => checkStages([sums, mean()], plan)).to.throw('must hold perturb');
    expect(() => checkStages([huber], plan)).to.throw('must hold perturb');
    expect(() => checkStages([sums, peek, noise, mean()], plan)).to.throw('stage peek reads rows before the noise');
    const own = stage({ name: 'own', from: 'step', to: 'sums', run: map(() => expect.fail('runs')) });
    expect(() => checkStages([own, noise, mean()], plan)).to.throw('stage own reads rows before the noise');
    expect(() => checkStages([{ ...sums }, noise, mean()], plan)).to.throw('reads rows before the noise');
    expect(() => checkStages([sums, { ...noise }, mean()], plan)).to.throw('reads rows before the noise');
  });

  it('refuses noise that was planned for other steps, or for no plan that is private', () => {
    const same = smallPlan({ privacy });
    expect(() => checkStages([sums, noise, mean()], same)).to.throw('made for the steps of another plan');
    expect(() => checkStages([sums, peek, noise, mean()], open)).to.throw('the plan is not private');
  });
});

describe('stage', () => {
  it('refuses directions that no pipeline has, a missing name and a missing operator', () => {
    const make = (from: 'step' | 'sums' | 'gradient', to: 'step' | 'sums' | 'gradient') => () =>
      stage({ name: 'odd', from, to, run: map(value => value as never) });
    expect(make('gradient', 'sums')).to.throw('from and to must be one of');
    expect(make('gradient', 'step')).to.throw('from and to must be one of');
    expect(() => stage({ name: '', from: 'sums', to: 'sums', run: map(value => value) })).to.throw('name must');
    expect(() => stage({ name: 'x', from: 'sums', to: 'sums', run: undefined as never })).to.throw('run must');
  });
});
