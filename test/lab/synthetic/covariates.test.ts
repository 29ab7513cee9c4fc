import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { columnDraws } from '../../../src/lab/synthetic/columnDraws.ts';
import {
  type Covariates,
  diagonalNormal,
  rowByRow,
  uniformCube,
  unitSphere,
} from '../../../src/lab/synthetic/covariates.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import { ksDistance, ksThreshold, normalCdf } from '../../support/statistics.ts';

const COUNT = 2e4;

/** The draws of each coordinate, over COUNT rows. */
function coordinates(covariates: Covariates, features: number): readonly Float64Array[] {
  const arena = columnArena({ features, capacity: COUNT, slots: 1 });
  const random = seeded(1, 'covariates');
  const draws = columnDraws(arena);
  const { columns } = arena.slots[0]!;
  covariates(() => draws.begin(random), columns);
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

  it('refuses negative variances and another number of columns', () => {
    expect(() => diagonalNormal(Float64Array.of(1, -1))).to.throw(
      ArgumentError,
      'variances[1] must be a finite number of at least 0, got -1',
    );
    expect(() => coordinates(diagonalNormal(Float64Array.of(1, 1)), 3)).to.throw(
      ArgumentError,
      'the length of columns must be 2, got 3',
    );
  });
});

describe('rowByRow', () => {
  it('writes what is drawn for a row into that row', () => {
    let drawn = 0;
    const [first, second] = coordinates(
      rowByRow((_, row) => {
        row[0] = drawn++;
        row[1] = -row[0];
      }),
      2,
    );
    expect(first!.every((x, i) => x === i && second![i] === -i)).to.equal(true);
  });
});

describe('unitSphere', () => {
  it('has rows of length 1 that point anywhere alike', () => {
    const [x, y] = coordinates(unitSphere(), 2) as [Float64Array, Float64Array];
    expect(x.every((value, i) => Math.abs(Math.hypot(value, y[i]!) - 1) < 1e-12)).to.equal(true);
    const angles = x.map((value, i) => Math.atan2(y[i]!, value));
    expect(ksDistance(angles, angle => angle / (2 * Math.PI) + 1 / 2)).to.be.below(ksThreshold(COUNT));
  });
});
