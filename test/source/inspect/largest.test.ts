import { expect } from 'chai';
import fc from 'fast-check';
import { largest } from '../../../src/source/inspect/tail.ts';

describe('largest', () => {
  it('keeps the largest numbers, whatever their order', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (values, count) => {
        const kept = largest(count);
        for (const value of values) kept.add(value);
        const sorted = values.toSorted((a, b) => b - a);
        // Sums make both zeros one.
        expect([...kept.values()].map(x => x + 0)).to.deep.equal(sorted.slice(0, count).map(x => x + 0));
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
