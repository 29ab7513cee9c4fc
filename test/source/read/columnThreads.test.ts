import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import { columnArena } from '../../../src/sample/arena.ts';
import { columnsOf } from '../../../src/source/design/design.ts';
import { designOf } from '../../../src/source/design/designOf.ts';
import { columnFeed, type FeedSlot, type FilledSlot } from '../../../src/source/read/columnFeed.ts';
import { columnThreads, suitsThreads } from '../../../src/source/read/columnThreads.ts';
import { openRows } from '../../../src/source/read/openRows.ts';
import { openTable } from '../../../src/source/read/openTable.ts';
import type { Table } from '../../../src/source/table/table.ts';

const batchRows = 700;

describe('columnThreads', () => {
  let folder: string;
  let tables: Table[];
  const file = (name: string): string => join(folder, name);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-threads-'));
    const duckdb = await DuckDBConnection.create();
    const write = (query: string, name: string) =>
      duckdb.run(`COPY (${query}) TO '${file(name)}' (ROW_GROUP_SIZE 2048, COMPRESSION snappy)`);
    for (const [name, first] of [
      ['first.parquet', 0],
      ['second.parquet', 5000],
    ] as const) {
      await write(
        `SELECT i::DOUBLE AS a, sin(i) AS b, CASE WHEN i % 97 = 3 THEN NULL ELSE i / 7 END AS c,
          ['red', 'green', 'blue'][1 + i % 3] AS colour, i % 11 AS y FROM range(${first}, ${first} + 5000) t(i)`,
        name,
      );
    }
    await duckdb.run(
      `COPY (SELECT i::DOUBLE AS a, i % 5 AS b, i % 2 AS y FROM range(1500000) t(i)) TO '${file('long.parquet')}'`,
    );
    duckdb.closeSync();
    tables = await Promise.all(['first.parquet', 'second.parquet'].map(name => openTable(file(name))));
  });
  after(async () => {
    await Promise.all(tables.map(table => table.close()));
    rmSync(folder, { recursive: true });
  });

  const setting = () => {
    const design = designOf(tables[0]!, { target: 'y', categorical: { colour: ['red', 'blue'] } });
    const columns = columnsOf(design).map((_, k) => k);
    return { tables, designs: [design, design], columns, lenient: false, batchRows, rows: 9_999 };
  };
  const slotsFor = (columns: number): FeedSlot[] =>
    columnArena({ features: columns - 1, capacity: batchRows, slots: 2 }).slots.map(({ columns, target }) => ({
      columns: [...columns, target],
      missing: [...columns, target].map(() => new Uint8Array(new SharedArrayBuffer(batchRows))),
    }));
  async function drain(fill: (slot: number) => Promise<FilledSlot>, slots: readonly FeedSlot[]) {
    const seen = [];
    for (let k = 0; ; k++) {
      const { rows, pieces, doubtful } = await fill(k % 2);
      if (rows === 0) return seen;
      const { columns, missing } = slots[k % 2]!;
      seen.push({
        rows,
        pieces,
        doubtful: [...doubtful].sort(),
        columns: columns.map(column => [...column.subarray(0, rows)]),
        missing: missing.map(marks => [...marks.subarray(0, rows)]),
      });
    }
  }

  it('count levels, of all files and row groups together, as one thread does', async () => {
    const { columns, ...shared } = setting();
    const counting = { ...shared, rows: 10_000, knownLevels: {} };
    const last = async (fill: (slot: number) => Promise<FilledSlot>) => {
      for (let k = 0; ; k++) {
        const { rows, levels } = await fill(k % 2);
        if (rows === 0) return [...levels.values()];
      }
    };
    const expected = await last(columnFeed({ ...counting, columns, slots: slotsFor(columns.length) }).fill);
    const helpers = columnThreads({ ...counting, threads: 3 });
    const feed = helpers.begin(slotsFor(columns.length));
    expect(await last(feed.fill)).to.deep.equal(expected);
    expect(expected).to.deep.equal([
      {
        column: 'colour',
        rows: 10_000,
        declared: [
          { level: 'red', rows: 3334 },
          { level: 'blue', rows: 3333 },
        ],
        others: [{ level: 'green', rows: 3333 }],
        unnamed: 0,
      },
    ]);
    await feed.close();
    await helpers.close();
  });

  it('decode what one thread decodes, across row groups and files, pass after pass', async () => {
    const { columns, ...shared } = setting();
    const alone = slotsFor(columns.length);
    const feed = columnFeed({ ...shared, columns, slots: alone });
    const expected = await drain(feed.fill, alone);
    expect(expected.flatMap(({ doubtful }) => doubtful)).to.include(2);
    for (const threads of [2, 3, 9]) {
      const slots = slotsFor(columns.length);
      const helpers = columnThreads({ ...shared, threads });
      for (let pass = 0; pass < 2; pass++) {
        const together = helpers.begin(slots);
        // The first pass is left early.
        if (pass === 0) await together.fill(0);
        else expect(await drain(together.fill, slots)).to.deep.equal(expected);
        await together.close();
      }
      await helpers.close();
    }
  });

  it('say what is wrong with a file as one thread says it', async () => {
    const bytes = readFileSync(file('first.parquet'));
    const damaged = file('damaged.parquet');
    writeFileSync(damaged, bytes.fill(255, 40, 4_000));
    const table = await openTable(damaged);
    const design = designOf(table, { target: 'y', features: ['a', 'b'] });
    const shared = { tables: [table], designs: [design], lenient: false, batchRows, rows: 5_000 };
    const refusalOf = (work: Promise<unknown>): Promise<Error> =>
      work.then(
        () => new Error('nothing'),
        (error: Error) => error,
      );
    const slots = slotsFor(3);
    const expected = await refusalOf(columnFeed({ ...shared, columns: [0, 1, 2], slots }).fill(0));
    const helpers = columnThreads({ ...shared, threads: 3 });
    const found = await refusalOf(helpers.begin(slots).fill(0));
    expect(found.name).to.equal('ArgumentError');
    expect(found.message).to.equal(expected.message).and.to.include('damaged.parquet, column "a"');
    await helpers.close();
    await table.close();
  });

  it('are used for large Parquet files, with the same rows as without them', async () => {
    const sums = [];
    for (const threads of [1, 2]) {
      const samples = await openRows(file('long.parquet'), { target: 'y', threads });
      const weigh = async (): Promise<number> => {
        let [sum, row] = [0, 0];
        for await (const { rows, columns, target } of samples.batches()) {
          for (let i = 0; i < rows; i++, row++)
            sum += (columns[0]![i]! + 3 * columns[1]![i]! + 7 * target[i]!) * (row % 13);
        }
        return sum;
      };
      sums.push(await weigh(), await weigh());
      await samples.close();
    }
    expect(new Set(sums).size).to.equal(1);
    const table = await openTable(file('long.parquet'));
    const designs = [designOf(table, { target: 'y' })];
    expect(suitsThreads({ tables: [table], designs, lenient: false, batchRows, rows: 1_500_000, threads: 2 })).to.equal(
      true,
    );
    await table.close();
  });

  it('round what a double cannot hold, and tell of the column', async () => {
    const duckdb = await DuckDBConnection.create();
    await duckdb.run(
      `COPY (SELECT CASE WHEN i = 777777 THEN 9007199254740995 ELSE i END AS a, i % 5 AS b, i % 2 AS y
        FROM range(1500000) t(i)) TO '${file('beyond.parquet')}'`,
    );
    duckdb.closeSync();
    const samples = await openRows(file('beyond.parquet'), { target: 'y', nulls: 'skip', threads: 2 });
    let [first, found] = [0, Number.NaN];
    for await (const { rows, columns } of samples.batches()) {
      found = columns[0]![777_777 - first] ?? found;
      first += rows;
    }
    expect(found).to.equal(9007199254740996);
    expect(samples.rounded()).to.deep.equal(['a']);
    expect(samples.tally.invalid).to.equal(0);
    await samples.close();
  });
});
