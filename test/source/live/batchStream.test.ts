import { Field, Float64, makeData, RecordBatch, Schema, Struct, Table, tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { Observable, Subject } from 'rxjs';
import { batchStream } from '../../../src/source/live/batchStream.ts';
import { failureOf, OPEN, readLive } from '../../support/liveRows.ts';

const schema = new Schema([new Field('x', new Float64(), true)]);

const batchOf = (values: ArrayLike<number>): RecordBatch => {
  const data = makeData({ type: new Float64(), length: values.length, data: Float64Array.from(values) });
  const type = new Struct<{ x: Float64 }>(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: values.length, nullCount: 0, children: [data] }));
};

const count = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

async function* later<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) {
    await new Promise(setImmediate);
    yield value;
  }
}

const numbers = (rows: readonly { readonly x?: unknown }[]): unknown[] => rows.map(({ x }) => x);

describe('batchStream', () => {
  it('gives the same rows however they are cut and delivered, and the rest of them from any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('array', 'async', 'observable'),
        fc.nat(),
        async (sizes, others, as, pick) => {
          const rows = sizes.reduce((sum, size) => sum + size, 0);
          const cut = (cuts: readonly number[]): RecordBatch[] => {
            let at = 0;
            const parts = cuts.map(size => {
              const from = at;
              at = Math.min(rows, at + size);
              return batchOf(count(from, at));
            });
            return [...parts, batchOf(count(at, rows))];
          };
          const source = (batches: RecordBatch[]) =>
            batchStream(
              as === 'array'
                ? batches
                : as === 'async'
                  ? later(batches)
                  : new Observable<RecordBatch>(observer => {
                      for (const batch of batches) observer.next(batch);
                      observer.complete();
                    }),
            );
          const whole = await readLive(source(cut(sizes)));
          expect(numbers(whole.rows)).to.deep.equal(count(0, rows));
          if (rows === 0) return;
          const at = pick % rows;
          const rest = await readLive(source(cut(others)), { from: whole.positions[at]! });
          expect(numbers(rest.rows)).to.deep.equal(count(at + 1, rows));
        },
      ),
      { seed: 4, numRuns: 150 },
    );
  });

  it('cuts a huge batch into pieces, each with its position', async () => {
    const { arrivals, last } = await readLive(batchStream([batchOf(count(0, 200_000))]), {}, 150_000);
    expect(arrivals).to.deep.equal([65_536, 65_536, 65_536]);
    expect(last).to.deep.equal({ rows: 196_608 });
    const rest = await readLive(batchStream([batchOf(count(0, 200_000))]), { from: { after: last, rows: 10 } });
    expect(rest.rows[0]).to.deep.equal({ x: 196_618 });
    expect(rest.rows).to.have.length(3382);
  });

  it('refuses a source that has fewer rows than were used, and a checkpoint of another kind of stream', async () => {
    const error = await failureOf(readLive(batchStream([batchOf([1])]), { from: { after: { rows: 2 }, rows: 0 } }));
    expect(error.message).to.match(/has 1 row, but 2 were used before; bring back what was read/);
    expect(error.code).to.equal('ERR_CHANGED');
    const other = readLive(batchStream([batchOf([1])]), {
      from: { after: 2, rows: 0 },
      identity: { source: 'folder' },
    });
    expect((await failureOf(other)).message).to.match(
      /is \{"source":"batches"\}, but the checkpoint is of \{"source":"folder"\}/,
    );
    const place = readLive(batchStream([batchOf([1])]), { from: { after: 2, rows: 0 } });
    expect((await failureOf(place)).message).to.match(/has no such place as 2/);
  });

  it('buries a batch of another schema, and in a private run keeps its rows as nulls', async () => {
    const [texts] = tableFromArrays({ x: ['a', 'b'] }).batches;
    const source = [batchOf([1]), texts!, batchOf([2])];
    const { rows, letters, last } = await readLive(batchStream(source));
    expect(numbers(rows)).to.deep.equal([1, 2]);
    expect(letters.map(({ place, reason }) => [place, reason])).to.deep.equal([
      [{ rows: 3 }, '2 rows: column "x" is Dictionary<Int32, Utf8>, but Float64 in this stream'],
    ]);
    expect(last).to.deep.equal({ rows: 4 });
    const hidden = await readLive(batchStream(source), { forPrivate: true, columns: { x: 'number' } });
    expect(numbers(hidden.rows)).to.deep.equal([1, null, null, 2]);
  });

  it('pulls one batch at a time, and ends the source when it is left', async () => {
    let [pulled, ended] = [0, 0];
    async function* source(): AsyncGenerator<RecordBatch> {
      try {
        for (; ; pulled++) yield batchOf([pulled]);
      } finally {
        ended++;
      }
    }
    const { rows } = await readLive(batchStream(source()), {}, 3);
    expect(numbers(rows)).to.deep.equal([0, 1, 2]);
    expect([pulled, ended]).to.deep.equal([2, 1]);
  });

  it('is read in place: a source may use the memory of a batch again for the next', async () => {
    function* source(): Generator<RecordBatch> {
      const memory = batchOf([0, 0]);
      for (let k = 0; k < 5; k++) {
        memory.data.children[0]!.values.fill(k);
        yield memory;
      }
    }
    expect(numbers((await readLive(batchStream(source()))).rows)).to.deep.equal([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    const pushing = new Observable<RecordBatch>(observer => {
      for (const batch of source()) observer.next(batch);
      observer.complete();
    });
    expect(numbers((await readLive(batchStream(pushing))).rows)).to.deep.equal([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it('says how much waits when an Observable overruns its buffer, and unsubscribes', async () => {
    let isEnded = false;
    let sent = 0;
    const source = new Observable<RecordBatch>(observer => {
      while (!observer.closed) {
        observer.next(batchOf(count(0, 100)));
        sent++;
      }
      return () => {
        isEnded = true;
      };
    });
    const error = await failureOf(readLive(batchStream(source, { bufferBytes: 2000 })));
    expect(error.code).to.equal('ERR_OVERRUN');
    expect(error.message).to.match(
      /^the batches: 2 batches wait with 1600 bytes, the next has 800, and at most 2000 may wait; an Observable cannot be held back: give an async iterable/,
    );
    expect([isEnded, sent]).to.deep.equal([true, 3]);
  });

  it('lets one batch of an Observable wait, however large', async () => {
    const subject = new Subject<RecordBatch>();
    const { rows } = await readLive(batchStream(subject, { bufferBytes: 1 }), {}, Infinity, at => {
      if (at === 0) setImmediate(() => subject.next(batchOf([1, 2])));
      else if (at === 2) setImmediate(() => subject.next(batchOf([3])));
      else subject.complete();
    });
    expect(numbers(rows)).to.deep.equal([1, 2, 3]);
  });

  it('ends at once when it is closed or aborted, even while the source hangs', async () => {
    const hanging: AsyncIterable<RecordBatch> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    };
    const subject = new Subject<RecordBatch>();
    for (const source of [hanging, subject]) {
      const closed = await batchStream(source).open(OPEN);
      const first = closed.arrivals[Symbol.asyncIterator]().next();
      await new Promise(setImmediate);
      await closed.close();
      expect((await first).done).to.equal(true);
      const abort = new AbortController();
      const aborted = await batchStream(source).open({ ...OPEN, signal: abort.signal });
      const pending = failureOf(aborted.arrivals[Symbol.asyncIterator]().next());
      await new Promise(setImmediate);
      abort.abort(new Error('enough'));
      expect((await pending).message).to.equal('enough');
      await aborted.close();
      expect(subject.observed).to.equal(false);
    }
    const unused = await batchStream(hanging).open(OPEN);
    await unused.close();
    expect((await unused.arrivals[Symbol.asyncIterator]().next()).done).to.equal(true);
  });

  it('passes on what goes wrong in the source, and refuses what is no batch', async () => {
    async function* failing(): AsyncGenerator<RecordBatch> {
      yield batchOf([1]);
      throw new Error('out of luck');
    }
    expect((await failureOf(readLive(batchStream(failing())))).message).to.equal('out of luck');
    const observable = new Observable<RecordBatch>(observer => observer.error(new Error('pushed')));
    expect((await failureOf(readLive(batchStream(observable)))).message).to.equal('pushed');
    const wrong = batchStream([new Table(batchOf([1])) as unknown as RecordBatch, 5 as unknown as RecordBatch]);
    expect((await failureOf(readLive(wrong))).message).to.match(/must be a record batch of apache-arrow/);
  });

  it('can be iterated once each time it is opened', async () => {
    const opened = await batchStream([batchOf([1])]).open(OPEN);
    for await (const _ of opened.arrivals);
    const again = await opened.arrivals[Symbol.asyncIterator]().next();
    expect(again.done).to.equal(true);
  });
});
