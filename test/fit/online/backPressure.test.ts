import { Field, Float64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { lastValueFrom } from 'rxjs';
import { estimateOnline } from '../../../src/fit/online/estimateOnline.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

const SCHEMA = new Schema(['x', 'y'].map(name => new Field(name, new Float64())));
const PILOT = 400;

function batchOf(rows: number, draw: () => number): RecordBatch {
  const x = Float64Array.from({ length: rows }, draw);
  const columns = [x, x.map(value => 2 * value + draw())];
  const children = columns.map(data => makeData({ type: new Float64(), length: rows, data }));
  return new RecordBatch(SCHEMA, makeData({ type: new Struct(SCHEMA.fields), length: rows, children }));
}

/** Turns of the loop of events, in which whoever pulls ahead would. */
async function turns(count: number): Promise<void> {
  for (let k = 0; k < count; k++) await new Promise(setImmediate);
}

describe('a stream that is faster than its outputs', () => {
  it('is pulled for the rows of the present chunk and no further, however its batches and chunks lie', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 4, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 50, max: 700 }), fc.integer(), async (batches, chunk, seed) => {
        const random = seeded(String(seed), 'rows');
        const pulled: number[] = [];
        const source = (function* () {
          for (const rows of [PILOT, PILOT, ...batches]) {
            pulled.push(rows);
            yield batchOf(rows, () => uniform(random) - 0.5);
          }
        })();
        const publish = async ({ rows }: { readonly rows: { readonly read: number } }): Promise<void> => {
          await turns(3);
          // Without its last batch, what was pulled did not fill the chunk.
          const before = pulled.slice(0, -1).reduce((sum, count) => sum + count, 0);
          expect(before).to.be.below(rows.read);
        };
        await lastValueFrom(
          estimateOnline(source, { target: 'y', loss: 'squared', chunk, outputs: [{ name: 'slow', publish }] }),
        );
        expect(pulled.length).to.equal(2 + batches.length);
      }),
      { numRuns: 25 },
    );
  });

  it('is pulled for one batch more where a chunk was closed early while the next was waited for', async () => {
    const random = seeded('slow', 'rows');
    let pulled = 0;
    let most = 0;
    let chunks = 0;
    const source = (async function* () {
      for (let k = 0; chunks < 8; k++) {
        // Now and then nothing comes until the open chunk has been closed.
        if (k > 0 && k % 4 === 0) for (const closed = chunks; chunks === closed && chunks < 8; ) await turns(1);
        pulled += 300;
        yield batchOf(300, () => uniform(random) - 0.5);
      }
    })();
    const publish = async ({ rows }: { readonly rows: { readonly read: number } }): Promise<void> => {
      chunks++;
      await turns(5);
      most = Math.max(most, pulled - rows.read);
    };
    await lastValueFrom(
      estimateOnline(source, {
        ...{ target: 'y', loss: 'squared', chunk: 1000, every: 20 },
        outputs: [{ name: 'slow', publish }],
      }),
    );
    expect(most).to.be.at.most(300);
    expect(chunks).to.be.at.least(8);
  });
});
