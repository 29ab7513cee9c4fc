import { expect } from 'chai';
import fc from 'fast-check';
import { permutation } from '../../../src/math/random/permutation.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { rowCells } from '../../../src/sample/shuffle/rowCells.ts';

/** The cell by the definition: the place of the row, and a look at every cell. */
function plainly(sizes: readonly number[], seed: number): (row: number) => number {
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const placeOf = permutation(rows, seeded(seed, 'cells'));
  return row => {
    let place = placeOf(row);
    return sizes.findIndex(size => {
      place -= size;
      return place < 0;
    });
  };
}

const between = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

describe('rowCells', () => {
  it('finds the cell of the place that the permutation gives, for any sizes and any cut of the rows', () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2000 })), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 3000 }), fc.nat(), (cells, cut, seed) => {
        const rows = cells.reduce((sum, size) => sum + size, 0);
        fc.pre(rows > 0);
        const find = rowCells(cells, seeded(seed, 'cells'));
        const found = new Uint32Array(rows);
        for (let first = 0; first < rows; first += cut) find(first, found.subarray(first, first + cut));
        expect([...found]).to.deep.equal(between(0, rows).map(plainly(cells, seed)));
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  it('does so for sizes next to a power of four, where most values are walked, and for many rows', () => {
    for (const rows of [1, 2, 3, 4, 5, 4 ** 6 - 1, 4 ** 6, 4 ** 6 + 1, 10_000_000, 2 ** 31 + 5, 2 ** 32 - 1]) {
      const sizes = [Math.floor(rows / 3), 0, Math.floor(rows / 2)];
      sizes.push(rows - sizes[0]! - sizes[2]!);
      const count = Math.min(rows, 5000);
      for (const first of [0, rows - count]) {
        const found = new Uint32Array(count);
        rowCells(sizes, seeded(2, 'cells'))(first, found);
        expect([...found], `${rows} rows`).to.deep.equal(between(first, count).map(plainly(sizes, 2)));
      }
    }
  });

  it('goes on beyond 2^32 rows', () => {
    for (const sizes of [[2 ** 32], [2 ** 33, 5, 2 ** 34 + 1, 2 ** 32]]) {
      const rows = sizes.reduce((sum, size) => sum + size, 0);
      const found = new Uint32Array(2000);
      rowCells(sizes, seeded(3, 'cells'))(rows - 2000, found);
      expect([...found]).to.deep.equal(between(rows - 2000, 2000).map(plainly(sizes, 3)));
    }
  });

  it('refuses no rows, and rows past the last', () => {
    expect(() => rowCells([0], seeded(1, 'cells'))).to.throw('size must');
    expect(() => rowCells([3, 4], seeded(1, 'cells'))(5, new Uint32Array(3))).to.throw('the last row must');
  });
});
