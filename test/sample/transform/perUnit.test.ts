import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table as ArrowTable, Decimal, Float64, Int64, tableToIPC, type Vector, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { Table as WasmTable, writeParquet } from 'parquet-wasm';
import { ArgumentError } from '../../../src/errors.ts';
import { fitPrivate } from '../../../src/fit/private/fitPrivate.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import type { Samples } from '../../../src/sample/samples.ts';
import { scatter } from '../../../src/sample/shuffle/scatter.ts';
import { mapSamples } from '../../../src/sample/transform/mapSamples.ts';
import { mostPerUnit, perUnit } from '../../../src/sample/transform/perUnit.ts';
import { scaledSamples } from '../../../src/sample/transform/scaledSamples.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { rebatched } from '../../support/descentFixtures.ts';
import { unitScaling } from '../../support/unitScaling.ts';

/** Rows whose feature and target are their index, of the given units; a unit of 0 marks a row that was left out. */
const rowsOf = (units: readonly number[]): SampleBatch => ({
  ...sampleBatch(
    [Float64Array.from(units, (_, i) => i), Float64Array.from(units)],
    Float64Array.from(units, (_, i) => i),
  ),
  weights: Float64Array.from(units, unit => (unit === 0 ? 0 : 1)),
});

async function weightsOf(units: readonly number[], most: number, size = units.length): Promise<number[]> {
  const limited = perUnit(rebatched(rowsOf(units), size), most);
  expect(limited).to.include({ rows: units.length, features: 1, weighted: true });
  const found: number[] = [];
  const labels: number[] = [];
  for await (const { columns, weights, target } of limited.batches()) {
    expect(columns).to.have.length(1);
    expect(columns[0]).to.deep.equal(target);
    labels.push(...target);
    found.push(...weights!);
  }
  expect(labels).to.deep.equal([...units.keys()]);
  return found;
}

/** The 128 bits of a decimal that is not negative. */
const wordsOf = (unscaled: bigint): Uint32Array =>
  Uint32Array.from({ length: 4 }, (_, k) => Number((unscaled >> BigInt(32 * k)) & 0xffffffffn));

describe('perUnit', () => {
  it('counts the first rows of every unit and leaves the others in their place with weight 0', async () => {
    expect(await weightsOf([1, 2, 1, 1, 3, 2, 2], 2)).to.deep.equal([1, 1, 1, 0, 1, 1, 0]);
    expect(await weightsOf([1, 2, 1, 1, 3, 2, 2], 1)).to.deep.equal([1, 1, 0, 0, 1, 0, 0]);
  });

  it('marks what it makes, and what the library makes of that; no copy has the mark', () => {
    const limited = perUnit(rebatched(rowsOf([1, 1, 2]), 3), 2);
    const scaled = scaledSamples(limited, unitScaling(1));
    const scattered = scatter(scaled, { cells: [3], random: seeded(1, 'order') });
    for (const marked of [limited, scaled, scattered]) expect(mostPerUnit(marked)).to.equal(2);
    for (const plain of [rebatched(rowsOf([1]), 1), { ...limited }, mapSamples(limited, batch => batch)]) {
      expect(mostPerUnit(plain)).to.equal(undefined);
    }
  });

  it('is required of rows for a plan that protects units, with no more of each than it protects', async () => {
    const n = 4000;
    const units = Array.from({ length: n }, (_, i) => 1 + (i % 500));
    const samples = rebatched(rowsOf(units), 1000);
    const run = (unitRows: number, rows: Samples) => {
      const plan = planPrivate({
        rows: n,
        scaling: unitScaling(1),
        loss: pseudoHuber(1),
        epsilon: 8,
        delta: 1e-6,
        unitRows,
      });
      return fitPrivate(rows, plan).then(
        () => null,
        error => error,
      );
    };
    const bare = mapSamples(samples, batch => ({ ...batch, columns: batch.columns.slice(0, 1) }), 1);
    for (const [unitRows, rows, message] of [
      [1, bare, 'the plan protects units of at most 1 row, but its rows may have more of one unit; limit'],
      [2, bare, 'limit them by perUnit(samples, 2), after everything else that changes rows'],
      [2, perUnit(samples, 3), 'the plan protects units of at most 2 rows, but its rows have up to 3 of one'],
      [2, { ...perUnit(samples, 2) }, 'may have more of one unit'],
    ] as const) {
      const error = await run(unitRows, rows);
      expect(error).to.be.instanceOf(ArgumentError);
      expect(error.message).to.include(message);
      expect(error.code).to.equal('ERR_NOT_PRIVATE');
    }
    expect(await run(2, perUnit(samples, 2))).to.equal(null);
    expect(await run(2, perUnit(samples, 1))).to.equal(null);
  });

  it('does not count rows that were left out before', async () => {
    expect(await weightsOf([1, 0, 0, 1, 1, 0], 2)).to.deep.equal([1, 0, 0, 1, 1, 0].map((w, i) => (i === 4 ? 0 : w)));
  });

  it('counts no row of a unit that is no whole number, or one that others may have been rounded to', async () => {
    const units = [0.5, 2 ** 53, -(2 ** 53), 2 ** 60, 2 ** 53 - 1, 1 - 2 ** 53, -4];
    expect(await weightsOf(units, 1)).to.deep.equal([0, 0, 0, 0, 1, 1, 1]);
  });

  describe('counts no row of a unit that a double would round to another, in', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-units-'));
    after(() => rmSync(folder, { recursive: true }));
    const csvOf = (...ids: string[]) => `id,x,y\n${ids.map(id => `${id},1,1\n`).join('')}`;
    const ones = () => vectorFromArray([1, 1, 1, 1, 1], new Float64());
    const tableOf = (id: Vector) => new ArrowTable({ id, x: ones(), y: ones() });
    const points = ['9007199254740992.0', '9007199254740993.0', '6.9999999999999999999', '7', '8.0'];
    const whole = tableOf(vectorFromArray([2n ** 53n + 1n, 2n ** 53n, -(2n ** 60n), 7n, 8n], new Int64()));
    const double = tableOf(vectorFromArray([2 ** 53, 2 ** 53 + 2, 6.5, 7, 8], new Float64()));
    // The first two are the same double.
    const unscaled = [9007199254740987n, 9007199254740988n, 65000n, 70000n, 80000n];
    const decimal = tableOf(vectorFromArray(unscaled.map(wordsOf), new Decimal(4, 20, 128)));
    const parquetOf = (table: ArrowTable) => writeParquet(WasmTable.fromIPCStream(tableToIPC(table, 'stream')));
    const files: Record<string, string | Uint8Array> = {
      'points.csv': csvOf(...points),
      'exponents.csv': csvOf('900719925474099.2e1', '9.007199254740993e15', '1e-999', '7e0', '80e-1'),
      'points.ndjson': points.map(id => `{"id":${id},"x":1,"y":1}\n`).join(''),
      'whole.arrow': tableToIPC(whole, 'file'),
      'double.arrow': tableToIPC(double, 'file'),
      'decimal.arrow': tableToIPC(decimal, 'file'),
      'whole.parquet': parquetOf(whole),
      'double.parquet': parquetOf(double),
    };
    for (const [name, contents] of Object.entries(files)) {
      it(name, async () => {
        const path = join(folder, name);
        writeFileSync(path, contents);
        const samples = await openRows(path, {
          target: 'y',
          features: ['x', 'id'],
          unit: 'id',
          types: { id: 'integer' },
          nulls: 'skip',
        });
        const found: number[] = [];
        for await (const { weights } of perUnit(samples, 1).batches()) found.push(...weights!);
        await samples.close();
        // Whole numbers of 64 bits are told apart to the last digit, and so each is a unit of its own.
        expect(found).to.deep.equal(name.startsWith('whole') ? [1, 1, 1, 1, 1] : [0, 0, 0, 1, 1]);
      });
    }
  });

  it('refuses a number of rows that is none, which would count them all', () => {
    for (const most of [Number.NaN, undefined as never, 2.5, 0, -1, Infinity, '2' as never]) {
      expect(() => perUnit(rebatched(rowsOf([1, 1]), 2), most)).to.throw(ArgumentError, 'most must');
    }
  });

  it('counts no row of another weight than 1, without a word of it', async () => {
    for (const weight of [0.5, 3, -1, Number.NaN]) {
      const batch = { ...rowsOf([1, 2]), weights: Float64Array.of(1, weight) };
      const found: number[] = [];
      for await (const { weights } of perUnit(rebatched(batch, 2), 1).batches()) found.push(...weights!);
      expect(found).to.deep.equal([1, 0]);
    }
  });

  it('starts counting anew in every pass, and counts across batches', async () => {
    const limited = perUnit(rebatched(rowsOf([1, 1, 1, 2, 2]), 2), 1);
    for (let pass = 0; pass < 2; pass++) {
      const found: number[] = [];
      for await (const { weights } of limited.batches()) found.push(...weights!);
      expect(found).to.deep.equal([1, 0, 0, 1, 0]);
    }
  });

  it('lets no unit have more than its rows, and no unit change what becomes of the rows of another', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (units, most, size, whom) => {
        const weights = await weightsOf(units, most, size);
        for (const id of [1, 2, 3, 4]) {
          const own = units.flatMap((other, i) => (other === id ? [weights[i]!] : []));
          expect(own).to.deep.equal(own.map((_, k) => (k < most ? 1 : 0)));
        }
        // All rows of one unit replaced by those of a newcomer, some of which are invalid.
        const replaced = units.map((id, i) => (id === whom ? (i % 2 === 0 ? 9 : 0) : id));
        const changed = await weightsOf(replaced, most, size);
        units.forEach((id, i) => {
          if (id !== whom) expect(changed[i]).to.equal(weights[i]);
        });
      },
    );
    await fc.assert(property, { seed: 1, numRuns: casesOf(500) });
  });
});
