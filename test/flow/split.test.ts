import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { concatMap, firstValueFrom, from, lastValueFrom, type Observable, take, toArray } from 'rxjs';
import { chunkCheck } from '../../src/flow/chunkPass.ts';
import { split } from '../../src/flow/split.ts';
import { geometricChunks, uniformChunks } from '../../src/plan/schedule.ts';
import type { Chunk } from '../../src/sample/chunk.ts';
import { rowsBetween, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import type { RowSource } from '../../src/source/memory/rowSource.ts';
import { casesOf } from '../laws/holdsForAll.ts';
import { labelledSamples, labelsOf } from '../support/labelledSamples.ts';

const chunksOf = (samples: Parameters<typeof split>[0], chunks: readonly number[]) =>
  lastValueFrom(split(samples, { chunks }).pipe(toArray()));

async function columnsOf({ batches }: Chunk): Promise<number[]> {
  const values: number[] = [];
  for await (const { columns } of batches) values.push(...columns[0]!);
  return values;
}

describe('split', () => {
  it('hands out every row at most once and in order, whatever the batches and chunks', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 6 }), fc.boolean(), async (batchSizes, steps, geometric) => {
        const samples = labelledSamples(batchSizes);
        fc.pre(samples.rows >= steps);
        const schedule = geometric
          ? geometricChunks({ rows: samples.rows, steps, ratio: 0.5 })
          : uniformChunks({ rows: samples.rows, steps });
        const chunks = await chunksOf(samples, schedule.chunks);
        const labels: number[] = [];
        for (const chunk of chunks) {
          const own = await labelsOf(chunk.batches);
          expect(own).to.have.length(chunk.rows);
          labels.push(...own);
        }
        expect(labels).to.deep.equal(Array.from({ length: samples.rows - schedule.leftOver }, (_, i) => i));
        expect(samples.open()).to.equal(0);
      }),
      { seed: 1, numRuns: casesOf(200) },
    );
  });

  it('gives handles without reading a row', async () => {
    const samples = labelledSamples([10, 10]);
    await chunksOf(samples, [5, 5, 5]);
    expect(samples.pulled()).to.equal(0);
  });

  it('reads no further than its chunks are asked for', async () => {
    const samples = labelledSamples(Array.from({ length: 100 }, () => 10));
    const [first] = await chunksOf(samples, [25, 900]);
    await labelsOf(first!.batches);
    expect(samples.pulled()).to.equal(3);
    await first!.release();
    expect(samples.open()).to.equal(0);
  });

  it('passes over what an earlier chunk did not take', async () => {
    const [, second] = await chunksOf(labelledSamples([4, 4, 4]), [5, 3]);
    expect(await labelsOf(second!.batches)).to.deep.equal([5, 6, 7]);
  });

  it('refuses to go back, to read a chunk twice, and to read after a release', async () => {
    const message = async (read: () => Promise<unknown>): Promise<string> =>
      read().then(String, error => error.message);
    const [first, second] = await chunksOf(labelledSamples([4, 4]), [3, 3]);
    await labelsOf(second!.batches);
    expect(await message(() => labelsOf(first!.batches))).to.include('in order, once');
    const [again] = await chunksOf(labelledSamples([2, 2]), [3, 1]);
    await labelsOf(again!.batches);
    expect(await message(() => labelsOf(again!.batches))).to.include('in order, once');
    const [released] = await chunksOf(labelledSamples([4, 4]), [3, 3]);
    await released!.release();
    expect(await message(() => labelsOf(released!.batches))).to.include('released');
  });

  it('closes the pass and passes the error on when the source fails', async () => {
    const samples = labelledSamples([4, 4, 4], 8);
    const [first, second] = await chunksOf(samples, [6, 6]);
    await labelsOf(first!.batches);
    const error = await labelsOf(second!.batches).catch(caught => caught);
    expect(error.message).to.equal('the disk is gone');
    expect(samples.open()).to.equal(0);
  });

  it('says so when the source has fewer rows than it claims', async () => {
    const samples = { ...labelledSamples([4]), rows: 10 };
    const [chunk] = await chunksOf(samples, [8]);
    const error = await labelsOf(chunk!.batches).catch(caught => caught);
    expect(error.message).to.include('ended after 4 of its 10 rows');
  });

  it('refuses a schedule that wants more rows than there are', () => {
    expect(() => split(labelledSamples([4]), { chunks: [3, 2] })).to.throw("the source's 4 rows, got 5");
  });

  it('refuses chunks that are no number of rows', () => {
    for (const bad of [-1, NaN, 1.5, Infinity])
      expect(() => split(labelledSamples([4]), { chunks: [3, bad] })).to.throw(
        'chunks[1] must be a whole number of at least 0',
      );
  });

  it('stops giving handles to whoever leaves', async () => {
    const some = await lastValueFrom(split(labelledSamples([9]), { chunks: [3, 3, 3] }).pipe(take(2), toArray()));
    expect(some.map(({ index }) => index)).to.deep.equal([0, 1]);
  });

  it('starts a new pass for every subscriber', async () => {
    const flow = split(labelledSamples([4, 4]), { chunks: [4, 4] });
    for (let k = 0; k < 2; k++) {
      const [first] = await lastValueFrom(flow.pipe(toArray()));
      expect(await labelsOf(first!.batches)).to.deep.equal([0, 1, 2, 3]);
    }
  });

  it('opens any source of rows with the first pull, and closes it with the last chunk', async () => {
    let [opened, closed] = [0, 0];
    async function* lent() {
      opened++;
      try {
        for (let k = 0; ; k += 2)
          yield tableFromArrays({ a: Float64Array.of(k, k + 1), y: Float64Array.of(-k, 1) }).batches[0]!;
      } finally {
        closed++;
      }
    }
    const chunks = await lastValueFrom(split(lent(), { target: 'y', chunks: new Set([3, 4]) }).pipe(toArray()));
    expect(opened).to.equal(0);
    expect([...(await columnsOf(chunks[0]!))]).to.deep.equal([0, 1, 2]);
    expect([...(await columnsOf(chunks[1]!))]).to.deep.equal([3, 4, 5, 6]);
    expect([opened, closed]).to.deep.equal([1, 1]);
  });

  it('gives the same rows of a table, of batches, of columns and of Samples', async () => {
    const columns = { a: Float64Array.of(1, 2, 3, 4, 5), y: Float64Array.of(5, 4, 3, 2, 1) };
    const table = tableFromArrays(columns);
    const samples = samplesOf(sampleBatch([columns.a], columns.y));
    for (const source of [table, table.batches, table.batches.values(), columns, from(table.batches), samples]) {
      const [first, second] = await lastValueFrom(split(source, { target: 'y', chunks: [2, 3] }).pipe(toArray()));
      expect(await columnsOf(first!)).to.deep.equal([1, 2]);
      expect(await columnsOf(second!)).to.deep.equal([3, 4, 5]);
    }
  });

  it('hands what is wrong with a source to whoever pulls', async () => {
    const message = async (source: RowSource, chunks: number[]): Promise<string> => {
      const [chunk] = await lastValueFrom(split(source, { target: 'y', nulls: 'error', chunks }).pipe(toArray()));
      return columnsOf(chunk!).then(String, error => error.message);
    };
    expect(await message('no-such-file.csv', [1])).to.include('there is no such file');
    expect(await message({ a: [1, null], y: [1, 2] }, [2])).to.include('column "a", row 1');
    expect(await message({ a: [1], y: [1] }, [2])).to.include('ended after 1 of 2 declared rows');
  });

  it('closes the source behind the last of the chunks that were taken', async () => {
    let closed = 0;
    const source = {
      ...labelledSamples([2, 2, 2]),
      async *batches() {
        try {
          yield* labelledSamples([2, 2, 2]).batches();
        } finally {
          closed++;
        }
      },
    };
    const [first] = await lastValueFrom(split(source, { chunks: [2, 4] }).pipe(take(1), toArray()));
    expect(await labelsOf(first!.batches)).to.deep.equal([0, 1]);
    expect(closed).to.equal(1);
  });

  it('marks rows whose errors may name them, which a private plan refuses', async () => {
    const columns = { a: [1, 2], y: [1, 2] };
    const check = chunkCheck({ steps: [{ rows: 2, chunk: 'fresh' }] as never, privacy: {} as never });
    const first = (options: object) =>
      firstValueFrom(split(columns, { target: 'y', features: ['a'], chunks: [2], ...options }));
    const open = await first({});
    expect(() => check(open, 0)).to.throw('open them with `forPrivate: true`');
    const safe = await first({ forPrivate: true });
    expect(() => check(safe, 0)).not.to.throw();
  });
});

function* sizes(...rows: number[]): Generator<number> {
  for (let t = 0; ; t++) yield rows[Math.min(t, rows.length - 1)]!;
}

/** The labels of each chunk's rows, read twice, before it is done. */
const labelsInTurn = (chunks: Observable<Chunk>): Promise<number[][]> =>
  lastValueFrom(
    chunks.pipe(
      concatMap(async chunk => {
        const labels = await labelsOf(rowsAlone(chunk));
        expect(await labelsOf(rowsAlone(chunk))).to.deep.equal(labels);
        expect(labels).to.have.length(chunk.rows);
        chunk.done?.();
        return labels;
      }),
      toArray(),
    ),
    { defaultValue: [] },
  );

/** Held memory is longer than its rows. */
async function* rowsAlone({ batches }: Chunk) {
  for await (const batch of batches) yield rowsBetween(batch, 0, batch.rows);
}

const soon = () => new Promise(resolve => setTimeout(resolve, 5));

describe('split without end', () => {
  it('holds one chunk after another, in order, whatever the batches, and drops what does not fill one', async () => {
    const batches = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), async (own, a, b) => {
        const samples = labelledSamples(own);
        const found = await labelsInTurn(split(samples, { chunks: sizes(a, b) }));
        const whole = samples.rows < a ? 0 : samples.rows - ((samples.rows - a) % b);
        expect(found.flat()).to.deep.equal(Array.from({ length: whole }, (_, i) => i));
        expect(found.map(({ length }) => length)).to.deep.equal(found.map((_, t) => (t === 0 ? a : b)));
        expect(samples.open()).to.equal(0);
      }),
      { seed: 2, numRuns: casesOf(200) },
    );
  });

  it('asks for the size of a chunk, and gathers it, when the last one is done, and no sooner', async () => {
    const samples = labelledSamples(Array.from({ length: 100 }, () => 10));
    const seen: Chunk[] = [];
    let size = 20;
    function* asked() {
      for (;;) yield size;
    }
    const subscription = split(samples, { chunks: asked() }).subscribe(chunk => seen.push(chunk));
    await soon();
    expect([seen.length, samples.pulled()]).to.deep.equal([1, 2]);
    size = 30;
    seen[0]!.done!();
    await soon();
    expect([seen.length, samples.pulled(), seen[1]!.rows]).to.deep.equal([2, 5, 30]);
    const error = await labelsOf(seen[0]!.batches).catch(caught => caught);
    expect(error.message).to.include('this chunk is done');
    subscription.unsubscribe();
    await soon();
    expect(samples.open()).to.equal(0);
  });

  it('lets a batch end its chunk early, but not the first chunk, nor the chunk after a batch that filled one', async () => {
    const column = (rows: number) => new Float64Array(rows);
    const batch = (rows: number, endsChunk?: boolean) => ({
      ...sampleBatch([column(rows)], column(rows)),
      ...(endsChunk && { endsChunk }),
    });
    const samples = {
      ...labelledSamples([1]),
      async *batches() {
        yield* [batch(3, true), batch(2), batch(1), batch(0, true), batch(0, true), batch(3), batch(4, true), batch(9)];
      },
    };
    const found = await labelsInTurn(split(samples, { chunks: sizes(5) }));
    expect(found.map(({ length }) => length)).to.deep.equal([5, 1, 5, 5, 5]);
  });

  it('goes on from any chunk, keeps weights, and ends where the sizes end', async () => {
    const found: [number, number[]][] = [];
    const weighted = {
      ...labelledSamples([1]),
      async *batches() {
        yield {
          ...sampleBatch([Float64Array.of(1, 2, 3)], Float64Array.of(1, 2, 3)),
          weights: Float64Array.of(1, 0, 2),
        };
      },
    };
    for await (const chunk of eachOf(split(weighted, { chunks: [2, 1].values(), first: 7 }))) {
      for await (const { weights, rows } of chunk.batches) found.push([chunk.index, [...weights!.subarray(0, rows)]]);
      chunk.done!();
    }
    expect(found).to.deep.equal([
      [7, [1, 0]],
      [8, [2]],
    ]);
  });

  it('tells what is wrong with later rows when they are asked for, and refuses chunks of no rows', async () => {
    const samples = labelledSamples([4, 4, 4], 8);
    const found: number[][] = [];
    const error = await lastValueFrom(
      split(samples, { chunks: sizes(4) }).pipe(
        concatMap(async chunk => {
          await soon();
          found.push(await labelsOf(rowsAlone(chunk)));
          chunk.done!();
        }),
      ),
    ).catch(caught => caught);
    expect(error.message).to.equal('the disk is gone');
    expect(found).to.deep.equal([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
    const none = await labelsInTurn(split(labelledSamples([4]), { chunks: sizes(0) })).catch(caught => caught);
    expect(none.message).to.include('chunks[0] must be a whole number of at least 1');
  });

  it('opens any source of rows, and reads it to its end', async () => {
    const columns = { a: [1, 2, 3, 4, 5], y: [5, 4, 3, 2, 1] };
    expect(await labelsInTurn(split(columns, { target: 'y', chunks: sizes(2) }))).to.deep.equal([
      [5, 4],
      [3, 2],
    ]);
  });
});

/** The chunks as they come, pulled. */
async function* eachOf(chunks: Observable<Chunk>): AsyncGenerator<Chunk> {
  const waiting: (Chunk | null)[] = [];
  let wake = (): void => {};
  const take = (chunk: Chunk | null): void => {
    waiting.push(chunk);
    wake();
  };
  chunks.subscribe({ next: take, complete: () => take(null) });
  for (;;) {
    while (waiting.length === 0)
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    const chunk = waiting.shift()!;
    if (chunk === null) return;
    yield chunk;
  }
}
