import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { gemanMcClure } from '../../../src/method/loss/gemanMcClure.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { LOSS_NAMES, lossByName } from '../../../src/method/loss/lossByName.ts';
import { namedLossOf } from '../../../src/method/loss/namedLossOf.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { tukey } from '../../../src/method/loss/tukey.ts';
import { weightedLogistic } from '../../../src/method/loss/weightedLogistic.ts';

describe('namedLossOf', () => {
  it('knows every loss by its name, and leaves a named one as it is', () => {
    for (const name of LOSS_NAMES) {
      expect(namedLossOf(name)).to.deep.include({ name });
      const named = lossByName(name);
      expect(namedLossOf(named)).to.equal(named);
    }
  });

  for (const [name, loss, parameter] of [
    ['squared', squared()],
    ['logistic', logistic()],
    ['poisson', poisson()],
    ['logistic', weightedLogistic()],
    ['pseudo-huber', pseudoHuber(0.3), 0.3],
    ['geman-mcclure', gemanMcClure(0.4), 0.4],
    ['tukey', tukey(5), 5],
    ['squared', ridge(squared(), 0.1)],
    ['poisson', ridge(poisson({ largestScore: 3 }), 0.1)],
  ] as const) {
    it(`knows ${loss.name}, which stays as it is`, () => {
      const named = namedLossOf(loss);
      expect(named.name).to.equal(name);
      expect(named.loss).to.equal(loss);
      expect(named.parameter).to.equal(parameter);
      if (parameter === undefined) expect(named).not.to.have.property('parameter');
      const mean = 'mean' in loss ? loss.mean : lossByName(name).predict;
      for (const score of [-1, 0, 2, 5]) expect(named.predict(score)).to.equal(mean(score));
    });
  }

  it("takes a loss of the caller's own by its name, whose scores are predictions unless it has a mean", () => {
    const { kernel: _, ...own } = { ...squared(), name: 'mine' };
    expect(namedLossOf(own)).to.include({ name: 'mine', loss: own });
    expect(namedLossOf(own).predict(3)).to.equal(3);
    expect(namedLossOf({ ...own, mean: Math.exp } as never).predict(0)).to.equal(1);
  });

  it('refuses what is no loss, or has no name', () => {
    const { kernel: _, ...own } = { ...squared(), name: 'mine' };
    expect(() => namedLossOf({ ...own, name: '' })).to.throw(ArgumentError, 'loss must have a name');
    expect(namedLossOf({ ...lossByName('squared'), loss: own }).loss).to.equal(own);
    expect(() => namedLossOf('square' as never)).to.throw(ArgumentError, 'loss must be one of squared');
    expect(() => namedLossOf({ loss: 'squared' } as never)).to.throw(ArgumentError, 'have a predict function');
    for (const bad of [{ name: 'squared' }, {}, { ...lossByName('squared'), loss: 'squared' }])
      expect(() => namedLossOf(bad as never)).to.throw(ArgumentError, 'loss must have `value`');
    for (const bad of [3, null, true]) expect(() => namedLossOf(bad as never)).to.throw(ArgumentError);
  });
});
