import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { concatMap, lastValueFrom, toArray } from 'rxjs';
import { split } from '../../../src/flow/split.ts';
import { namesOf } from '../../../src/source/live/liveDesign.ts';
import { type LiveRowsOptions, liveRows } from '../../../src/source/live/liveRows.ts';
import type { Arrival, OpenStream } from '../../../src/source/live/liveSource.ts';

/** Arrivals of these tables, each one item whose place is its number. */
const streamOf = (...tables: readonly ReturnType<typeof tableFromArrays>[]): OpenStream => ({
  identity: null,
  endless: false,
  arrivals: {
    async *[Symbol.asyncIterator](): AsyncGenerator<Arrival> {
      for (const [place, table] of tables.entries())
        yield { batch: table.batches[0]!, items: [{ rows: table.numRows, place }] };
    },
  },
  lag: () => null,
  close: async () => {},
});

const numbers = (rows: number, from = 0) => Float64Array.from({ length: rows }, (_, i) => from + i);
const asked: LiveRowsOptions = { target: 'y', name: 'rows', forPrivate: false, from: null, pilotRows: () => 400 };

async function valuesOf(rows: Awaited<ReturnType<typeof liveRows>>): Promise<number[][]> {
  const found: number[][] = [];
  for await (const { rows: count, columns } of rows.batches()) found.push([...columns[0]!.subarray(0, count)]);
  return found;
}

describe('liveRows', () => {
  it('gives every arrival as soon as it is there, and says where the stream stands after any number of rows', async () => {
    const tables = [300, 200, 100].map((rows, k) => tableFromArrays({ x: numbers(rows, 1000 * k), y: numbers(rows) }));
    const rows = await liveRows(streamOf(...tables), asked);
    expect((await valuesOf(rows)).map(({ length }) => length)).to.deep.equal([300, 200, 100, 0]);
    expect([0, 299, 300, 450, 500, 600].map(count => rows.use(count).position)).to.deep.equal([
      { after: null, rows: 0 },
      { after: null, rows: 299 },
      { after: 0, rows: 0 },
      { after: 0, rows: 150 },
      { after: 1, rows: 0 },
      { after: 2, rows: 0 },
    ]);
  });

  it('passes over the rows of the first item that were used, and refuses an item that has fewer', async () => {
    const tables = [tableFromArrays({ x: numbers(500), y: numbers(500) })];
    const { design } = await liveRows(streamOf(...tables), asked);
    const later = await liveRows(streamOf(...tables), { ...asked, design, from: { after: 7, rows: 498 } });
    expect(await valuesOf(later)).to.deep.equal([[498, 499], []]);
    expect([1, 2].map(count => later.use(count).position)).to.deep.equal([
      { after: 7, rows: 499 },
      { after: 0, rows: 0 },
    ]);
    const error = await liveRows(streamOf(...tables), { ...asked, design, from: { after: 7, rows: 501 } }).catch(
      e => e,
    );
    expect(error.message).to.include('has 500 rows in an item of which 501 were used');
  });

  it('surveys as many rows as the pilot of its columns needs, and no more decide', async () => {
    const town = (rows: number, last: string) => Array.from({ length: rows }, (_, i) => (i % 2 ? 'Bath' : last));
    const asks: number[] = [];
    const tables = [
      tableFromArrays({ town: town(450, 'Hull'), y: numbers(450) }),
      tableFromArrays({ town: town(450, 'York'), y: numbers(450) }),
      tableFromArrays({ town: town(300, 'Ely'), y: numbers(300) }),
    ];
    const pilotRows = (features: number): number => {
      asks.push(features);
      return 450 * features;
    };
    const rows = await liveRows(streamOf(...tables), { ...asked, pilotRows });
    expect(asks).to.deep.equal([1, 1]);
    expect(namesOf(rows.design)).to.deep.equal(['town=Hull']);
    await valuesOf(rows);
    expect(rows.use(1200).newLevels.length).to.equal(225 + 150);
    // The more rows are surveyed, the more levels there are, and the more rows are needed.
    const wider = liveRows(streamOf(...tables), { ...asked, pilotRows: features => 600 * features });
    expect((await wider.catch(caught => caught)).message).to.include(
      'ended after 1200 rows, but the first estimate needs 1800, for 3 features',
    );
  });

  it('reads batches of another schema by their names and kinds, and refuses one without its columns', async () => {
    const first = tableFromArrays({ x: numbers(400), y: numbers(400), note: Array(400).fill('a') });
    const other = tableFromArrays({ y: Int32Array.of(1, 2), z: numbers(2), x: Int32Array.of(8, 9) });
    const rows = await liveRows(streamOf(first, other, first), asked);
    expect((await valuesOf(rows)).map(values => values.slice(0, 2))).to.deep.equal([[0, 1], [8, 9], [0, 1], []]);
    const without = tableFromArrays({ y: numbers(2), x: ['a', 'b'] });
    const refused = await liveRows(streamOf(first, without), asked);
    const error = await valuesOf(refused).catch(caught => caught);
    expect(error.message).to.include('column "x": is missing, or of another type, in rows that came later');
    // In private they are rows that cannot be used, in their place.
    const secret = await liveRows(streamOf(first, without), { ...asked, forPrivate: true, features: ['x'] });
    const weights: number[] = [];
    for await (const { rows: count, weights: own } of secret.batches())
      weights.push(...(own?.subarray(0, count) ?? Array(count).fill(1)));
    expect(weights.slice(-3)).to.deep.equal([1, 0, 0]);
  });

  it('can be left after any chunk and taken up where it was used up to', async () => {
    const tables = [300, 300].map((rows, k) => tableFromArrays({ x: numbers(rows, 300 * k), y: numbers(rows) }));
    const rows = await liveRows(streamOf(...tables), asked);
    const seen: number[] = [];
    let used = 0;
    for (const size of [450, 100, 50]) {
      const chunks = split(rows, { chunks: [size].values() });
      await lastValueFrom(
        chunks.pipe(
          concatMap(async chunk => {
            for await (const { columns, rows: count } of chunk.batches) seen.push(...columns[0]!.subarray(0, count));
            used += size;
            rows.use(used);
            chunk.done?.();
          }),
          toArray(),
        ),
      );
    }
    expect(seen).to.deep.equal([...numbers(600)]);
  });
});
