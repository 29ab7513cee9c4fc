import { expect } from 'chai';
import { momentSummer } from '../../src/gradient/momentSummer.ts';
import { ArgumentError } from '../../src/math/check.ts';
import { dot, type Vector } from '../../src/math/vector.ts';
import { normal } from '../../src/random/normal.ts';
import { seeded } from '../../src/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { momentFloor, unwhiten, type Whitening, whiteningOf } from '../../src/sample/whitening.ts';

const FEATURES = 3;
const ROWS = 4000;
const random = seeded('whitening', 'rows');
/** Alike, off centre, of unlike spreads. */
const rows: readonly Vector[] = Array.from({ length: ROWS }, () => {
  const common = normal(random);
  return Float64Array.of(
    -0.8 + 0.05 * common,
    0.3 + 0.05 * common + 0.01 * normal(random),
    0.2 * normal(random),
  );
});

/** Their moments without noise: no row is longer than the length given. */
function exactMoments(): Vector {
  const columns = Array.from({ length: FEATURES }, (_, j) => Float64Array.from(rows, row => row[j]!));
  const summer = momentSummer({
    features: FEATURES,
    rows: ROWS,
    rowLength: 10,
    grid: 1e-7,
    squaredNorm: 2 ** 52,
  });
  summer.add(sampleBatch(columns, new Float64Array(ROWS)));
  return summer.finish().sums.map(sum => (sum * 1e-7) / ROWS);
}

const white = (row: Vector, { centre, axes }: Whitening): Vector =>
  Float64Array.from(
    axes,
    ({ direction, spread }) => direction.reduce((sum, v, j) => sum + v * (row[j]! - centre[j]!), 0) / spread,
  );

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
    part.axes.forEach(({ spread }, k) => {
      expect(spread).to.be.closeTo(full.axes[k]!.spread, 1e-9);
    });
    expect(part.floor).to.be.closeTo(full.floor, 1e-15);
  });

  it('has spreads that noise makes, never less, where noise hides how rows vary', () => {
    const sigma = 0.01;
    const { axes, floor } = whiteningOf(moments, { ...options, sigma });
    expect(floor).to.be.closeTo(momentFloor(FEATURES, sigma), 1e-9);
    expect(floor).to.be.closeTo(Math.sqrt(2) * sigma, 1e-9);
    for (const { moment, spread } of axes)
      expect(spread ** 2).to.be.closeTo(Math.max(0, moment) + floor, 1e-12);
  });

  it('bounds what symmetric noise does to a moment by 2f or so: seldom more in 1,000 draws', () => {
    const size = FEATURES + 1;
    const noise = seeded('whitening', 'noise');
    let beyond = 0;
    for (let k = 0; k < 1000; k++) {
      const drawn = Float64Array.from({ length: (size * (size + 1)) / 2 }, () => normal(noise));
      // A count of 1 with the noise around it, and nothing else: C = noise.
      drawn[drawn.length - 1] = 1;
      for (let j = 0; j < FEATURES; j++) drawn[[3, 6, 8][j]!] = 0;
      const { axes, floor } = whiteningOf(drawn, { ...options, sigma: 1 });
      if (axes[0]!.moment > 2 * floor) beyond++;
    }
    // 25 of 1,000 for these seeds.
    expect(beyond).to.be.within(5, 100);
  });

  it('gives finite coordinates for whatever noise may make of the moments', () => {
    for (const scale of [0, 1e-300, 1e6, 1e100]) {
      const noise = seeded('whitening', `wild ${scale}`);
      for (let k = 0; k < 20; k++) {
        const drawn = Float64Array.from({ length: 10 }, () => scale * normal(noise));
        const { centre, axes } = whiteningOf(drawn, { ...options, sigma: 1e-3 });
        expect(
          [...centre, ...axes.flatMap(({ direction, spread }) => [...direction, spread])].every(
            Number.isFinite,
          ),
        ).to.equal(true);
        expect(axes.every(({ spread }) => spread > 0)).to.equal(true);
      }
    }
  });

  it('refuses moments of another number of features, and noise that is none', () => {
    expect(() => whiteningOf(moments, { ...options, features: 2 })).to.throw(ArgumentError, 'moments');
    expect(() => whiteningOf(moments, { ...options, sigma: 0 })).to.throw(ArgumentError, 'sigma');
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
