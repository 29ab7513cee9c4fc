import { expect } from 'chai';
import { compiledLoss, riskTile, TILE_ROWS } from '../../../src/engine/kernel/riskTile.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { gemanMcClure } from '../../../src/method/loss/gemanMcClure.ts';

describe('riskTile', () => {
  it('adds what rows do to an estimate, for any number of rows and columns', () => {
    for (const [rows, features, start] of [
      [1, 1, 0],
      [7, 2, 3],
      [TILE_ROWS - 1, 3, TILE_ROWS],
      [TILE_ROWS, 4, 5],
    ] as const) {
      const random = seeded('influences', `${rows} ${features}`);
      const tile = riskTile(features, start + rows + 1);
      for (const column of tile.columns) column.set(column.map(() => normal(random)));
      const [squares, others] = tile.spare;
      for (const room of [tile.scores, tile.weights, squares, others])
        for (let i = 0; i < rows; i++) room[i] = Math.abs(normal(random));
      tile.weights[rows] = 0;
      tile.derive(compiledLoss(gemanMcClure(2).kernel)!, false, rows);
      for (const size of [features, features + 1]) {
        tile.clear();
        // Twice, for sums go on.
        for (let time = 0; time < 2; time++) tile.addInfluences(size, start, rows);
        const sum = (of: (i: number) => number): number =>
          Array.from({ length: rows }, (_, i) => 2 * of(i)).reduce((total, value) => total + value, 0);
        const { slopes, bends, totals } = tile;
        const expected = [
          sum(i => bends[i]! * squares[i]!),
          sum(i => slopes[i]! ** 2 * squares[i]!),
          sum(i => slopes[i]! * others[i]! * squares[i]!),
        ];
        expected.forEach((value, k) => {
          expect(totals[k]).to.be.closeTo(value, 1e-11 * rows);
        });
        for (let j = 0; j < size; j++) {
          const value = sum(i => slopes[i]! * (tile.columns[j]?.[start + i] ?? 1));
          expect(tile.sumOf(j)).to.be.closeTo(value, 1e-11 * rows);
        }
      }
    }
  });
});
