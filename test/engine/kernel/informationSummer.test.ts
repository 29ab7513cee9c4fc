import { expect } from 'chai';
import fc from 'fast-check';
import { informationSummer } from '../../../src/engine/kernel/informationSummer.ts';
import { riskTile } from '../../../src/engine/kernel/riskTile.ts';
import { weightedMedian } from '../../../src/math/median.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { dot, type Vector } from '../../../src/math/vector.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { type Loss, slopeOfSlope } from '../../../src/method/loss/loss.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { tukey } from '../../../src/method/loss/tukey.ts';
import { COLUMNS, type InformationQuestion, SUMS } from '../../../src/method/rule/informationQuestion.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';

const FEATURES = 3;
const random = seeded(1, 'information');
const draw = (length: number): Vector => Float64Array.from({ length }, () => normal(random));
const coordinates = { centre: Float64Array.of(0.5, -2, 1000), scale: Float64Array.of(2, 0.1, 1) };

function rows(count: number, weighted: boolean): SampleBatch {
  const columns = [draw(count), draw(count).map(x => x / 10 - 2), draw(count).map(x => 1000 + x)];
  const target = draw(count).map(y => (y > 0 ? 1 : 0));
  const weights = draw(count).map(w => (w < -1 ? 0 : Math.abs(w)));
  return { rows: count, columns, target, ...(weighted && { weights }) };
}

const custom: Loss = { ...pseudoHuber(1.5), name: 'custom' };
delete (custom as { kernel?: unknown }).kernel;

function answer(batch: SampleBatch, question: Partial<InformationQuestion>, cuts: readonly number[] = []): Vector {
  const at = question.at ?? new Float64Array(FEATURES + 1);
  const asked = { asks: 'information' as const, at, from: at, loss: squared(), coordinates, ...question };
  const tile = riskTile(FEATURES);
  const summer = informationSummer({ question: asked, rows: batch.rows, tile, withDeviation: true });
  let start = 0;
  for (const cut of [...cuts.filter(cut => cut < batch.rows), batch.rows]) {
    summer.add(rowsBetween(batch, start, cut));
    start = cut;
  }
  return summer.finish();
}

/** Row by row, as the documentation says. */
function expected(batch: SampleBatch, loss: Loss, at: Vector): Vector {
  const size = at.length;
  const sums = new Float64Array(SUMS.length + FEATURES + 2 * size + (size * (size + 1)) / 2);
  const distances = new Float64Array(batch.rows);
  const weights = batch.weights ?? new Float64Array(batch.rows).fill(1);
  for (let i = 0; i < batch.rows; i++) {
    const [w, y] = [weights[i]!, batch.target[i]!];
    const z = Float64Array.from({ length: size }, (_, j) =>
      j === FEATURES ? 1 : (batch.columns[j]![i]! - coordinates.centre[j]!) / coordinates.scale[j]!,
    );
    const score = dot(z, at);
    distances[i] = Math.abs(y - score);
    if (!(w > 0)) continue;
    const [slope, bend] = [w * loss.slope(score, y), w * Math.max(0, slopeOfSlope(loss, score, y))];
    const add = (place: number, value: number): void => {
      sums[place]! += value;
    };
    add(SUMS.rows, 1);
    add(SUMS.weight, w);
    add(SUMS.loss, w * loss.value(score, y));
    add(SUMS.squares, slope * slope);
    add(SUMS.bends, bend);
    let place = SUMS.length;
    for (let j = 0; j < FEATURES; j++, place++) sums[place] = Math.max(sums[place]!, Math.abs(z[j]!));
    for (let j = 0; j < size; j++, place++) add(place, slope * z[j]!);
    for (let j = 0; j < size; j++, place++) add(place, slope * slope * z[j]! * z[j]!);
    for (let j = 0; j < size; j++) for (let k = 0; k <= j; k++) add(place++, bend * z[j]! * z[k]!);
  }
  sums[SUMS.deviation] = weightedMedian(distances, weights);
  return sums;
}

describe('informationSummer', () => {
  for (const loss of [squared(), pseudoHuber(0.7), logistic(), poisson(), tukey(2), custom])
    it(`sums what row by row gives, for ${loss.name}, with weights and without, with an intercept and without`, () => {
      for (const [count, weighted] of [
        [1, false],
        [7, true],
        [1024, false],
        [2500, true],
      ] as const) {
        const batch = rows(count, weighted);
        const at = Float64Array.of(0.2, -0.1, 0.3, 0.4);
        const wanted = expected(batch, loss, at);
        answer(batch, { at, loss }).forEach((value, place) => {
          expect(value, `${count}, ${place}`).to.be.closeTo(wanted[place]!, 1e-5 * (1 + Math.abs(wanted[place]!)));
        });
      }
      const batch = rows(50, false);
      const at = Float64Array.of(0.2, -0.1, 0.3);
      const wanted = expected(batch, loss, Float64Array.of(...at, 0));
      const found = answer(batch, { at, loss });
      const gradient = SUMS.length + FEATURES;
      expect(found[gradient + 1]).to.be.closeTo(wanted[gradient + 1]!, 1e-9);
      expect(found[gradient + 4]).to.be.closeTo(wanted[gradient + 5]!, 1e-9);
    });

  it('has the same bits however rows come in batches, and no number of rows leaves anything behind', () => {
    const batch = rows(3000, true);
    const at = Float64Array.of(0.2, -0.1, 0.3, 0.4);
    const whole = answer(batch, { at });
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 2999 }), { maxLength: 8 }), cuts => {
        expect(
          answer(
            batch,
            { at },
            cuts.sort((a, b) => a - b),
          ),
        ).to.deep.equal(whole);
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it('tells where columns and targets lie, without losing digits far from 0, and that a column is constant', () => {
    const batch = rows(1001, true);
    const columns = [batch.columns[0]!.map(() => 7), batch.columns[1]!, batch.columns[2]!.map(x => x + 1e9)];
    const found = answer({ ...batch, columns }, { asks: 'columns' });
    const counted = Array.from(batch.weights!, (w, i) => [w, i] as const).filter(([w]) => w > 0);
    const total = counted.reduce((sum, [w]) => sum + w, 0);
    const meanOf = (of: (i: number) => number) => counted.reduce((sum, [w, i]) => sum + (w * of(i)) / total, 0);
    expect(found[COLUMNS.rows]).to.equal(counted.length);
    expect(found[COLUMNS.mean]).to.be.closeTo(
      meanOf(i => batch.target[i]!),
      1e-12,
    );
    expect([...found.subarray(COLUMNS.length, COLUMNS.length + 2)]).to.deep.equal([7, 0]);
    for (const j of [1, 2]) {
      const mean = meanOf(i => columns[j]![i]!);
      const spread = Math.sqrt(meanOf(i => (columns[j]![i]! - mean) ** 2));
      expect(found[COLUMNS.length + 2 * j]).to.be.closeTo(mean, 1e-6);
      expect(found[COLUMNS.length + 2 * j + 1]! / spread).to.be.closeTo(1, 1e-6);
    }
  });

  it('tries a point: how far it moves a score, and the loss there', () => {
    const batch = rows(1500, true);
    const [from, at] = [Float64Array.of(0, 0.1, 0, 1), Float64Array.of(0.3, -0.2, 0.1, 0)];
    const [moved, value] = answer(batch, { asks: 'trial', at, from, loss: poisson() });
    expect(value).to.be.closeTo(expected(batch, poisson(), at)[SUMS.loss]!, 1e-8);
    let most = 0;
    batch.weights!.forEach((w, i) => {
      const z = [0, 1, 2].map(j => (batch.columns[j]![i]! - coordinates.centre[j]!) / coordinates.scale[j]!);
      if (w > 0) most = Math.max(most, Math.abs(0.3 * z[0]! - 0.3 * z[1]! + 0.1 * z[2]! - 1));
    });
    expect(moved).to.be.closeTo(most, 1e-9);
  });

  it('tells a value that is not finite, and forgets it with the next question', () => {
    const batch = rows(5, false);
    const wild = { ...batch, columns: [Float64Array.of(1, NaN, 1, 1, 1), batch.columns[1]!, batch.columns[2]!] };
    expect(answer(wild, {}).every(Number.isFinite)).to.equal(false);
    const tile = riskTile(FEATURES);
    const at = new Float64Array(4);
    const wildTarget = { ...batch, target: Float64Array.of(1, Infinity, 1, 1, 1) };
    for (const [own, isWell] of [
      [wild, false],
      [rowsBetween(batch, 0, 1), true],
      [wildTarget, false],
      [rowsBetween(batch, 0, 1), true],
    ] as const) {
      const question = { asks: 'information' as const, at, from: at, loss: squared(), coordinates };
      const summer = informationSummer({ question, rows: own.rows, tile, withDeviation: false });
      summer.add(own);
      expect(summer.finish().every(Number.isFinite)).to.equal(isWell);
    }
  });
});
