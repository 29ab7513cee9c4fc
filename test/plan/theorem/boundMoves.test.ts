import { expect } from 'chai';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { boundMoves } from '../../../src/plan/theorem/boundMoves.ts';
import { catalogue, theoremNamed } from '../../../src/plan/theorem/catalogue.ts';
import { expectClose } from '../../support/close.ts';

const LOGISTIC = logistic();

describe('boundMoves', () => {
  it('are ratios of bounds, by hand', () => {
    const theorem = theoremNamed('Priv_HT_AGD_Smooth');
    const given = { rows: 1e5, failureProbability: 0.1, lipschitz: 1, smoothness: 1, epsilon: 0.3, delta: 1e-3 };
    const at = (n: number, eps: number) => Math.log(n / 0.1) * (n ** -0.4 + Math.log(n / 1e-3) ** 2 / (n * eps ** 2));
    const moves = boundMoves(theorem, given);
    expectClose(moves.n!, at(2e5, 0.3) / at(1e5, 0.3), 1e-10);
    expectClose(moves.eps!, at(1e5, 0.6) / at(1e5, 0.3), 1e-10);
    expect(moves.p).to.equal(undefined);
    // Twice 0.6 is above 0.9, for which nothing is proved.
    expect(boundMoves(theorem, { ...given, epsilon: 0.6 })).to.have.all.keys('n');
  });

  it('tell the powers of p apart: 3/2 for UPRidge at a small radius', () => {
    const given = { rows: 1e5, features: 1000, radius: 1e-9, gradientRatio: 1, epsilon: 0.3, delta: 1e-3 };
    expectClose(boundMoves(theoremNamed('UPRidge'), given).p!, 2, 1e-6);
    expectClose(boundMoves(theoremNamed('UPRidge'), { ...given, radius: 1e6 }).p!, 2 ** 1.5, 1e-6);
  });
});

describe('the words of the catalogue', () => {
  it('name the conditions that the functions state', () => {
    const spectrum = { eigenvalues: Float64Array.of(1, 1, 0), truth: Float64Array.of(1, 1, 0.5) };
    const all = {
      ...{ rows: 100_000, features: 3, failureProbability: 0.1, epsilon: 0.5, delta: 1e-3, radius: 1, lipschitz: 1 },
      ...{ smoothness: 1, strongConvexity: 0.7, contamination: 0.01, truthNorm: 2, smallestEigenvalue: 0.7 },
      ...{ largestEigenvalue: 1, gradientRatio: 1, gaussianWidth: 1, curvature: 1, targetBound: 1, featureNorm: 1 },
    };
    for (const theorem of catalogue()) {
      const { label, about, needs, optional } = theorem;
      const own = label === 'HT_Ridge_min>0' ? { ...spectrum, eigenvalues: Float64Array.of(1, 1, 0.5) } : spectrum;
      const given = Object.fromEntries(
        Object.entries({ ...all, ...own, penalty: 0.2, loss: LOGISTIC }).filter(
          ([name]) => name in needs || ((name === 'eigenvalues' || name === 'truth') && name in optional),
        ),
      );
      const { conditions } = theorem.prescribe(given);
      for (const { statement } of conditions) expect(about.conditions, label).to.include(statement);
    }
  });
});
