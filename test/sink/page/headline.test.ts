import { expect } from 'chai';
import type { Model } from '../../../src/model/model.ts';
import { headline, meaningOf } from '../../../src/sink/page/headline.ts';
import { modelOf } from '../../support/modelOf.ts';

/** Coefficients with standard errors of 1, of which 2 cover all at once. */
const known = (coefficients: readonly number[], given: Partial<Model> = {}): Model => {
  const model = modelOf(coefficients);
  const each = <T>(make: (value: number) => T): Record<string, T> =>
    Object.fromEntries(model.features.map(name => [name, make(model.coefficients[name]!)]));
  const intervals = each(value => [value - 1.5, value + 1.5] as const);
  return {
    ...model,
    uncertainty: { level: 0.95, radii: each(() => 2), basis: '', errors: each(() => 1), intervals },
    ...given,
  };
};

describe('headline', () => {
  it('tells directions, the clearest first', () => {
    expect(headline(known([3, -9, 5, -2.5]))).to.equal('y rises with x2 and x0, and falls with x1 and x3');
    expect(headline(known([3]))).to.equal('y rises with x0');
    expect(headline(known([-3]))).to.equal('y falls with x0');
  });

  it('claims no direction that does not hold for all at once, though its own interval misses zero', () => {
    expect(headline(known([1.9, 3]))).to.equal('y rises with x1');
    expect(headline(known([1.9, -1.9]))).to.equal('y is not clearly linked to any of 2 features, judged jointly');
    expect(headline(known([1.4]))).to.equal('y is not clearly linked to x0');
  });

  it('judges a single feature by its own interval, which is not beside others', () => {
    expect(headline(known([1.9]))).to.equal('y rises with x0');
    expect(headline(known([-1.9]))).to.equal('y falls with x0');
  });

  it('judges each by its own degrees of freedom', () => {
    const model = known([5, 4]);
    const radii = { x0: 6, x1: 3 };
    const judged = { ...model, uncertainty: { ...model.uncertainty!, radii } };
    expect(headline(judged)).to.equal('y rises with x1');
  });

  it('does not count features that were left out', () => {
    const model = known([1.9, 3, 0]);
    expect(headline({ ...model, leftOut: ['x1', 'x2'] })).to.equal('y rises with x0');
    expect(headline({ ...modelOf([3, 0]), leftOut: ['x1'] })).to.equal('y, fitted on x0');
  });

  it("tells of a feature that bears the intercept's name where there is no intercept", () => {
    const model = { ...modelOf([3]), features: ['(intercept)'], coefficients: { '(intercept)': 3 } };
    expect(headline(model)).to.equal('y, fitted on (intercept)');
  });

  it('names a few of many', () => {
    expect(headline(known([10, 9, 8, 7, 6]))).to.equal('y rises with x0, x1, x2 and 2 more');
    expect(headline(known([10, 9, 8, 7]))).to.equal('y rises with x0, x1, x2 and x3');
  });

  it('only says what was fitted where nothing is known of errors', () => {
    expect(headline(modelOf([3, -9]))).to.equal('y, fitted on x0 and x1');
  });

  it('only says what was fitted beside a severe note', () => {
    const notes = ['the rows look sorted: blocks of neighbouring rows differ 9 times as much'];
    expect(headline(known([3, -9], { notes, severeNotes: [0] }))).to.equal('y, fitted on x0 and x1');
    expect(headline(known([3, -9], { notes: ['"c" has one value'] }))).to.include('rises');
  });

  it('speaks of chances and expectations where the loss does', () => {
    const chance = known([3], { loss: { name: 'logistic' }, target: 'sick' });
    expect(headline(chance)).to.equal('The chance of sick rises with x0');
    expect(headline({ ...chance, categorical: { sick: ['no', 'yes'] } })).to.equal(
      'The chance of sick=yes rises with x0',
    );
    expect(headline(known([3], { loss: { name: 'poisson' } }))).to.equal('The expected y rises with x0');
    expect(meaningOf(chance)).to.include('to the log-odds of sick being 1,');
    expect(meaningOf({ ...chance, categorical: { sick: ['no', 'yes'] } })).to.include(
      'to the log-odds of sick being yes,',
    );
    expect(meaningOf(known([3]))).to.include('adds its estimate to y');
  });
});
