import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { type Evaluation, evaluateRows as evaluate } from '../../src/model/evaluation.ts';
import type { Model } from '../../src/model/model.ts';
import { rowsBetween, type SampleBatch } from '../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { expectClose } from '../support/close.ts';
import { modelOf } from '../support/modelOf.ts';

const random = seeded(7, 'evaluation');
const rows = 3000;
const column = (): Float64Array => Float64Array.from({ length: rows }, () => normal(random));
const columns = [column(), column()];
const coefficients = [0.8, -0.5];
const intercept = 0.3;
const scores = columns[0]!.map((x, i) => intercept + 0.8 * x - 0.5 * columns[1]![i]!);
/** Whole weights, a fifth of them 0. */
const weights = Float64Array.from({ length: rows }, () => Math.floor(5 * uniform(random)));

/** The same rows in batches of memory that is used again. */
const inBatches = (batch: SampleBatch, size: number): Samples => ({
  ...samplesOf(batch),
  async *batches() {
    for (let start = 0; start < batch.rows; start += size) {
      const { target, ...rest } = rowsBetween(batch, start, Math.min(batch.rows, start + size));
      const borrowed = target.slice();
      yield { ...rest, target: borrowed };
      borrowed.fill(Number.NaN);
    }
  },
});

/** Every row as often as its weight says. */
const repeated = (values: Float64Array, counts: Float64Array): Float64Array =>
  Float64Array.from([...values].flatMap((value, i) => Array<number>(counts[i]!).fill(value)));

const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

async function bothWays(target: Float64Array, loss: Model['loss']): Promise<[Evaluation, Evaluation]> {
  const model = modelOf(coefficients, { loss, intercept });
  const weighted = await evaluate(model, samplesOf({ rows, columns, target, weights }));
  const expanded = {
    rows: weights.reduce((sum, weight) => sum + weight, 0),
    columns: columns.map(values => repeated(values, weights)),
    target: repeated(target, weights),
  };
  return [weighted, await evaluate(model, samplesOf(expanded))];
}

/** Equal but for the number of rows and rounding. */
function expectSame(a: unknown, b: unknown, path = ''): void {
  if (typeof a === 'object' && a !== null) {
    for (const key of Object.keys(a)) {
      if (path + key === 'rows') continue;
      expectSame(a[key as never], (b as object)[key as never], `${path}${key}.`);
    }
  } else if (typeof a === 'number') expect(a, path).to.be.closeTo(b as number, 1e-10 * Math.abs(b as number));
  else expect(a, path).to.equal(b);
}

describe('evaluate', () => {
  const noise = Float64Array.from({ length: rows }, () => normal(random) / uniform(random));
  const numbers = scores.map((score, i) => score + noise[i]!);
  const classes = scores.map(score => (uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0));
  const counts = scores.map(score => Math.floor(Math.exp(score) * 2 * uniform(random)));

  it('gives mean loss, R2 and errors of numbers as their formulas do', async () => {
    for (const loss of [{ name: 'squared' }, { name: 'pseudo-huber', parameter: 0.7 }]) {
      const model = modelOf(coefficients, { loss, intercept });
      const found = await evaluate(model, samplesOf({ rows, columns, target: numbers }));
      const residuals = numbers.map((y, i) => y - scores[i]!);
      const lossOf = (r: number): number =>
        loss.name === 'squared' ? r ** 2 / 2 : 0.49 * (Math.sqrt(1 + (r / 0.7) ** 2) - 1);
      const centre = mean(numbers);
      const absolute = residuals.map(Math.abs).sort();
      expect(found).to.include({ loss: loss.name, rows, weight: rows });
      expectClose(found.meanLoss, mean(residuals.map(lossOf)), 1e-11);
      const errors = found.errors!;
      expect(errors.r2).to.be.closeTo(
        1 - mean(residuals.map(r => r ** 2)) / mean(numbers.map(y => (y - centre) ** 2)),
        1e-12,
      );
      expectClose(errors.meanAbsolute, mean(absolute));
      expectClose(errors.rootMeanSquare, Math.sqrt(mean(absolute.map(a => a ** 2))));
      expect(errors.absolute.least).to.be.closeTo(absolute[0]!, 1e-15);
      expectClose(errors.absolute.most, absolute.at(-1)!);
      for (const [name, share] of [
        ['median', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ] as const) {
        expectClose(errors.absolute[name], absolute[Math.ceil(share * rows) - 1]!, 1 / 128);
      }
      expect(found).to.not.have.any.keys('classes', 'meanDeviance');
    }
  });

  it('gives AUC, accuracy, log loss and Brier score of classes as their formulas do', async () => {
    const model = modelOf(coefficients, { loss: { name: 'logistic' }, intercept });
    const found = await evaluate(model, samplesOf({ rows, columns, target: classes }));
    const probabilities = scores.map(score => 1 / (1 + Math.exp(-score)));
    let ordered = 0;
    let pairs = 0;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows; j++) {
        if (classes[i] !== 1 || classes[j] !== 0) continue;
        pairs++;
        ordered += scores[i]! > scores[j]! ? 1 : scores[i] === scores[j] ? 0.5 : 0;
      }
    }
    const { auc, accuracy, logLoss, brier, positives } = found.classes!;
    expect(auc!.within).to.be.below(1e-4);
    expect(auc!.area).to.be.closeTo(ordered / pairs, auc!.within);
    expectClose(accuracy, mean(probabilities.map((p, i) => (p >= 0.5 ? classes[i]! : 1 - classes[i]!))));
    expectClose(logLoss, mean(probabilities.map((p, i) => -Math.log(classes[i] === 1 ? p : 1 - p))));
    expectClose(brier, mean(probabilities.map((p, i) => (p - classes[i]!) ** 2)));
    expectClose(positives, mean(classes));
    expect(found.meanLoss).to.equal(logLoss);
    expect(found).to.not.have.any.keys('errors', 'meanDeviance');
  });

  it('gives mean deviance and errors of counts as their formulas do', async () => {
    const model = modelOf(coefficients, { loss: { name: 'poisson' }, intercept });
    const found = await evaluate(model, samplesOf({ rows, columns, target: counts }));
    const rates = scores.map(Math.exp);
    const deviances = rates.map((rate, i) => {
      const y = counts[i]!;
      return 2 * ((y === 0 ? 0 : y * Math.log(y / rate)) - (y - rate));
    });
    expectClose(found.meanDeviance!, mean(deviances), 1e-11);
    expectClose(found.errors!.meanAbsolute, mean(rates.map((rate, i) => Math.abs(rate - counts[i]!))));
    expect(found).to.not.have.any.keys('classes');
  });

  it('takes a weight as so many equal rows, and an invalid row as none', async () => {
    const cases: [Float64Array, Model['loss']][] = [
      [numbers, { name: 'pseudo-huber', parameter: 2 }],
      [classes, { name: 'logistic' }],
      [counts, { name: 'poisson' }],
    ];
    for (const [target, loss] of cases) {
      const [weighted, expanded] = await bothWays(target, loss);
      expectSame(weighted, expanded);
      expect(weighted.rows).to.equal(weights.filter(weight => weight > 0).length);
      expect(weighted.weight).to.equal(expanded.rows);
    }
  });

  it('is the same to the last bit for any size of batches', async () => {
    const model = modelOf(coefficients, { intercept });
    const batch = { rows, columns, target: numbers, weights };
    const whole = await evaluate(model, samplesOf(batch));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: rows }), async size => {
        expect(await evaluate(model, inBatches(batch, size))).to.deep.equal(whole);
      }),
      { seed: 3, numRuns: 10 },
    );
  });

  it('has an R2 that survives a target far from 0', async () => {
    const far = numbers.map(y => y + 1e9);
    const model = modelOf(coefficients, { intercept: intercept + 1e9 });
    const near = await evaluate(modelOf(coefficients, { intercept }), samplesOf({ rows, columns, target: numbers }));
    const found = await evaluate(model, samplesOf({ rows, columns, target: far }));
    expectClose(found.errors!.r2!, near.errors!.r2!, 1e-6);
  });

  it('has no R2 for a constant target, and no AUC for a single class', async () => {
    const target = new Float64Array(rows).fill(1);
    const numeric = await evaluate(modelOf(coefficients), samplesOf({ rows, columns, target }));
    expect(numeric.errors!.r2).to.equal(null);
    const logistic = modelOf(coefficients, { loss: { name: 'logistic' } });
    expect((await evaluate(logistic, samplesOf({ rows, columns, target }))).classes!.auc).to.equal(null);
  });

  it('takes a single row', async () => {
    const one = { rows: 1, columns: [Float64Array.of(2), Float64Array.of(0)], target: Float64Array.of(2) };
    const { errors, rows: count } = await evaluate(modelOf([1, 1]), samplesOf(one));
    expect(count).to.equal(1);
    expect(errors).to.deep.equal({
      r2: null,
      meanAbsolute: 0,
      rootMeanSquare: 0,
      absolute: { least: 0, median: 0, p90: 0, p99: 0, most: 0 },
    });
  });

  it('refuses rows of other features, targets that the loss has no meaning for, and no rows at all', async () => {
    const failure = (model: Model, batch: SampleBatch): Promise<Error> =>
      evaluate(model, samplesOf(batch)).then(
        () => expect.fail('it did not refuse'),
        error => error,
      );
    const target = numbers;
    const batch = { rows, columns, target };
    expect(await failure(modelOf([1]), batch)).to.be.instanceOf(ArgumentError);
    expect((await failure(modelOf([1]), batch)).message).to.include('the length of model.features must be 2');
    const logistic = modelOf(coefficients, { loss: { name: 'logistic' } });
    expect((await failure(logistic, batch)).message).to.match(/^target must be from 0 to 1 for logistic, got/);
    const empty = { rows, columns, target, weights: new Float64Array(rows) };
    expect((await failure(modelOf(coefficients), empty)).message).to.include('no row is left');
  });
});
