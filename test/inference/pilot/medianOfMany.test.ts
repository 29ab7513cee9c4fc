import { expect } from 'chai';
import { medianOfMany } from '../../../src/inference/pilot/standardized.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

describe('medianOfMany', () => {
  it('is the middle of the sorted values, or the mean of the middle two, in whatever order they come', () => {
    const random = seeded('median', 'many');
    for (const rows of [1, 2, 1000, 20000, 50001]) {
      for (const value of [
        () => normal(random),
        () => Math.round(normal(random)),
        () => 7,
        (i: number) => i,
        (i: number) => -i,
        // What the sample sees says nothing of the others.
        (i: number) => (i % 20 < 10 ? i : -1),
        (i: number) => (Math.floor((Math.ceil((i * 1001) / rows) * rows) / 1001) === i ? 1000 : normal(random)),
      ]) {
        const values = Float64Array.from({ length: rows }, (_, i) => value(i));
        const sorted = values.slice().sort();
        const middle = rows >> 1;
        const expected = rows % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
        expect(medianOfMany(values) + 0).to.equal(expected + 0);
      }
    }
  });
});
