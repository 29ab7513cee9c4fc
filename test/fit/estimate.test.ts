import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { from } from 'rxjs';
import { ArgumentError } from '../../src/errors.ts';
import { type EstimateOptions, estimate } from '../../src/fit/estimate.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import type { Model } from '../../src/model/model.ts';
import type { RowSource } from '../../src/source/memory/rowSource.ts';
import { runCli } from '../support/runCli.ts';

/** y = 3 + 2 x - z + noise, with a text column. */
function rows(count: number): { x: Float64Array; z: Float64Array; town: string[]; y: Float64Array } {
  const random = seeded(7, 'estimate');
  const draw = (): Float64Array => Float64Array.from({ length: count }, () => normal(random));
  const [x, z, noise] = [draw(), draw(), draw()];
  const town = Array.from({ length: count }, (_, i) => ['Bath', 'Rome', 'Oslo'][(i * 7) % 3]!);
  const y = x.map((value, i) => 3 + 2 * value - z[i]! + 0.3 * noise[i]! + (town[i] === 'Rome' ? 1 : 0));
  return { x, z, town, y };
}

const declared = { target: 'y', categorical: { town: ['Rome'] } } satisfies EstimateOptions;

describe('estimate', () => {
  const data = rows(400);
  const table = tableFromArrays(data);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    writeFileSync(join(folder, 'rows.arrow'), tableToIPC(table, 'file'));
    const lines = Array.from(data.y, (y, i) => `${data.x[i]},${data.z[i]},${data.town[i]},${y}`);
    writeFileSync(join(folder, 'rows.csv'), `x,z,town,y\n${lines.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('gives the same model to the last bit, wherever the rows are', async () => {
    async function* generated() {
      yield* table.batches;
    }
    const sources: Record<string, () => RowSource> = {
      table: () => table,
      batches: () => table.batches,
      generator: generated,
      observable: () => from(table.batches),
      columns: () => data,
      'an Arrow file': () => join(folder, 'rows.arrow'),
      'a CSV file': () => join(folder, 'rows.csv'),
    };
    const models = new Map<string, string>();
    for (const [name, source] of Object.entries(sources))
      models.set(name, JSON.stringify((await estimate(source(), declared)).model));
    for (const [name, model] of models) expect(model, name).to.equal(models.get('table'));
  });

  it('is what the command line prints for the same file', async () => {
    const [csv, out] = [join(folder, 'rows.csv'), join(folder, 'model.json')];
    await runCli(['fit', csv, '--target', 'y', '--categorical', 'town=Rome', '--out', out, '--holdout', '0.25']);
    const printed = JSON.parse(readFileSync(out, 'utf8')) as Model;
    const { model } = await estimate(csv, { ...declared, holdout: 0.25 });
    const { notes: _, choices: __, ...numbers } = JSON.parse(JSON.stringify(model)) as Model;
    const { notes: ___, choices: ____, ...others } = printed;
    expect(numbers).to.deep.equal(others);
  });

  it('has coefficients by name with errors and intervals, and notes with the severe ones first', async () => {
    const { coefficients, notes, model, rows, loss, ledger } = await estimate(data, declared);
    expect(Object.keys(coefficients)).to.deep.equal(['x', 'z', 'town=Rome', '(intercept)']);
    const { estimate: slope, error, lower, upper } = coefficients['x']!;
    expect(slope).to.be.closeTo(2, 0.1);
    expect([lower! < slope, slope < upper!, error! > 0]).to.deep.equal([true, true, true]);
    expect(error).to.equal(model.uncertainty!.errors['x']);
    expect(rows.read).to.equal(400);
    expect(loss.name).to.equal(model.loss.name);
    expect(ledger.isPrivate).to.equal(false);
    const severities = notes.map(({ isSevere }) => Number(isSevere));
    expect(severities).to.deep.equal([...severities].sort((a, b) => b - a));
  });

  it('has a covariance with the squares of the errors on its diagonal, which is that of HC3', async () => {
    const { covariance, coefficients } = await estimate(
      { x: data.x, z: data.z, y: data.y },
      {
        target: 'y',
        loss: 'squared',
      },
    );
    const { names, values } = covariance()!;
    expect(names).to.deep.equal(['x', 'z', '(intercept)']);
    const size = names.length;
    names.forEach((name, j) => {
      expect(values[j * (size + 1)]).to.be.closeTo(coefficients[name]!.error! ** 2, 1e-12);
    });
    const brute = hc3(data.x, data.z, data.y);
    const correlation = (matrix: ArrayLike<number>, i: number, j: number): number =>
      matrix[i * size + j]! / Math.sqrt(matrix[i * (size + 1)]! * matrix[j * (size + 1)]!);
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++)
        expect(correlation(values, i, j), `${i}, ${j}`).to.be.closeTo(correlation(brute, i, j), 0.02);
  });

  it('has a trace of the steps as an Arrow table, whose last row is the estimate', async () => {
    const { trace, coefficients, model } = await estimate(data, declared);
    const found = await trace();
    expect(found.schema.fields.map(({ name }) => name)).to.deep.equal([
      ...['step', 'rows', 'gradientNorm', 'sigma'],
      ...Object.keys(coefficients),
    ]);
    expect(found.numRows).to.equal(model.steps.length);
    expect(found.getChild('x')!.get(found.numRows - 1)).to.equal(coefficients['x']!.estimate);
  });

  it('takes a loss of the caller by itself, and calls it by its name', async () => {
    const logCosh: Loss = {
      name: 'log-cosh',
      value: (score, target) => Math.log(Math.cosh(score - target)),
      slope: (score, target) => Math.tanh(score - target),
      lipschitz: ({ norm }) => norm,
      smoothness: ({ norm }) => norm ** 2,
      penalty: 0,
      targets: { least: -Infinity, most: Infinity },
    } as Loss;
    const { model, loss, notes, choices } = await estimate(data, { ...declared, loss: logCosh });
    expect(model.loss).to.deep.equal({ name: 'log-cosh' });
    expect(loss.loss).to.equal(logCosh);
    expect(model.coefficients['x']).to.be.closeTo(2, 0.1);
    for (const text of [...choices, ...notes.map(note => note.text)])
      expect(text).not.to.match(/huber|tukey|squared|reject/i);
  });

  it('starts from another model, and refuses one of other features with the way out', async () => {
    const { model } = await estimate(data, declared);
    const again = await estimate(data, { ...declared, start: model });
    expect(again.model.coefficients['x']).to.be.closeTo(model.coefficients['x']!, 1e-6);
    const refused = await estimate({ x: data.x, y: data.y }, { target: 'y', start: model }).catch(String);
    expect(refused).to.match(/`start` has different features.*missing: none; extra: z, town=Rome/);
  });

  it('tells of its progress, phase by phase, and stops where it is told to', async () => {
    const phases: string[] = [];
    await estimate(data, {
      ...declared,
      onProgress: ({ phase, rows, of }) => {
        expect(rows).to.be.at.most(of);
        if (phases.at(-1) !== phase) phases.push(phase);
      },
    });
    expect(phases.slice(0, 2)).to.deep.equal(['shuffling', 'pilot']);
    expect(phases.at(-1)).to.match(/^step \d+\/\d+$/);
    const controller = new AbortController();
    const reason = new Error('enough');
    const stopped = estimate(data, {
      ...declared,
      signal: controller.signal,
      onIterate: ({ step }) => step === 2 && controller.abort(reason),
    });
    expect(await stopped.catch(error => error)).to.equal(reason);
    expect(await estimate(data, { ...declared, signal: controller.signal }).catch(error => error)).to.equal(reason);
  });

  it('stops a source that never ends and never waits, and refuses a feature with the name of the intercept', async () => {
    async function* endless() {
      for (;;) yield* table.batches;
    }
    const stopped = await estimate(endless(), { ...declared, signal: AbortSignal.timeout(50) }).catch(error => error);
    expect(stopped.name).to.equal('TimeoutError');
    const refused = await estimate({ '(intercept)': data.x, y: data.y }, { target: 'y' }).catch(error => error);
    expect(refused).to.include({ code: 'ERR_COLUMN', column: '(intercept)' });
  });

  it('names the cell that is too large, and the column without a value', async () => {
    const large = await estimate({ ...data, x: data.x.with(3, 1e200) }, declared).catch(error => error);
    expect(large).to.be.instanceOf(ArgumentError);
    expect(large).to.include({ code: 'ERR_TOO_LARGE', column: 'x', row: 3 });
    const empty = await estimate(
      { x: new Array(400).fill(null), y: data.y },
      { target: 'y', features: ['x'], nulls: 'skip' },
    ).catch(error => error);
    expect(empty).to.be.instanceOf(ArgumentError);
    expect(empty.message).to.match(/"?x"?/);
  });
});

/** The sandwich of least squares with the correction HC3, by plain algebra. */
function hc3(x: Float64Array, z: Float64Array, y: Float64Array): number[] {
  const count = x.length;
  const design = Array.from(x, (value, i) => [value, z[i]!, 1]);
  const gram = [0, 1, 2].map(a => [0, 1, 2].map(b => design.reduce((sum, row) => sum + row[a]! * row[b]!, 0)));
  const inverse = inverseOf(gram);
  const moment = [0, 1, 2].map(a => design.reduce((sum, row, i) => sum + row[a]! * y[i]!, 0));
  const theta = inverse.map(row => row.reduce((sum, value, k) => sum + value * moment[k]!, 0));
  const found = new Array(9).fill(0);
  for (let i = 0; i < count; i++) {
    const row = design[i]!;
    const image = inverse.map(line => line.reduce((sum, value, k) => sum + value * row[k]!, 0));
    const leverage = row.reduce((sum, value, k) => sum + value * image[k]!, 0);
    const residual = y[i]! - row.reduce((sum, value, k) => sum + value * theta[k]!, 0);
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) found[3 * a + b] += image[a]! * image[b]! * (residual / (1 - leverage)) ** 2;
  }
  return found;
}

function inverseOf(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const wide = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let k = 0; k < size; k++) {
    const pivot = wide[k]![k]!;
    wide[k] = wide[k]!.map(value => value / pivot);
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = wide[i]![k]!;
      wide[i] = wide[i]!.map((value, j) => value - factor * wide[k]![j]!);
    }
  }
  return wide.map(row => row.slice(size));
}
