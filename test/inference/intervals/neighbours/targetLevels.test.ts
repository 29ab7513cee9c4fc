import { expect } from 'chai';
import { targetLevels } from '../../../../src/inference/intervals/neighbours/neighbours.ts';

const levelsOf = (...target: number[]): number[] => [
  ...targetLevels(
    Float64Array.from(target),
    Uint32Array.from(target, (_, i) => i),
  ),
];

describe('targetLevels', () => {
  it('is the whole file where targets do not fall apart', () => {
    expect(levelsOf(2, 1, 3, 1, 2, 3)).to.deep.equal([0, 6]);
    expect(levelsOf(1, 1, 1)).to.deep.equal([0, 3]);
  });

  it('cuts the file where all targets before are above all behind, or below', () => {
    expect(levelsOf(3, 7, 2, 5, 0, 0, 0)).to.deep.equal([0, 4, 7]);
    expect(levelsOf(0, 0, 3, 7, 2)).to.deep.equal([0, 2, 5]);
    expect(levelsOf(1, 2, 1, 5, 4, 9, 8)).to.deep.equal([0, 3, 5, 7]);
  });

  it('takes rows in the order of the file', () => {
    const target = Float64Array.of(0, 3, 0, 7);
    expect([...targetLevels(target, Uint32Array.of(3, 1, 2, 0))]).to.deep.equal([0, 1, 2, 4]);
  });

  it('does not cut a series that rises all along', () => {
    expect(levelsOf(...Array.from({ length: 50 }, (_, i) => i))).to.deep.equal([0, 50]);
  });
});
