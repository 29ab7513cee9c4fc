import { expect } from 'chai';
import { fitRows } from '../../../../src/fit/fitRows.ts';
import { curvatureConcentration } from '../../../../src/inference/diagnostics/leverage/concentration.ts';
import { curvatureFactor } from '../../../../src/inference/pilot/risk/curvatureFactor.ts';
import { weightedRisk } from '../../../../src/inference/pilot/risk/weightedRisk.ts';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { dot, zeros } from '../../../../src/math/vector.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { type SampleBatch, sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';
import { expectClose } from '../../../support/close.ts';
import * as algebra from '../../../support/linearAlgebra.ts';

const loss = lossByName('poisson');

/** By how long unit-rate arrivals take. */
function count(random: Random, rate: number): number {
  let [found, time] = [-1, 0];
  while (time <= rate) {
    time -= Math.log(1 - uniform(random));
    found++;
  }
  return found;
}

function counts(seed: number, rows: number, slope: number, feature: (random: Random) => number): SampleBatch {
  const random = seeded(seed, 'bent');
  const x = Float64Array.from({ length: rows }, () => feature(random));
  return sampleBatch(
    [x],
    x.map(value => count(random, Math.exp(slope * value - 1))),
  );
}

const direct = counts(1, 500, 0.2, random => Math.exp(normal(random) / 2));
const [skewed] = direct.columns as [Float64Array];
const spare = seeded('bent', 'spare');
const flat = skewed.map(() => normal(spare));
const uneven = skewed.map((_, i) => i % 3);

/** Of the counts, at a point, by itself. */
function concentration(
  columns: readonly Float64Array[],
  t: readonly number[],
  { intercept, weights }: { readonly intercept: boolean; readonly weights: Float64Array },
): number {
  const batch = sampleBatch(columns, direct.target);
  const penalties = zeros(t.length);
  const risk = weightedRisk(batch, { intercept, weights, penalties });
  const at = Float64Array.from(t);
  const { curvature } = risk.derivatives(loss.loss, at);
  const factor = curvatureFactor(curvature, t.length, intercept);
  return curvatureConcentration({ batch, weights, intercept, penalties }, { loss: loss.loss, t: at, risk, factor });
}

/** From the formula: a count bends by what is expected of it. */
function byHand(
  columns: readonly Float64Array[],
  t: readonly number[],
  { intercept, weights }: { readonly intercept: boolean; readonly weights: Float64Array },
): number {
  const xs = Array.from(weights, (_, i) =>
    Float64Array.of(...columns.map(column => column[i]!), ...(intercept ? [1] : [])),
  );
  const bends = xs.map((x, i) => weights[i]! * Math.exp(dot(x, Float64Array.from(t))));
  const moments = t.map((_, j) =>
    Float64Array.from(t, (_, k) => xs.reduce((sum, x, i) => sum + (bends[i]! * x[j]! * x[k]!) / xs.length, 0)),
  );
  const shares = xs.map((x, i) => bends[i]! * dot(x, algebra.solveBy(moments, x)));
  return Math.hypot(...shares) / shares.reduce((sum, share) => sum + share, 0);
}

describe('curvatureConcentration', () => {
  it('sees that few rows have most of the curvature of counts along a log-normal feature, and not along a normal one', () => {
    for (let seed = 0; seed < 8; seed++) {
      const skewed = counts(seed, 5000, 0.1, random => Math.exp(normal(random)));
      const few = studyPilot(skewed, { loss, intercept: true });
      expect(few.leverage.isCurvatureConcentrated).to.equal(true);
      expect(few.shortage).to.deep.equal({ few: 'rows with leverage' });
      const even = counts(seed, 5000, 0.3, normal);
      const many = studyPilot(even, { loss, intercept: true });
      expect(many.leverage.isCurvatureConcentrated).to.equal(false);
      expect(many.shortage).to.equal(null);
    }
  });

  it('has such counts fitted over all rows', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const batch = counts(seed, 30_000, 0.1, random => Math.exp(normal(random)));
      const { fit, layout } = await fitRows(samplesOf(batch), { loss });
      const whole = studyPilot(batch, { loss, intercept: true });
      expect(layout.sharesPilot).to.equal(true);
      expect(fit.theta[0]).to.be.closeTo(whole.estimate.theta[0]!, 2e-4);
    }
  });

  for (const intercept of [true, false]) {
    const slopes = [0.4, -0.3];
    const t = intercept ? [...slopes, -1] : slopes;
    const columns = [skewed, flat];

    it(`is that of the formula ${intercept ? 'with' : 'without'} an intercept, of rows that count alike or not`, () => {
      const alike = { intercept, weights: new Float64Array(500).fill(1) };
      const unlike = { intercept, weights: uneven };
      for (const options of [alike, unlike])
        expectClose(concentration(columns, t, options), byHand(columns, t, options), 1e-6);
      expect(concentration(columns, t, unlike)).to.be.above(1.1 * concentration(columns, t, alike));
    });

    it(`is the same in every unit of the weights, in every order of columns, and beside one that they make up, ${intercept ? 'with' : 'without'} an intercept`, () => {
      const options = { intercept, weights: uneven };
      const found = concentration(columns, t, options);
      for (const unit of [1e-6, 1e6]) {
        const weights = uneven.map(weight => unit * weight);
        expectClose(concentration(columns, t, { intercept, weights }), found, 1e-9);
      }
      const turned = [slopes[1]!, slopes[0]!, ...t.slice(2)];
      expectClose(concentration([flat, skewed], turned, options), found, 1e-9);
      const madeUp = skewed.map((value, i) => 2 * value - flat[i]!);
      const beside = [...slopes, 0, ...t.slice(2)];
      expectClose(concentration([...columns, madeUp], beside, options), found, 1e-9);
    });
  }
});
