import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { lastValueFrom, of } from 'rxjs';
import { huberGradient } from '../../src/flow/huberGradient.ts';
import { zeros } from '../../src/math/vector.ts';
import { squared } from '../../src/method/loss/squared.ts';
import type { Chunk } from '../../src/sample/chunk.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

/** So many equal batches of 1,000 rows, in a chunk that says it has `rows`. */
function chunkOf(count: number, features: number, rows = 1000 * count): Chunk {
  const column = new Float64Array(1000).fill(1);
  const batch = sampleBatch(
    Array.from({ length: features }, () => column),
    column,
  );
  async function* batches() {
    for (let k = 0; k < count; k++) yield batch;
  }
  return { index: 0, rows, batches: batches(), release: async () => {} };
}

const options = { contamination: 0.1, failureProbability: 0.05 };
const loss = { loss: squared(), intercept: false };

/** Bytes of buffers that something still refers to: what others have left is collected first. */
function held(): number {
  setFlagsFromString('--expose-gc');
  // Once to find what nobody refers to, once to be done with it.
  for (let k = 0; k < 2; k++) runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

describe('huberGradient', () => {
  it('holds the gradients of a chunk once', async () => {
    const features = 100;
    const bytes = 8 * 80_000 * features;
    const seen: number[] = [];
    const coordinates = {
      ofGradient: () => {
        seen.push(held());
        throw new Error('seen enough');
      },
    };
    const before = held();
    const step = { index: 0, chunk: chunkOf(80, features), at: zeros(features) };
    const run = huberGradient(loss, { ...options, coordinates }).run(of(step));
    await lastValueFrom(run).catch(() => {});
    // Twice would be 2; some of what other tests have left may go in between.
    expect(seen[0]! - before).to.be.within(0.5 * bytes, 1.5 * bytes);
  });

  it('takes a chunk that ends early, and refuses one of more rows than it says', async () => {
    const gradientOf = (rows: number) =>
      lastValueFrom(huberGradient(loss, options).run(of({ index: 0, chunk: chunkOf(2, 3, rows), at: zeros(3) })));
    const { values } = await gradientOf(2500);
    expect([...values]).to.deep.equal([-1, -1, -1]);
    const error = await gradientOf(1500).catch(caught => caught);
    expect(error.message).to.equal('chunk.rows must be at least the 2000 rows of its batches, got 1500');
  });
});
