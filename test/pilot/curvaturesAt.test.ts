import { expect } from 'chai';
import { lossByName } from '../../src/loss/lossByName.ts';
import { curvaturesAt } from '../../src/pilot/curvaturesAt.ts';
import { weightedRisk } from '../../src/pilot/weightedRisk.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

const rows = 10;
const weights = new Float64Array(rows).fill(1);
const ones = new Float64Array(rows).fill(1);
const curvaturesOf = (target: Float64Array, name: 'squared' | 'tukey' | 'logistic') => {
  const { loss } = lossByName(name, name === 'tukey' ? { parameter: 1 } : {});
  const risk = weightedRisk(sampleBatch([ones], target), { intercept: false, weights });
  return curvaturesAt(risk, loss, Float64Array.of(0));
};

describe('curvaturesAt', () => {
  it('has one curvature of a convex loss', () => {
    const classes = curvaturesOf(
      ones.map((_, i) => i % 2),
      'logistic',
    );
    expect(classes.weighted).to.equal(classes.own);
    expect(classes.above).to.equal(classes.own);
    const { own, weighted, above } = curvaturesOf(new Float64Array(rows), 'squared');
    expect(own[0]).to.be.closeTo(weighted[0]!, 1e-12);
    expect(above[0]).to.be.closeTo(0.9 * own[0]!, 1e-12);
  });

  it('tells where a loss that is not convex curves down, and has least squares that curve up there', () => {
    const { own, weighted, above } = curvaturesOf(new Float64Array(rows).fill(0.8), 'tukey');
    expect(own[0]).to.be.below(0);
    expect(above[0]).to.be.below(own[0]!);
    expect(weighted[0]).to.be.above(0);
  });
});
