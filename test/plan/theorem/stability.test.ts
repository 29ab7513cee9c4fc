import { expect } from 'chai';
import fc from 'fast-check';
import {
  constantMomentum,
  fasterFrom,
  LARGEST_CONDITION_NUMBER,
  nesterovContraction,
  stableUpTo,
} from '../../../src/plan/theorem/stability.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { expectClose } from '../../support/close.ts';

describe('the window of theorem AGD', () => {
  it('has f1 and f2 as printed', () => {
    for (const x of [1.1, 1.5, 1.76, 3]) {
      const root = Math.sqrt(x);
      expectClose(fasterFrom(x), ((x + 1) * Math.sqrt(1 - 1 / root) - x + 1) / 2);
      expectClose(
        stableUpTo(x),
        (1 - (2 * (x - 1) * (root - 1)) / (root + 1)) / (2 * (1 + (2 * (root - 1)) / (root + 1))),
      );
    }
    expect(fasterFrom(1.5)).to.be.closeTo(0.285466, 5e-7);
    expect(stableUpTo(1.5)).to.be.closeTo(0.373939, 5e-7);
  });

  it('is open below x* = 1.76759 and closed above', () => {
    const width = (x: number) => stableUpTo(x) - fasterFrom(x);
    holdsForAll(fc.property(uniform(1, 1.76758), x => width(x) > 0));
    holdsForAll(fc.property(uniform(1.7676, 4), x => width(x) < 0));
    expect(LARGEST_CONDITION_NUMBER).to.equal(1.76);
  });

  it('has nothing above alpha = tau_l/2, where gradient descent itself loses its footing', () => {
    holdsForAll(fc.property(uniform(1, 1.76759), x => stableUpTo(x) <= 1 / 2));
  });

  it("opens at f1 because there Nesterov's rate sqrt(1 - sqrt(tau_l/tau_u)) equals that of gradient descent", () => {
    holdsForAll(
      fc.property(uniform(1.001, 4), uniform(0.1, 10), (x, lower) => {
        const upper = x * lower;
        const k = (upper - lower + 2 * fasterFrom(x) * lower) / (upper + lower);
        expectClose(nesterovContraction(upper, lower), k, 1e-10);
      }),
    );
  });

  it('closes at f2 because there (1 + 2 lambda)(tau_u - tau_l + 2 alpha)/tau_u is 1', () => {
    holdsForAll(
      fc.property(uniform(1.001, 1.76759), uniform(0.1, 10), (x, lower) => {
        const upper = x * lower;
        const growth = (upper - lower + 2 * stableUpTo(x) * lower) / upper;
        expectClose((1 + 2 * constantMomentum(upper, lower)) * growth, 1);
      }),
    );
  });
});

describe('constantMomentum and nesterovContraction', () => {
  it('depend on tau_u/tau_l only, and vanish where it is 1', () => {
    expectClose(constantMomentum(9, 4), 1 / 5);
    expectClose(constantMomentum(2.25, 1), 1 / 5);
    expectClose(nesterovContraction(16, 9), 1 / 2);
    expect(constantMomentum(3, 3)).to.equal(0);
    expect(nesterovContraction(3, 3)).to.equal(0);
  });
});
