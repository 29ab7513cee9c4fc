import { expect } from 'chai';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

describe('weakCoefficients', () => {
  const rows = 3000;
  const random = seeded('few', 'telling');
  const draw = (law: (i: number) => number): Float64Array => Float64Array.from({ length: rows }, (_, i) => law(i));
  const x = draw(() => normal(random));
  const y = draw(i => x[i]! + normal(random));
  const levelOf = (k: number, outside: number): Float64Array => draw(i => (i >= outside && i % 3 === k ? 1 : 0));
  const few = (columns: readonly Float64Array[], weights?: Float64Array) =>
    studyPilot({ ...sampleBatch(columns, y), ...(weights && { weights }) }, { loss: 'auto', intercept: true }).columns
      .weak;

  it('finds the intercept and all levels where few rows have none of them, whatever the unit of weights', () => {
    for (const outside of [1, 7]) {
      const columns = [0, 1, 2].map(k => levelOf(k, outside));
      const expected = [0, 1, 2, 4].map(column => ({
        column,
        rows: outside,
        isLevel: column < 3,
        isPositive: false,
      }));
      expect(few([...columns, x])).to.deep.equal(expected);
      expect(
        few(
          [...columns, x],
          draw(() => 1e6),
        ),
      ).to.deep.equal(expected);
    }
  });

  it('finds none where many rows have no level, nor of features that are alike, far from 0 or heavy-tailed', () => {
    expect(few([0, 1].map(k => levelOf(k, 0)))).to.deep.equal([]);
    expect(few([x, x.map(value => value + 0.01 * normal(random))])).to.deep.equal([]);
    expect(few([x.map(value => value + 1e6)])).to.deep.equal([]);
    expect(few([x, x.map(value => Math.exp(3 * value))])).to.deep.equal([]);
  });
});
