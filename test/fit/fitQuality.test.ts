import { expect } from 'chai';
import { fitQuality } from '../../src/fit/fitQuality.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

const at = (name: string, ...theta: readonly number[]) => ({
  theta: Float64Array.from(theta),
  loss: lossByName(name),
});

describe('fitQuality', () => {
  const x = Float64Array.of(0, 1, 2, 3);

  it('is R2 and the residual standard error for least squares', () => {
    // Residuals 0.5, -0.5, -0.5, 0.5 of 2 x + 1; squares 1 of 4 rows, 2 degrees of freedom.
    const batch = sampleBatch([x], Float64Array.of(1.5, 2.5, 4.5, 7.5));
    const found = fitQuality(batch, at('squared', 2, 1))!;
    expect(found.rows).to.equal(4);
    expect(found.residualError).to.be.closeTo(Math.sqrt(1 / 2), 1e-12);
    // Around the mean of 4: 6.25 + 2.25 + 0.25 + 12.25 = 21.
    expect(found.r2).to.be.closeTo(1 - 1 / 21, 1e-12);
  });

  it('compares robust scales for robust losses, in which one outlier counts little', () => {
    const batch = sampleBatch([x], Float64Array.of(1.5, 2.5, 4.5, 7.5e9));
    const found = fitQuality(batch, at('tukey', 2, 1))!;
    expect(found.residualScale).to.be.closeTo(1.4826 * 0.5, 1e-12);
    // The median is 3.5, and the distances from it 2, 1, 1 and much.
    expect(found.robustR2).to.be.closeTo(1 - (0.5 / 1.5) ** 2, 1e-12);
  });

  it('is the area under the ROC curve and the deviance explained for classes', () => {
    const batch = sampleBatch([x], Float64Array.of(0, 1, 0, 1));
    const found = fitQuality(batch, at('logistic', 1, -1.5))!;
    expect(found.auc).to.equal(0.75);
    const chance = (s: number): number => 1 / (1 + Math.exp(-s));
    const [p, q] = [chance(-1.5), chance(-0.5)];
    const left = -2 * Math.log(1 - p) - 2 * Math.log(q);
    expect(found.devianceExplained).to.be.closeTo(1 - left / (4 * Math.log(2)), 1e-12);
  });

  it('is the deviance explained for counts', () => {
    const batch = sampleBatch([x], Float64Array.of(0, 1, 3, 8));
    const mean = [1, 2, 4, 8].map((m, i) => [[0, 1, 3, 8][i]!, m] as const);
    const part = (y: number, m: number): number => (y === 0 ? 0 : y * Math.log(y / m)) + m - y;
    const left = mean.reduce((sum, [y, m]) => sum + part(y, m), 0);
    const whole = mean.reduce((sum, [y]) => sum + part(y, 3), 0);
    expect(fitQuality(batch, at('poisson', Math.log(2), 0))!.devianceExplained).to.be.closeTo(1 - left / whole, 1e-12);
  });

  it('counts a row as often as its weight says, and not without one', () => {
    const y = Float64Array.of(1.5, 2.5, 4.5, 7.5);
    const twice = fitQuality(
      { ...sampleBatch([x], y), weights: Float64Array.of(2, 1, 1, 0) },
      at('pseudo-huber', 2, 1),
    )!;
    const rows = [0, 0, 1, 2];
    const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, i => values[i]!);
    const repeated = fitQuality(sampleBatch([pick(x)], pick(y)), at('pseudo-huber', 2, 1))!;
    expect(twice).to.deep.equal({ ...repeated, rows: 3 });
    expect(fitQuality({ ...sampleBatch([x], y), weights: new Float64Array(4) }, at('squared', 2, 1))).to.equal(null);
  });

  it('says nothing relative to a target that does not vary', () => {
    const batch = sampleBatch([x], Float64Array.of(5, 5, 5, 5));
    expect(fitQuality(batch, at('squared', 0, 5))).to.deep.equal({ rows: 4, residualError: 0 });
  });
});
