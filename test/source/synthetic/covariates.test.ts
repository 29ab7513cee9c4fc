import { expect } from 'chai';
import { ArgumentError } from '../../../src/math/check.ts';
import { seeded } from '../../../src/random/seeded.ts';
import { type Covariates, diagonalNormal, uniformCube } from '../../../src/source/synthetic/covariates.ts';
import { ksDistance, ksThreshold, normalCdf } from '../../support/statistics.ts';

const COUNT = 2e4;

/** The draws of each coordinate, over COUNT rows. */
function coordinates(covariates: Covariates, features: number): Float64Array[] {
  const random = seeded(1, 'covariates');
  const row = new Float64Array(features);
  const columns = Array.from(row, () => new Float64Array(COUNT));
  for (let i = 0; i < COUNT; i++) {
    covariates(random, row);
    row.forEach((x, j) => {
      columns[j]![i] = x;
    });
  }
  return columns;
}

describe('uniformCube', () => {
  it('is uniform in each coordinate', () => {
    for (const column of coordinates(uniformCube(0.5), 3)) {
      expect(ksDistance(column, x => x + 0.5)).to.be.below(ksThreshold(COUNT));
    }
  });

  it('refuses a cube without width', () => {
    expect(() => uniformCube(0)).to.throw(ArgumentError, 'halfWidth must be a finite number above 0, got 0');
  });
});

describe('diagonalNormal', () => {
  it('is normal with its variance in each coordinate, and independent across them', () => {
    const [narrow, none, wide] = coordinates(diagonalNormal(Float64Array.of(0.25, 0, 9)), 3);
    expect(ksDistance(narrow!, x => normalCdf(x / 0.5))).to.be.below(ksThreshold(COUNT));
    expect(ksDistance(wide!, x => normalCdf(x / 3))).to.be.below(ksThreshold(COUNT));
    expect(none!.every(x => Object.is(x, 0))).to.equal(true);
    const sum = narrow!.map((x, i) => x + wide![i]!);
    expect(ksDistance(sum, x => normalCdf(x / Math.sqrt(9.25)))).to.be.below(ksThreshold(COUNT));
  });

  it('refuses negative variances and rows of another length', () => {
    expect(() => diagonalNormal(Float64Array.of(1, -1))).to.throw(
      ArgumentError,
      'variances[1] must be a finite number of at least 0, got -1',
    );
    expect(() => diagonalNormal(Float64Array.of(1, 1))(seeded(1, 'x'), new Float64Array(3))).to.throw(
      ArgumentError,
      'the length of row must be 2, got 3',
    );
  });
});
