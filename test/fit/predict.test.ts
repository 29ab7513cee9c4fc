import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import { estimate } from '../../src/fit/estimate.ts';
import { evaluate } from '../../src/fit/evaluate.ts';
import { inspect } from '../../src/fit/inspect.ts';
import { predict, predictBatches } from '../../src/fit/predict.ts';
import type { Model } from '../../src/model/model.ts';

const count = 300;
const x = Float64Array.from({ length: count }, (_, i) => Math.sin(i));
const town = Array.from({ length: count }, (_, i) => ['Bath', 'Rome'][i % 2]!);
const y = x.map((value, i) => 2 * value + (town[i] === 'Rome' ? 1 : 0) + 0.1 * Math.cos(7 * i));
const id = Int32Array.from({ length: count }, (_, i) => 1000 + i);
const table = tableFromArrays({ id, x, town, y });

describe('predict', () => {
  let model: Model;
  let file: string;
  before(async () => {
    file = mkdtempSync(join(tmpdir(), 'sluice-'));
    writeFileSync(join(file, 'rows.arrow'), tableToIPC(table, 'file'));
    ({ model } = await estimate(table, {
      target: 'y',
      features: ['x', 'town'],
      categorical: { town: ['Rome'] },
    }));
  });
  after(() => rmSync(file, { recursive: true }));

  const expected = (i: number): number =>
    model.intercept! + model.coefficients['x']! * x[i]! + (town[i] === 'Rome' ? model.coefficients['town=Rome']! : 0);

  it('gives the score of every row as a table, with the columns that are kept', async () => {
    for (const source of [table, table.batches, { id, x, town }, join(file, 'rows.arrow')]) {
      const scored = await predict(model, source, { keep: ['id', 'town'] }).table();
      expect(scored.schema.fields.map(({ name }) => name)).to.deep.equal(['id', 'town', 'prediction']);
      expect(scored.numRows).to.equal(count);
      for (const i of [0, 1, 17, count - 1]) {
        expect(Number(scored.getChild('id')!.get(i))).to.equal(1000 + i);
        expect(scored.getChild('town')!.get(i)).to.equal(town[i]);
        expect(scored.getChild('prediction')!.get(i)).to.be.closeTo(expected(i), 1e-12);
      }
    }
  });

  it('has the same predictions with and without columns that are kept, to the last bit', async () => {
    const [with_, without] = await Promise.all([
      predict(model, table, { keep: ['id'] }).table(),
      predict(model, table).table(),
    ]);
    expect([...with_.getChild('prediction')!]).to.deep.equal([...without.getChild('prediction')!]);
    expect(without.schema.fields).to.have.length(1);
  });

  it('is an operator on record batches, one out for one in', async () => {
    const parts = [table.slice(0, 100), table.slice(100)].flatMap(part => part.batches);
    const scored = await lastValueFrom(from(parts).pipe(predictBatches(model, { keep: ['id'] }), toArray()));
    expect(scored.map(({ numRows }) => numRows)).to.deep.equal([100, 200]);
    expect(scored[1]!.getChild('prediction')!.get(5)).to.be.closeTo(expected(105), 1e-12);
  });

  it('scores batches as they are pulled, without waiting for an end', async () => {
    async function* endless() {
      for (;;) yield* table.batches;
    }
    let rows = 0;
    for await (const batch of predict(model, endless(), { keep: ['id'] })) {
      rows += batch.numRows;
      if (rows >= 3 * count) break;
    }
    expect(rows).to.equal(3 * count);
  });

  it('has a null for a row that cannot be used, unless it may not, and tells of levels that it does not know', async () => {
    const odd = tableFromArrays({
      x: [1, null, 3],
      town: ['Bath', 'Rome', 'Atlantis'],
    });
    const refused = await predict(model, odd, { nulls: 'error' }).table().catch(String);
    expect(refused).to.match(/column "x", row 1/);
    const scored = predict(model, odd);
    expect([...(await scored.table()).getChild('prediction')!].map(value => value === null)).to.deep.equal([
      false,
      true,
      false,
    ]);
    const { rows, invalid, warnings } = scored.account();
    expect([rows, invalid]).to.deep.equal([3, 1]);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/Atlantis/);
  });

  it('refuses to keep a column that has the name of the predictions, and one that is not there', async () => {
    expect(() => predict(model, table, { keep: ['prediction'] })).to.throw(/rename it before/);
    expect(
      await predict(model, table, { keep: ['ID'] })
        .table()
        .catch(String),
    ).to.match(/ID/);
  });
});

describe('evaluate and inspect', () => {
  it('take a table in memory', async () => {
    const { model } = await estimate(table, {
      target: 'y',
      features: ['x', 'town'],
      categorical: { town: ['Rome'] },
    });
    const found = await evaluate(model, table);
    expect(found.rows).to.equal(count);
    const mean = y.reduce((sum, value) => sum + value, 0) / count;
    const scores = await predict(model, table).table();
    const residual = [...scores.getChild('prediction')!].reduce((sum, value, i) => sum + (value - y[i]!) ** 2, 0);
    const total = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(found.errors!.r2).to.be.closeTo(1 - residual / total, 1e-12);
    const [described] = await inspect(table);
    expect(described!.columns.map(({ name }) => name)).to.deep.equal(['id', 'x', 'town', 'y']);
  });

  it('ask for a loss of the caller that no file holds', async () => {
    const { model } = await estimate(table, { target: 'y', features: ['x'] });
    const own = { ...model, loss: { name: 'my own' } };
    expect(await evaluate(own, table).catch(String)).to.match(/give it as `loss`/);
    expect((await evaluate(own, table, { loss: 'squared' })).rows).to.equal(count);
    expect((await predict(own, table).table()).numRows).to.equal(count);
  });
});
