import { expect } from 'chai';
import { planFacts } from '../../../src/sink/page/planFacts.ts';
import { plainReport, privateReport } from '../../support/reportModels.ts';

const words = (model: typeof plainReport): string => planFacts(model).markup.replace(/<[^>]*>/g, ' ');

describe('the facts of a plan', () => {
  it('tell which coefficients were allowed, and in which units', () => {
    const held = { set: 'box', radius: 3 };
    expect(words({ ...plainReport, plan: { ...plainReport.plan, ...held } })).to.include(
      'every coefficient from -3 to 3',
    );
    expect(words({ ...privateReport, plan: { ...privateReport.plan, ...held } })).to.include(
      'every scaled coefficient from -3 to 3',
    );
  });

  it('tell of an intercept, a ridge and weights', () => {
    const { loss, plan } = plainReport;
    const asked = {
      ...plainReport,
      intercept: null,
      loss: { ...loss, ridge: 0.5 },
      plan: { ...plan, weights: 'hours' },
    };
    expect(words(asked))
      .to.match(/Intercept\s+none/)
      .and.match(/Row weights\s+hours/)
      .and.include('ridge 0.5');
  });

  it('read a file from before sets and weights were kept', () => {
    expect(words(plainReport))
      .to.match(/Intercept\s+yes/)
      .and.not.match(/Weight|Allowed/);
  });
});
