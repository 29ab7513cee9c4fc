import { expect } from 'chai';
import { muFor } from '../../../src/privacy/gaussianDp.ts';
import { requireRoom } from '../../../src/privacy/ledgerFile/room.ts';

describe('requireRoom', () => {
  const budget = { epsilon: 1, delta: 1e-6 };
  const all = muFor(budget.epsilon, budget.delta) ** 2;
  const run = { ...budget, mu: Math.sqrt(all) };
  const refuse = (spent: number) => () => requireRoom('people', run, budget, spent);

  it('names what is left, where a run could use it', () => {
    expect(refuse(0.5 * all)).to.throw(/has epsilon 0\.\d+ at delta .* left .*; ask for at most epsilon 0\.\d+/);
  });

  it('says that the budget is spent where what is left would be for nothing', () => {
    const spent = 'the budget is spent, and these data allow no further private run';
    expect(refuse(all)).to.throw('has nothing left of its budget');
    expect(refuse(all)).to.throw(spent);
    expect(refuse((1 - 1e-6) * all)).to.throw('has almost nothing left of its budget');
    expect(refuse((1 - 1e-6) * all)).to.throw(spent);
  });
});
