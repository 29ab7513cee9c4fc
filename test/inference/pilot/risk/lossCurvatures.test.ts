import { expect } from 'chai';
import { lossCurvatures } from '../../../../src/inference/pilot/risk/minimize.ts';
import { weightedRisk } from '../../../../src/inference/pilot/risk/weightedRisk.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const rows = 10;
const weights = new Float64Array(rows).fill(1);
const ones = new Float64Array(rows).fill(1);
const curvaturesOf = (target: Float64Array, name: 'squared' | 'tukey' | 'logistic') => {
  const { loss } = lossByName(name, name === 'tukey' ? { parameter: 1 } : {});
  const risk = weightedRisk(sampleBatch([ones], target), { intercept: false, weights });
  return lossCurvatures(risk, loss, Float64Array.of(0));
};

describe('lossCurvatures', () => {
  it('has one curvature of a convex loss', () => {
    const classes = curvaturesOf(
      ones.map((_, i) => i % 2),
      'logistic',
    );
    expect(classes.reweighted).to.equal(classes.hessian);
    expect(classes.margin).to.equal(classes.hessian);
    const { hessian, reweighted, margin } = curvaturesOf(new Float64Array(rows), 'squared');
    expect(hessian[0]).to.be.closeTo(reweighted[0]!, 1e-12);
    expect(margin[0]).to.be.closeTo(0.9 * hessian[0]!, 1e-12);
  });

  it('tells where a loss that is not convex curves down, and has least squares that curve up there', () => {
    const { hessian, reweighted, margin } = curvaturesOf(new Float64Array(rows).fill(0.8), 'tukey');
    expect(hessian[0]).to.be.below(0);
    expect(margin[0]).to.be.below(hessian[0]!);
    expect(reweighted[0]).to.be.above(0);
  });
});
