import { expect } from 'chai';
import fc from 'fast-check';
import { weightChunks } from '../../../src/inference/pilot/weightChunks.ts';
import type { Chunk } from '../../../src/sample/chunk.ts';
import { rowsBetween, sampleBatch } from '../../../src/sample/sampleBatch.ts';

const rows = 100;
const target = Float64Array.from({ length: rows }, (_, i) => i + 1);
const given = Float64Array.from({ length: rows }, (_, i) => 1 + (i % 3));
const batch = { ...sampleBatch([target], target), weights: given };

/** All rows, in batches of these sizes by turns. */
const chunkOf = (index: number, sizes: readonly number[]): Chunk => ({
  index,
  rows,
  batches: {
    async *[Symbol.asyncIterator]() {
      for (let [at, k] = [0, 0]; at < rows; k++) {
        const end = Math.min(rows, at + sizes[k % sizes.length]!);
        yield rowsBetween(batch, at, end);
        at = end;
      }
    },
  },
  release: async () => {},
});

describe('weightChunks', () => {
  it('gives every row its own weight, however each pass is cut', () => {
    const cut = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
    return fc.assert(
      fc.asyncProperty(
        fc.array(cut, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('full' as const, 'fresh' as const),
        async (passes, mode) => {
          const weigh = weightChunks(({ target: own }) => own.map(y => 1 / y), mode);
          for (const [index, sizes] of passes.entries()) {
            const weights: number[] = [];
            for await (const own of weigh(chunkOf(index, sizes)).batches) weights.push(...own.weights!);
            expect(weights).to.deep.equal(Array.from(target, (y, i) => (1 / y) * given[i]!));
          }
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });

  it('asks for a row once where steps see all of them', async () => {
    let asked = 0;
    const weigh = weightChunks(own => {
      asked += own.rows;
      return new Float64Array(own.rows).fill(1);
    }, 'full');
    for (const index of [0, 1, 2])
      for await (const own of weigh(chunkOf(index, [30])).batches) expect(own.weights).to.have.length(own.rows);
    expect(asked).to.equal(rows);
  });
});
