import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { Table, tableFromArrays, Utf8, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import { estimatePrivately } from '../../../src/index.ts';
import { perUnit } from '../../../src/sample/transform/perUnit.ts';
import type { RowSource } from '../../../src/source/memory/rowSource.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { unitNumbers } from '../../../src/source/read/unitNumbers.ts';

/** Whose each row is: texts that differ by one letter, and numbers of which doubles would make one. */
const NAMES = ['ann', 'bob', 'ann', 'Ann', 'ann', 'bob', 'b\u00f6b', 'ann'];
const LONG = [1, 2, 1, 3, 1, 2, 4, 1].map(k => 2n ** 60n + BigInt(k));
/** With at most two rows of a unit. */
const KEPT = [1, 1, 1, 1, 0, 1, 1, 0];

describe('units that are texts, or whole numbers of any length', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-units-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const file = (name: string, contents: string | Uint8Array): string => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  };
  const x = Float64Array.from(NAMES, (_, i) => i);

  async function doors(): Promise<Readonly<Record<string, RowSource>>> {
    const rows = NAMES.map((name, i) => ({ name, long: LONG[i]!, x: i, y: i }));
    const csv = file('u.csv', `name,long,x,y\n${rows.map(row => Object.values(row).join()).join('\n')}\n`);
    const table = new Table({
      name: vectorFromArray(NAMES, new Utf8()),
      long: vectorFromArray(LONG),
      x: vectorFromArray(x),
      y: vectorFromArray(x),
    });
    const coded = tableFromArrays({ name: NAMES, long: BigInt64Array.from(LONG), x, y: x });
    const duckdb = await DuckDBConnection.create();
    const parquet = join(folder, 'u.parquet');
    await duckdb.run(`COPY (FROM read_csv('${csv}', types = {'x': 'DOUBLE', 'y': 'DOUBLE'})) TO '${parquet}'`);
    duckdb.closeSync();
    return {
      csv,
      ndjson: file(
        'u.ndjson',
        rows.map(({ name, long, x }) => `{"name":"${name}","long":${long},"x":${x},"y":${x}}\n`).join(''),
      ),
      parquet,
      table,
      coded,
      columns: { name: NAMES, long: LONG, x, y: x },
      typed: { name: NAMES, long: BigInt64Array.from(LONG), x, y: x },
    };
  }

  it('are told apart, and limited, through every door', async () => {
    for (const [door, source] of Object.entries(await doors())) {
      for (const unit of ['name', 'long']) {
        const rows = await openRows(source, { target: 'y', features: ['x', unit], unit, forPrivate: true });
        const limited = perUnit(rows, 2);
        for (let pass = 0; pass < 2; pass++) {
          const weights: number[] = [];
          for await (const batch of limited.batches()) weights.push(...batch.weights!);
          expect(weights, `${unit} by ${door}`).to.deep.equal(KEPT);
        }
        await rows.close();
      }
    }
  });

  it('have numbers of their own: by their text, or by the whole number that it is', () => {
    const numberOf = unitNumbers();
    const ids = [
      'a',
      ' a ',
      'A',
      '7',
      '07',
      '7.0',
      '+7',
      '-7',
      '7.5',
      '0',
      '-0',
      '',
      ' ',
      `${2n ** 64n}`,
      `${2n ** 64n + 1n}`,
    ];
    expect(ids.map(id => numberOf(id))).to.deep.equal([0, 0, 1, 2, 2, 2, 2, 3, 4, 5, 5, -1, -1, 6, 7]);
    const hundred = ['100000', '1e5', '1E+05', '10.0e4', '1000000e-1', '1e-5', '0e7', '000'];
    const another = unitNumbers();
    expect(hundred.map(text => another(text))).to.deep.equal([0, 0, 0, 0, 0, 1, 2, 2]);
    const many = Array.from({ length: 50_000 }, (_, i) => `unit ${i}`);
    expect(new Set(many.map(unit => numberOf(unit))).size).to.equal(50_000);
  });

  it('protect a private estimate, and change what is used', async () => {
    const rows = 4000;
    const hours = Float64Array.from({ length: rows }, (_, i) => i % 41);
    const person = Array.from({ length: rows }, (_, i) => `p${i % 1000}`);
    const income = hours.map((hour, i) => 10 + hour + (i % 7));
    const options = {
      target: 'income',
      bounds: { hours: [0, 40], income: [0, 60] },
      epsilon: 4,
      delta: 1e-6,
      seed: 1,
      maxPerUnit: 2,
      unit: 'person',
    } as const;
    const { coefficients, model } = await estimatePrivately({ hours, person, income }, options);
    expect(coefficients.hours!.estimate).to.be.within(0.5, 1.5);
    expect(model.ledger.unit).to.equal('person');
  });

  it('lets no row decide whether a run is refused: plain arrays have no schema, so texts for numbers are unusable rows', async () => {
    const options = {
      target: 'income',
      bounds: { hours: [0, 40], income: [0, 60] },
      epsilon: 4,
      delta: 1e-6,
      seed: 1,
    } as const;
    const income = Array.from({ length: 2000 }, (_, i) => 20 + (i % 7));
    const texts = income.map(() => 'many');
    const neighbour = texts.with(0, 3 as never);
    for (const hours of [texts, neighbour]) {
      const { rows } = await estimatePrivately({ hours, income }, options);
      expect(rows.read).to.equal(2000);
    }
  });
});
