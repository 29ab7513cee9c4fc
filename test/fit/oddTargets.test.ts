import { expect } from 'chai';
import { OddTargets, ofClasses, refuseOddTargets } from '../../src/fit/oddTargets.ts';
import { estimate } from '../../src/index.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

const rows = 30_000;
const random = seeded('odd', 'targets');
const x = Float64Array.from({ length: rows }, () => normal(random));
const classes = x.map(value => (uniform(random) < 1 / (1 + Math.exp(-value)) ? 1 : 0));
const odd = (place: number, value: number): Float64Array => classes.with(place, value);

describe('targets of 0 and 1 but for a few', () => {
  it('are refused with their row, wherever it is, and never answered by a fit of numbers', async () => {
    for (const mode of ['full', 'fresh'] as const) {
      const found = await estimate({ x, y: odd(20_123, 2) }, { target: 'y', mode, order: 'as-is' }).catch(
        error => error,
      );
      expect(found.message, mode).to.include('row 20123');
      expect(found.message, mode).to.include('2 is not a valid target');
    }
  });

  it('are left out if that is asked for', async () => {
    const { coefficients, loss } = await estimate({ x, y: odd(20_123, 2) }, { target: 'y', nulls: 'skip' });
    expect(loss.name).to.equal('logistic');
    expect(coefficients.x!.estimate).to.be.closeTo(1, 0.1);
  });

  it('are numbers where there are more of them, or one class is rare', () => {
    const isRefused = (target: Float64Array): boolean => {
      try {
        refuseOddTargets(sampleBatch([x], target));
        return false;
      } catch (error) {
        return error instanceof OddTargets;
      }
    };
    expect(isRefused(classes)).to.equal(false);
    expect(isRefused(odd(7, 2))).to.equal(true);
    expect(isRefused(classes.map((y, i) => (i % 500 === 0 ? 2 : y)))).to.equal(false);
    expect(isRefused(classes.map((_, i) => (i < 50 ? 1 : i === 60 ? 2 : 0)))).to.equal(false);
  });

  it('end the chunk that has one of positive weight', async () => {
    const read = async (weights?: Float64Array): Promise<number> => {
      let seen = 0;
      const batch = { ...sampleBatch([x], odd(7, 2)), ...(weights && { weights }) };
      const chunk = ofClasses({
        index: 0,
        rows,
        batches: {
          async *[Symbol.asyncIterator]() {
            yield batch;
          },
        },
        release: async () => {},
      });
      for await (const own of chunk.batches) seen += own.rows;
      return seen;
    };
    expect(await read().catch(error => error)).to.be.instanceOf(OddTargets);
    expect(await read(new Float64Array(rows).fill(1).with(7, 0))).to.equal(rows);
  });
});
