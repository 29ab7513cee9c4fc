import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { scorer } from '../../src/model/scorer.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { modelOf } from '../support/modelOf.ts';

const columns = [Float64Array.of(1, 2, 3), Float64Array.of(-1, 0.5, 4)];
const batch = sampleBatch(columns, new Float64Array(3));

const predictions = (model: ReturnType<typeof modelOf>): number[] => {
  const out = new Float64Array(3);
  scorer(model)(batch, out);
  return [...out];
};

describe('scorer', () => {
  it('adds up coefficients times features and the intercept', () => {
    expect(predictions(modelOf([2, 10]))).to.deep.equal([-8, 9, 46]);
    expect(predictions(modelOf([2, 10], { intercept: 0.5 }))).to.deep.equal([-7.5, 9.5, 46.5]);
  });

  it('predicts the score under the squared and the pseudo-Huber loss', () => {
    const loss = { name: 'pseudo-huber', parameter: 0.1, ridge: 2 };
    expect(predictions(modelOf([2, 10], { loss }))).to.deep.equal([-8, 9, 46]);
  });

  it('predicts a probability under the logistic loss and a rate under the Poisson loss', () => {
    const scores = predictions(modelOf([0.1, -0.2]));
    const probabilities = predictions(modelOf([0.1, -0.2], { loss: { name: 'logistic' } }));
    const rates = predictions(modelOf([0.1, -0.2], { loss: { name: 'poisson' } }));
    scores.forEach((score, i) => {
      expect(probabilities[i]).to.be.closeTo(1 / (1 + Math.exp(-score)), 1e-15);
      expect(rates[i]).to.be.closeTo(Math.exp(score), 1e-15);
    });
  });

  it('writes the rows of the batch and no other memory, whatever the capacity', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), (rows, more) => {
        const out = new Float64Array(rows + more).fill(7);
        scorer(modelOf([2, 10]))({ ...batch, rows }, out);
        expect([...out]).to.deep.equal([...[-8, 9, 46].slice(0, rows), ...Array<number>(more).fill(7)]);
      }),
      { seed: 1 },
    );
  });

  it('refuses batches of other features, and too little memory', () => {
    const score = scorer(modelOf([1, 2, 3]));
    expect(() => score(batch, new Float64Array(3))).to.throw(ArgumentError, 'batch.columns must be 3, got 2');
    expect(() => scorer(modelOf([1, 2]))(batch, new Float64Array(2))).to.throw(
      ArgumentError,
      'the length of out must be at least batch.rows = 3, got 2',
    );
  });

  it("asks for a loss of the caller's own where its scores are not predictions", () => {
    const own = { name: 'my counts', mean: 'own' } as const;
    expect(() => scorer(modelOf([1], { loss: own }))).to.throw(ArgumentError, 'give it as `loss`');
    expect(() => scorer(modelOf([1], { loss: { name: 'mine' } }))).not.to.throw();
    const out = new Float64Array(1);
    const batch = { rows: 1, columns: [Float64Array.of(2)], target: Float64Array.of(0) };
    scorer(modelOf([1], { loss: own }), { predict: Math.exp })(batch, out);
    expect(out[0]).to.be.closeTo(Math.exp(2 + (modelOf([1]).intercept ?? 0)), 1e-12);
  });
});
