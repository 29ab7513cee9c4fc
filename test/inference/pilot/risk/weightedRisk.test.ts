import { expect } from 'chai';
import { riskTile } from '../../../../src/engine/kernel/riskTile.ts';
import { weightedRisk } from '../../../../src/inference/pilot/risk/weightedRisk.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { distance } from '../../../../src/math/vector.ts';
import { gemanMcClure } from '../../../../src/method/loss/gemanMcClure.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../../src/method/loss/squared.ts';
import { tukey } from '../../../../src/method/loss/tukey.ts';
import { rowsBetween, type SampleBatch } from '../../../../src/sample/sampleBatch.ts';

/** Rows as rows, with a 1 behind the features where there is an intercept. */
function drawn(rows: number, features: number, intercept: boolean) {
  const random = seeded('risk', `${rows} ${features}`);
  const columns = Array.from({ length: features }, (_, j) =>
    Float64Array.from({ length: rows }, () => j + normal(random)),
  );
  const target = Float64Array.from({ length: rows }, () => (uniform(random) < 0.5 ? 0 : 1));
  const weights = Float64Array.from({ length: rows }, () => uniform(random));
  const x = Array.from({ length: rows }, (_, i) => [...columns.map(column => column[i]!), ...(intercept ? [1] : [])]);
  const theta = Float64Array.from({ length: features + (intercept ? 1 : 0) }, () => normal(random) / features);
  return { batch: { rows, columns, target }, weights, x, theta };
}

const logistic = lossByName('logistic').loss;
const chance = (score: number): number => 1 / (1 + Math.exp(-score));

describe('weightedRisk', () => {
  it('is the mean over rows with its first two derivatives, for any number of rows and columns', () => {
    for (const [rows, features, intercept] of [
      [1, 1, false],
      [7, 2, true],
      [1024, 3, true],
      [1025, 3, false],
      [2500, 4, true],
    ] as const) {
      const { batch, weights, x, theta } = drawn(rows, features, intercept);
      const gamma = 0.3;
      const mean = (term: (row: readonly number[], score: number, i: number) => number): number =>
        x.reduce((sum, row, i) => {
          const score = row.reduce((dot, value, j) => dot + value * theta[j]!, 0);
          return sum + weights[i]! * term(row, score, i);
        }, 0) / rows;
      const penaltyOf = (j: number): number => (j < features ? gamma * (j + 1) : 0);
      const penalties = theta.map((_, j) => penaltyOf(j));
      const risk = weightedRisk(batch, { weights, intercept, penalties });

      const squares = theta.reduce((sum, value, j) => sum + penaltyOf(j) * value ** 2, 0);
      const value = mean((_, score, i) => Math.log1p(Math.exp(score)) - batch.target[i]! * score) + squares / 2;
      expect(risk.value(logistic, theta)).to.be.closeTo(value, 1e-12);
      // Twice, because sums must begin anew.
      for (const { gradient, curvature } of [risk.derivatives(logistic, theta), risk.derivatives(logistic, theta)]) {
        theta.forEach((own, j) => {
          const slope = mean((row, score, i) => (chance(score) - batch.target[i]!) * row[j]!);
          expect(gradient[j]).to.be.closeTo(slope + penaltyOf(j) * own, 1e-12);
          theta.forEach((_, k) => {
            const bend = mean((row, score) => chance(score) * chance(-score) * row[j]! * row[k]!);
            expect(curvature[j * theta.length + k]).to.be.closeTo(bend + (j === k ? penaltyOf(j) : 0), 1e-8);
          });
        });
      }
      const residuals = risk.residuals(theta, new Float64Array(rows));
      x.forEach((row, i) => {
        const score = row.reduce((dot, one, j) => dot + one * theta[j]!, 0);
        expect(residuals[i]).to.be.closeTo(batch.target[i]! - score, 1e-12);
      });
    }
  });

  it('is the same where rows lie in memory that compiled arithmetic reaches, also of some of them', () => {
    const { batch, weights, theta } = drawn(2500, 5, true);
    const { columns } = riskTile(5, 2500);
    columns.forEach((column, j) => {
      column.set(batch.columns[j]!);
    });
    for (const [start, end] of [
      [0, 2500],
      [0, 1025],
      [333, 1444],
    ] as const) {
      const of = (rows: SampleBatch) =>
        weightedRisk(rowsBetween(rows, start, end), {
          weights: weights.subarray(start, end),
          intercept: true,
        });
      const [copied, resident] = [of(batch), of({ ...batch, columns })];
      expect(resident.derivatives(logistic, theta)).to.deep.equal(copied.derivatives(logistic, theta));
      expect(resident.reweighted(pseudoHuber(1), theta)).to.deep.equal(copied.reweighted(pseudoHuber(1), theta));
      expect(resident.value(logistic, theta)).to.equal(copied.value(logistic, theta));
    }
  });

  it('has compiled losses do what they do elsewhere', () => {
    const { batch, weights, theta } = drawn(1025, 3, true);
    const risk = weightedRisk(batch, { weights, intercept: true });
    for (const loss of [squared(), pseudoHuber(0.3), gemanMcClure(0.4), tukey(0.9)]) {
      const { kernel: _, ...plain } = loss;
      // Without a kernel the bend is a difference, whose width is that of the scores.
      expect(risk.value(loss, theta)).to.be.closeTo(risk.value(plain, theta), 1e-12);
      for (const [one, other] of [
        [risk.derivatives(loss, theta), risk.derivatives(plain, theta)],
        [risk.reweighted(loss, theta), risk.reweighted(plain, theta)],
      ] as const) {
        expect(one.value).to.be.closeTo(other.value, 1e-12);
        expect(distance(one.gradient, other.gradient), loss.name).to.be.below(1e-12);
        expect(distance(one.curvature, other.curvature), loss.name).to.be.below(1e-8);
      }
    }
  });
});
