import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import type { Samples } from '../../../src/sample/samples.ts';
import { rowRange } from '../../../src/sample/transform/mapSamples.ts';

/** Rows 0 to 9 in batches of 3, which counts the batches that were asked for. */
function counted(): { samples: Samples; read: () => number } {
  let read = 0;
  const samples: Samples = {
    rows: 10,
    features: 1,
    weighted: false,
    async *batches() {
      for (let first = 0; first < 10; first += 3) {
        read++;
        const x = Float64Array.from({ length: Math.min(3, 10 - first) }, (_, i) => first + i);
        yield sampleBatch([x], x);
      }
    },
  };
  return { samples, read: () => read };
}

async function rowsOf(samples: Samples): Promise<number[]> {
  const rows: number[] = [];
  for await (const { target } of samples.batches()) rows.push(...target);
  return rows;
}

describe('rowRange', () => {
  it('gives every range of rows, whatever the batches', async () => {
    for (let start = 0; start <= 10; start++) {
      for (let end = start; end <= 10; end++) {
        const range = rowRange(counted().samples, start, end);
        expect(range.rows).to.equal(end - start);
        expect(await rowsOf(range)).to.deep.equal(Array.from({ length: end - start }, (_, i) => start + i));
      }
    }
  });

  it('reads nothing behind its end', async () => {
    const { samples, read } = counted();
    await rowsOf(rowRange(samples, 1, 5));
    expect(read()).to.equal(2);
  });

  it('refuses a range that is not one', () => {
    expect(() => rowRange(counted().samples, 4, 3)).to.throw(ArgumentError, 'end');
    expect(() => rowRange(counted().samples, 0, 11)).to.throw(ArgumentError, 'end');
  });
});
