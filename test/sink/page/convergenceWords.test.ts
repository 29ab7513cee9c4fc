import { expect } from 'chai';
import type { Model } from '../../../src/model/model.ts';
import { convergenceWords } from '../../../src/sink/page/convergenceChart.ts';
import { modelOf } from '../../support/modelOf.ts';
import { privateReport } from '../../support/reportModels.ts';

const wordsOf = (plan: Model['plan'], norms: readonly number[]): string =>
  convergenceWords({
    ...modelOf([1, 2]),
    plan,
    steps: norms.map((gradientNorm, k) => ({ step: k + 1, rows: 10, gradientNorm, sigma: null })),
  });

describe('convergenceWords', () => {
  it('says that over a set the gradient does not vanish', () => {
    const resting = wordsOf({ mode: 'full', set: 'l1Ball(1)' }, [0.35229832, 0.35229832]);
    expect(resting).to.include('the gradient does not vanish').and.include('0.3523 from the first step to');
    expect(resting).to.include('the steps had converged').and.not.include('how far a step was');
    const moving = wordsOf({ mode: 'full', rule: 'accelerated-frank-wolfe' }, [4, 2]);
    expect(moving).to.include('does not vanish').and.include('from 4 at the first step to 2 at the last');
  });

  it('claims that norms level off at the sampling error only where they do', () => {
    const plan = { mode: 'fresh', samplingNorm: 0.0186 };
    const level = wordsOf(plan, [0.14, 0.06, 0.03]);
    expect(level).to.match(/sampling error, about 0\.0186 in the last step\.$/);
    const climbing = wordsOf(plan, [0.8333, 33.44, 103.7]);
    expect(climbing).to.include('rose from 0.8333 at the first step to 103.7 at the last, 5,600 times');
    expect(climbing).to.include('did not converge');
    expect(wordsOf(plan, [500, 103.7])).to.include('went from 500 at the first step to 103.7');
    expect(wordsOf({ mode: 'fresh' }, [1, 2])).to.include('rose from 1 at the first step to 2');
  });

  it('follows the numbers over all rows too', () => {
    expect(wordsOf({ mode: 'full' }, [4, 2])).to.include('fell from 4 at the first step to 2 at the last');
    expect(wordsOf({ mode: 'full' }, [2, 4])).to.include('rose from 2');
    expect(wordsOf({ mode: 'full' }, [2])).to.match(/vanishes\. ?$/);
  });

  it('reads nothing into noised norms', () => {
    expect(convergenceWords(privateReport)).to.include('as released').and.not.include('fell');
  });
});
