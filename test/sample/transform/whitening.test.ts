import { expect } from 'chai';
import { momentSummer } from '../../../src/engine/kernel/wholeSummer.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { symmetricEigen } from '../../../src/math/symmetricEigen.ts';
import { dot, type Vector } from '../../../src/math/vector.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import {
  coordinatesOf,
  meanTarget,
  momentFloor,
  turnOf,
  unwhiten,
  type WhiteAxis,
  type Whitening,
  whiteningOf,
} from '../../../src/sample/transform/whitening.ts';

const FEATURES = 3;
const ROWS = 4000;
const random = seeded('whitening', 'rows');
/** Alike, off centre, of unlike spreads. */
const rows: readonly Vector[] = Array.from({ length: ROWS }, () => {
  const common = normal(random);
  return Float64Array.of(-0.8 + 0.05 * common, 0.3 + 0.05 * common + 0.01 * normal(random), 0.2 * normal(random));
});

/** Their moments without noise: no row is longer than the length given. */
function exactMoments(): Vector {
  const columns = Array.from({ length: FEATURES }, (_, j) => Float64Array.from(rows, row => row[j]!));
  const summer = momentSummer({
    features: FEATURES,
    rows: ROWS,
    norm: 100,
    targetUnit: 2,
    grid: 1e-7,
    squaredNorm: 2 ** 52,
  });
  summer.add(sampleBatch(columns, new Float64Array(ROWS)));
  return summer.finish().sums.map(sum => (sum * 1e-7) / ROWS);
}

function white(row: Vector, found: Whitening): Vector {
  const centred = row.map((value, j) => value - found.centre[j]!);
  return Float64Array.from(coordinatesOf(found), coordinate => dot(coordinate, centred));
}

const options = { features: FEATURES, intercept: true, sigma: 1e-9 };
const moments = exactMoments();

describe('whiteningOf', () => {
  it('makes rows vary by 1 in every direction, and about 0 where there is an intercept', () => {
    for (const intercept of [true, false]) {
      const found = whiteningOf(moments, { ...options, intercept });
      const z = rows.map(row => white(row, found));
      for (let a = 0; a < FEATURES; a++) {
        const mean = z.reduce((sum, row) => sum + row[a]!, 0) / ROWS;
        if (intercept) expect(mean).to.be.closeTo(0, 1e-4);
        for (let b = 0; b < FEATURES; b++) {
          const second = z.reduce((sum, row) => sum + row[a]! * row[b]!, 0) / ROWS;
          expect(second, `${intercept} ${a} ${b}`).to.be.closeTo(a === b ? 1 : 0, 1e-3);
        }
      }
    }
  });

  it('does so also where all rows count for a part: moments are held against the count', () => {
    const full = whiteningOf(moments, options);
    const part = whiteningOf(
      moments.map(value => value / 5),
      { ...options, sigma: options.sigma / 5 },
    );
    part.axes.forEach(({ spread, floor }, k) => {
      expect(spread).to.be.closeTo(full.axes[k]!.spread, 1e-9);
      expect(floor).to.be.closeTo(full.axes[k]!.floor, 1e-15);
    });
  });

  it('has spreads that noise makes, never less, where noise hides how rows vary', () => {
    const sigma = 0.01;
    const { axes, centre } = whiteningOf(moments, { ...options, sigma });
    for (const { direction, moment, floor, spread } of axes) {
      expect(floor).to.be.closeTo((1 + dot(direction, centre) ** 2) * momentFloor(FEATURES, sigma), 1e-9);
      expect(floor).to.be.closeTo((1 + dot(direction, centre) ** 2) * Math.sqrt(2) * sigma, 1e-9);
      expect(spread ** 2).to.be.closeTo(Math.max(0, moment) + floor, 1e-12);
    }
  });

  it('bounds what noise does to a moment by 2f or so, also far from the centre: seldom more in 1,000 draws', () => {
    const sigma = 1e-3;
    const noise = seeded('whitening', 'noise');
    const place = (a: number, b: number): number => a * (FEATURES + 1) - (a * (a - 1)) / 2 + (b - a);
    for (const middle of [0, 0.9]) {
      // Rows that do not vary at all, about (middle, middle, middle).
      const exact = new Float64Array(11);
      for (let a = 0; a <= FEATURES; a++)
        for (let b = a; b <= FEATURES; b++) {
          const value = (a < FEATURES ? middle : 1) * (b < FEATURES ? middle : 1);
          exact[place(a, b)] = (a === b ? 1 : Math.SQRT2) * value;
        }
      let beyond = 0;
      for (let k = 0; k < 1000; k++) {
        const drawn = exact.map(value => value + sigma * normal(noise));
        const { axes } = whiteningOf(drawn, { ...options, sigma });
        if (axes.some(({ moment, floor }) => Math.abs(moment) > 2 * floor)) beyond++;
      }
      expect(beyond, `${middle}`).to.be.below(150);
    }
  });

  it('gives finite coordinates for whatever noise may make of the moments', () => {
    for (const scale of [0, 1e-300, 1e6, 1e100]) {
      const noise = seeded('whitening', `wild ${scale}`);
      for (let k = 0; k < 20; k++) {
        const drawn = Float64Array.from({ length: 11 }, () => scale * normal(noise));
        const found = whiteningOf(drawn, { ...options, sigma: 1e-3 });
        const { centre, axes } = found;
        const numbers = [...centre, ...coordinatesOf(found).flatMap(coordinate => [...coordinate])];
        expect(numbers.every(Number.isFinite)).to.equal(true);
        expect(axes.every(({ spread }) => spread > 0)).to.equal(true);
      }
    }
  });

  it('refuses moments of another number of features, and noise that is none', () => {
    expect(() => whiteningOf(moments, { ...options, features: 2 })).to.throw(ArgumentError, 'moments');
    expect(() => whiteningOf(moments, { ...options, sigma: 0 })).to.throw(ArgumentError, 'sigma');
  });
});

describe('meanTarget', () => {
  it('is the mean of rows that count, however much they do', () => {
    const own = moments.slice();
    own[own.length - 1] = 0.3 * own.at(-2)!;
    expect(meanTarget(own, 1e-9)).to.be.closeTo(0.3, 1e-12);
    expect(
      meanTarget(
        own.map(value => value / 5),
        1e-9,
      ),
    ).to.be.closeTo(0.3, 1e-12);
    expect(Number.isFinite(meanTarget(new Float64Array(own.length), 1e-3))).to.equal(true);
  });
});

describe('unwhiten', () => {
  it('gives coefficients with the same scores for every row', () => {
    for (const intercept of [true, false]) {
      const found = whiteningOf(moments, { ...options, intercept, sigma: 1e-4 });
      const theta = Float64Array.from({ length: FEATURES + (intercept ? 1 : 0) }, () => normal(random));
      const back = unwhiten(theta, found);
      for (const row of rows.slice(0, 100)) {
        const own = dot(white(row, found), theta.subarray(0, FEATURES)) + (intercept ? theta[FEATURES]! : 0);
        const score = dot(row, back.subarray(0, FEATURES)) + (intercept ? back[FEATURES]! : 0);
        expect(score).to.be.closeTo(own, 1e-9);
      }
    }
  });
});

/** Axes of any directions, with moments in floors. */
function axesOf(moments: readonly number[]): readonly WhiteAxis[] {
  const size = moments.length;
  const gram = new Float64Array(size * size);
  for (let a = 0; a < size; a++) for (let b = 0; b <= a; b++) gram[a * size + b] = gram[b * size + a] = normal(random);
  return symmetricEigen(gram, size).map(({ vector }, k) => ({
    direction: vector,
    moment: 0.01 * moments[k]!,
    floor: 0.01,
    spread: Math.sqrt(0.01 * (moments[k]! + 1)),
  }));
}

describe('turnOf', () => {
  it('is a turn, whichever axes are clear: lengths are what they are along the axes', () => {
    for (const moments of [[1], [50], [50, 1], [50, 40, 30, 20, 1, 0], [90, 3, 2, 1, 0, -1, -2], [11, 12, 13]]) {
      const turn = turnOf(axesOf(moments));
      expect(turn).to.have.length(moments.length);
      turn.forEach((a, j) => {
        turn.forEach((b, k) => {
          expect(dot(a, b), `${moments} ${j} ${k}`).to.be.closeTo(j === k ? 1 : 0, 1e-13);
        });
      });
    }
  });

  it('turns axes that are all clear to the features, so that coordinates are those of the symmetric root', () => {
    const axes = axesOf([50, 40, 30, 20]);
    turnOf(axes).forEach((shares, j) => {
      shares.forEach((share, k) => {
        expect(share).to.be.closeTo(axes[k]!.direction[j]!, 1e-13);
      });
    });
    const coordinates = coordinatesOf({ centre: new Float64Array(4), axes, intercept: true });
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < a; b++) expect(coordinates[a]![b]).to.be.closeTo(coordinates[b]![a]!, 1e-12);
  });

  it('leaves axes as they are that noise hides, behind the others, which have no part in them', () => {
    const turn = turnOf(axesOf([50, 9.9, 40, -1]));
    expect([...turn[2]!]).to.deep.equal([0, 1, 0, 0]);
    expect([...turn[3]!]).to.deep.equal([0, 0, 0, 1]);
    for (const shares of turn.slice(0, 2)) expect([shares[1], shares[3]]).to.deep.equal([0, 0]);
  });

  it('has the features for coordinates that vary alike, beside one that noise hides', () => {
    const half = Math.SQRT1_2;
    const axis = (direction: readonly number[], moment: number): WhiteAxis => ({
      direction: Float64Array.from(direction),
      moment,
      floor: 0.01,
      spread: 1,
    });
    const axes = [axis([half, 0, -half], 0.3), axis([half, 0, half], 0.3), axis([0, 1, 0], 0.01)];
    const found = coordinatesOf({ centre: new Float64Array(3), axes, intercept: false });
    [
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ].forEach((feature, j) => {
      feature.forEach((value, k) => {
        expect(found[j]![k]).to.be.closeTo(value, 1e-15);
      });
    });
  });
});
