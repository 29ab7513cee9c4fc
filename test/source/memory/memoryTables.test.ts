import {
  type DataType,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  type RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  tableFromArrays,
  tableFromIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { from, Observable } from 'rxjs';
import { openArrowFile } from '../../../src/source/arrow/openArrowFile.ts';
import { tablesInPlace } from '../../../src/source/memory/memoryTables.ts';
import type { BatchesOnce } from '../../../src/source/memory/rowSource.ts';
import { spool } from '../../../src/source/memory/spool.ts';
import type { Table as RowTable } from '../../../src/source/table/table.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { anyTypedTable, words } from '../../support/anyTable.ts';
import { withFile } from '../../support/arrowFiles.ts';
import { type Contents, contentsOf } from '../../support/arrowTables.ts';

const options = { levels: words };

const fromFile = (table: Table): Promise<Contents['columns']> =>
  withFile(
    new RecordBatchFileWriter().writeAll(table).toUint8Array(true),
    async path => (await contentsOf(await openArrowFile(path), options)).columns,
  );

async function columnsOf(tables: readonly RowTable[]): Promise<Contents['columns']> {
  const all = await Promise.all(tables.map(table => contentsOf(table, options)));
  expect(all.length).to.be.at.most(1);
  return all[0]?.columns ?? {};
}

/** Batches whose memory is overwritten when the next one is pulled, as a producer may do. */
function* borrowed(table: Table): Generator<RecordBatch> {
  for (const batch of table.batches) {
    const [lent] = tableFromIPC(
      new RecordBatchStreamWriter().writeAll(new Table(batch.schema, [batch])).toUint8Array(true),
    ).batches;
    if (lent === undefined) continue;
    yield lent;
    const overwrite = (data: RecordBatch['data']): void => {
      for (const view of [data.values, data.valueOffsets, data.nullBitmap] as (Uint8Array | undefined)[])
        if (view) new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(77);
      data.children.forEach(overwrite as never);
      data.dictionary?.data.forEach(overwrite as never);
    };
    overwrite(lent.data);
  }
}

async function* later<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

describe('record batches in memory', () => {
  it('are read like an Arrow file of them, slices too', async () => {
    await fc.assert(
      fc.asyncProperty(anyTypedTable, fc.nat(20), fc.nat(20), async (table, start, count) => {
        const slice = table.slice(start, start + count);
        const inFile = await fromFile(slice);
        expect(await columnsOf(tablesInPlace('t', slice.batches))).to.deep.equal(
          slice.batches.length === 0 ? {} : inFile,
        );
      }),
      { seed: 6, numRuns: casesOf(200) },
    );
  });

  it('are kept when they can be read once: in memory, in a file, or in both', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTypedTable,
        fc.constantFrom(0, 40, 200, 2 ** 26),
        fc.constantFrom('iterable', 'async', 'observable'),
        async (table, memoryBytes, way) => {
          const once: BatchesOnce =
            way === 'iterable' ? borrowed(table) : way === 'async' ? later(borrowed(table)) : from(borrowed(table));
          const inFile = await fromFile(table);
          expect(await columnsOf(await spool(once, { memoryBytes }))).to.deep.equal(
            table.batches.length === 0 ? {} : inFile,
          );
        },
      ),
      { seed: 7, numRuns: casesOf(200) },
    );
  });

  it('have nulls where a column is shorter than others', async () => {
    const table = new Table({
      a: vectorFromArray([1, 2, 3], new Float64()),
      b: vectorFromArray([1], new Int32()),
      c: vectorFromArray(['a', null], new Utf8()),
    });
    expect(await columnsOf(tablesInPlace('t', table.batches))).to.deep.equal({
      a: [1, 2, 3],
      b: [1, null, null],
      c: ['a', null, null],
    });
  });

  it('are one table for each run of the same columns and types, and none for empty ones', async () => {
    const batch = (columns: Record<string, unknown[]>): RecordBatch => tableFromArrays(columns).batches[0]!;
    const empty = (type: DataType): RecordBatch =>
      new Table(new Schema([new Field('a', type)])).batches[0] ??
      new Table({ a: vectorFromArray([], type) }).batches[0]!;
    const tables = tablesInPlace('the batches', [
      batch({ a: [1], b: [2] }),
      batch({ a: [3], b: [4] }),
      batch({ b: [5], a: [6] }),
    ]);
    expect(tables.map(({ name, rows }) => [name, rows])).to.deep.equal([
      ['the batches from number 0 on', 2],
      ['the batches from number 2 on', 1],
    ]);
    expect(empty(new Utf8()).numRows).to.equal(0);
    const around = tablesInPlace('the batches', [empty(new Utf8()), batch({ a: [1] }), empty(new Float64())]);
    expect(around.map(({ name, rows }) => [name, rows])).to.deep.equal([['the batches', 1]]);
  });

  it('name nested types as files do, and do not read them', () => {
    const list = vectorFromArray([[1], [2]], new List(new Field('item', new Float64(), true)));
    const struct = vectorFromArray([{ x: 1 }, { x: 2 }], new Struct([new Field('x', new Float64(), true)]));
    const [table] = tablesInPlace('t', new Table({ list, struct }).batches);
    expect(table!.fields.map(({ kind, type }) => [kind, type])).to.deep.equal([
      ['unsupported', 'List<Float64>'],
      ['unsupported', 'Struct<Float64>'],
    ]);
  });

  it('with indices beyond their dictionary are refused by row', async () => {
    const { type, ...data } = vectorFromArray(['a', 'b']).data[0]!;
    const wrong = makeData({ ...data, type, data: Int32Array.of(0, 7) } as never);
    const schema = new Schema([new Field('c', type)]);
    const batch = { schema, numRows: 2, data: { children: [wrong] } };
    const failure = await columnsOf(tablesInPlace('t', [batch])).catch(error => error.message);
    expect(failure).to.equal('t, column "c", row 1, counted from 0: refers to entry 7 of a dictionary of 2');
  });
});

describe('spool', () => {
  const batches = tableFromArrays({ a: Float64Array.from({ length: 10 }, (_, i) => i) }).batches;
  const failure = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'nothing',
      error => error.message,
    );

  it('takes no more than the rows that are asked for, even of a source that pushes without an end', async () => {
    let [pulled, closed] = [0, false];
    function* endless(): Generator<RecordBatch> {
      try {
        for (;;) {
          pulled++;
          yield batches[0]!;
        }
      } finally {
        closed = true;
      }
    }
    for (const source of [endless(), later(endless()), from(endless())]) {
      [pulled, closed] = [0, false];
      const [table] = await spool(source, { rows: 25 });
      expect([table!.rows, pulled, closed]).to.deep.equal([30, 3, true]);
    }
  });

  it('refuses a source that says it has no end, and names what to use', async () => {
    const source = Object.assign(later(batches), { endless: true });
    expect(await failure(spool(source, {}))).to.equal(
      'the batches: have no end; for rows that keep coming, use `estimateOnline`, or cut them into chunks with `split`; to take only the first, give their number as `rows`',
    );
  });

  it('ends with the reason of its signal, and unsubscribes', async () => {
    for (const isObservable of [false, true]) {
      let released = false;
      const abort = new AbortController();
      const abortSoon = (): unknown => setImmediate(() => abort.abort(new Error('enough')));
      const never = isObservable
        ? new Observable<RecordBatch>(() => {
            abortSoon();
            return () => {
              released = true;
            };
          })
        : {
            [Symbol.asyncIterator]: () => ({
              next: () => new Promise<never>(abortSoon),
              return: async () => {
                released = true;
                return { done: true as const, value: undefined };
              },
            }),
          };
      expect(await failure(spool(never, { signal: abort.signal }))).to.equal('enough');
      expect(released).to.equal(true);
    }
  });

  it('hands on what the source fails with', async () => {
    const broken = new Observable<RecordBatch>(subscriber => {
      subscriber.next(batches[0]!);
      subscriber.error(new Error('lost'));
    });
    expect(await failure(spool(broken, {}))).to.equal('lost');
    expect(await failure(spool([1] as never, {}))).to.match(/^the batches: item 0 must be a record batch.*got 1;/);
  });

  it('needs no folder for rows that fit in memory', async () => {
    const missing = '/no/such/folder';
    expect((await spool(later(batches), { scratch: missing }))[0]!.rows).to.equal(10);
    expect(await failure(spool(later(batches), { scratch: missing, memoryBytes: 8 }))).to.equal(
      '/no/such/folder: there is no such folder for the temporary file of rows that can be read once; use `scratch` to name a folder that this user may write to, or use `memoryBytes` to keep more of them in memory',
    );
  });
});
