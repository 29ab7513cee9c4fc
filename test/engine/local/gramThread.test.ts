import { expect } from 'chai';
import { cellGrams, type GramWork } from '../../../src/engine/kernel/cellGrams.ts';
import { gramThread } from '../../../src/engine/local/gramThread.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { rowsBetween, sampleBatch } from '../../../src/sample/sampleBatch.ts';

describe('gramThread', () => {
  const random = seeded(1, 'rows');
  const column = (rows: number): Float64Array => Float64Array.from({ length: rows }, () => uniform(random) - 0.3);

  for (const rows of [0, 1, 1_023, 1_024, 1_025, 200_000]) {
    it(`makes the same moments of ${rows} rows as the caller, to the last bit`, () => {
      const batch = sampleBatch([column(rows), column(rows), column(rows)], column(rows));
      const cells = Uint32Array.from({ length: rows }, () => random.word() % 6);
      const [alone, helped] = [cellGrams({ features: 3, cells: 5 }), cellGrams({ features: 3, cells: 5 }, gramThread)];
      for (const grams of [alone, helped]) {
        for (let start = 0; start < rows; start += 7_001) {
          const end = Math.min(rows, start + 7_001);
          grams.add(rowsBetween(batch, start, end), cells.subarray(start, end));
        }
      }
      for (const at of [
        [0, 0, 0, 0],
        [1, -2, 0.5, 3],
        [0.1, 0.2, 0.3, 0],
      ]) {
        const theta = Float64Array.from(at);
        expect([...helped.sumsAt(theta, 0, 5)]).to.deep.equal([...alone.sumsAt(theta, 0, 5)]);
      }
    });
  }

  it('tells its caller at once that it failed, although the caller does nothing but wait', () => {
    const BEYOND = 2 ** 31;
    const lost: GramWork = {
      ...gramThread,
      begin: room => gramThread.begin({ ...room, pieces: room.pieces.map(piece => ({ ...piece, job: BEYOND })) }),
    };
    const grams = cellGrams({ features: 1, cells: 1 }, lost);
    grams.add(sampleBatch([column(10)], column(10)), new Uint32Array(10));
    expect(() => grams.sumsAt(Float64Array.of(0), 0, 1)).to.throw('the thread that adds moments failed');
  });
});
