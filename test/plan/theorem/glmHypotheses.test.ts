import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { type Glm, glm } from '../../../src/method/loss/glm.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { glmConstants } from '../../../src/plan/theorem/glmHypotheses.ts';
import { ermGlmUp } from '../../../src/plan/theorem/glmProblem.ts';
import { expectClose } from '../../support/close.ts';
import { glmSetting } from '../../support/glmSetting.ts';

const at = { featureNorm: 1.5, truthNorm: 2 };

/** Phi(s) = log cosh s, a model of targets in [-1, 1]: Phi' = tanh, Phi'' = 1/cosh^2. */
const hyperbolic = (parts: Partial<Parameters<typeof glm>[0]> = {}): Glm =>
  glm({
    name: 'log cosh',
    cumulant: s => Math.abs(s) + Math.log1p(Math.exp(-2 * Math.abs(s))) - Math.LN2,
    mean: Math.tanh,
    variance: s => (1 - Math.tanh(s)) * (1 + Math.tanh(s)),
    targets: { least: -1, most: 1 },
    meanBound: 1,
    varianceBound: 1,
    ...parts,
  });

describe('glmConstants', () => {
  it('are those of logistic regression, and of a model of a user that meets the hypotheses', () => {
    const own = glmConstants(logistic(), at);
    expect(own).to.include({ meanBound: 1, varianceBound: 1 / 4 });
    expectClose(own.varianceAtTruth, 1 / (2 + Math.exp(3) + Math.exp(-3)));
    const users = glmConstants(hyperbolic(), at);
    expect(users).to.include({ meanBound: 1, varianceBound: 1 });
    expectClose(users.varianceAtTruth, 1 / Math.cosh(3) ** 2, 1e-9);
    const given = ermGlmUp({ ...glmSetting, loss: hyperbolic(), rows: 1e6, radius: 1 });
    // L2 = (K_Phi' + K_y) L_x
    expect(given.privacy!.lipschitz).to.equal(2);
  });

  it('refuse Poisson regression with the reason', () => {
    expect(() => glmConstants(poisson(), at)).to.throw(
      ArgumentError,
      "loss must have a bounded Phi', and a bounded Phi'' that is even and non-increasing in |s|",
    );
    expect(() => glmConstants(poisson(), at)).to.throw('but Phi');
    expect(() => ermGlmUp({ ...glmSetting, loss: poisson(), rows: 1e6, radius: 1 })).to.throw(ArgumentError, 'poisson');
  });

  it('refuse every broken hypothesis by its name', () => {
    const broken: readonly (readonly [Glm, string])[] = [
      [hyperbolic({ meanBound: 0.5 }), "|Phi'| is"],
      [hyperbolic({ varianceBound: 0.5 }), 'is above its bound 0.5'],
      [hyperbolic({ meanBound: ({ norm, radius }) => norm * radius }), "whose Phi' has no bound"],
      [hyperbolic({ varianceBound: () => Infinity }), "whose Phi'' has no bound"],
      [hyperbolic({ variance: s => 1 / Math.cosh(s - 1) ** 2 }), 'but Phi'],
      [hyperbolic({ variance: s => 0.5 + 0.4 * Math.cos(s) }), 'grows with |s|'],
      [hyperbolic({ variance: s => (Math.abs(s) > 2 ? -1e-3 : 0.5) }), 'is -0.001'],
    ];
    for (const [loss, reason] of broken) expect(() => glmConstants(loss, at)).to.throw(ArgumentError, reason);
    expect(() => glmConstants(squared() as Glm, at)).to.throw(ArgumentError, 'loss.mean');
    expect(() => glmConstants(hyperbolic({ variance: s => (Math.abs(s) < 1 ? 1 : 0) }), at)).to.throw('above 0 at L_x');
  });
});
