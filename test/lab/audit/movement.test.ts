import { expect } from 'chai';
import { movement } from '../../../src/lab/audit/movement.ts';
import type { Observation } from '../../../src/lab/audit/observe.ts';

const observed = (...releases: readonly (readonly number[])[]): Observation => ({
  sums: releases.map(sums => ({ sums: Float64Array.from(sums), blocks: 2, rowsPerBlock: 1, privacy: 'raw' })),
  answers: [],
  trace: [],
  disclosed: null,
  ledger: null,
  error: null,
});

describe('movement', () => {
  it('measures every release exactly, beyond the whole doubles', () => {
    const large = 2 ** 27;
    const from = observed([1, 2, 3, 4], [0, 0, 0, 0]);
    const to = observed([1, 2, 3 + large, 4 - 1], [0, 0, 0, 0]);
    const { squares, cells, differences } = movement(from, to);
    expect(squares).to.deep.equal([2n ** 54n + 1n, 0n]);
    expect(cells).to.equal(1);
    expect(differences.map(values => [...values])).to.deep.equal([
      [0, 0, large, -1],
      [0, 0, 0, 0],
    ]);
  });

  it('counts every block of every release that moved', () => {
    expect(movement(observed([1, 0, 0, 1], [0, 0, 0, 0]), observed([0, 0, 0, 0], [0, 5, 0, 0])).cells).to.equal(3);
  });
});
