import { expect } from 'chai';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { scratchCells } from '../../../src/sample/shuffle/scratchCells.ts';

const cellCount = 3;

/** What column j holds in a row. */
const heldBy = (row: number, j: number): number => row + j / 1000;

/** Adds rows in batches and reads them back: the rows of each cell, and every column of them. */
async function throughCells(rows: number, features: number, weights: 'none' | 'some' | 'all') {
  const random = seeded('cells', `${rows} ${features}`);
  const cell = Uint32Array.from({ length: rows }, () => Math.floor(cellCount * uniform(random)));
  const rowsOf = (own: number): number[] => [...cell.keys()].filter(row => cell[row] === own);
  const order = Array.from({ length: cellCount }, (_, own) => rowsOf(own)).flat();
  const sizes = Array.from({ length: cellCount }, (_, own) => rowsOf(own).length);
  const cells = await scratchCells({ sizes, features, weighted: weights !== 'none' });
  const isWeighted = (start: number): boolean => weights === 'all' || (weights === 'some' && start === 0);
  for (let start = 0; start < rows; start += 1500) {
    const count = Math.min(1500, rows - start);
    const column = (j: number): Float64Array => Float64Array.from({ length: count }, (_, i) => heldBy(start + i, j));
    const batch = {
      rows: count,
      columns: Array.from({ length: features }, (_, j) => column(j)),
      target: column(features),
    };
    cells.add(
      isWeighted(start) ? { ...batch, weights: column(features + 1) } : batch,
      cell.subarray(start, start + count),
    );
  }
  const width = features + (weights === 'none' ? 1 : 2);
  const expected = Array.from({ length: width }, (_, j) =>
    Float64Array.from(order, row => (j <= features || isWeighted(row < 1500 ? 0 : row) ? heldBy(row, j) : 1)),
  );
  for (let pass = 0; pass < 2; pass++) {
    let start = 0;
    for await (const batch of cells.batches()) {
      const columns = [...batch.columns, batch.target, ...(batch.weights === undefined ? [] : [batch.weights])];
      expect(columns).to.have.length(width);
      columns.forEach((column, j) => {
        expect(column).to.deep.equal(expected[j]!.subarray(start, start + batch.rows));
      });
      start += batch.rows;
    }
    expect(start).to.equal(rows);
  }
  await cells.close();
}

describe('scratchCells', () => {
  it('gives back the rows of every cell in their order, for any number of columns', async () => {
    for (const features of [1, 2, 5, 8]) await throughCells(3001, features, 'none');
  });

  it('does so for rows of many frames and batches', () => throughCells(12_000, 300, 'none'));

  it('takes a weight of 1 for rows that come without', async () => {
    for (const features of [1, 2]) {
      await throughCells(4000, features, 'all');
      await throughCells(4000, features, 'some');
    }
  });
});
