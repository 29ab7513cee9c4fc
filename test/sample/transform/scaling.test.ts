import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import {
  type FeatureBounds,
  type Interval,
  levelCounts,
  scaledNorm,
  scaledTarget,
  scalingOf,
  unscale,
} from '../../../src/sample/transform/scaling.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';

const interval: fc.Arbitrary<Interval> = fc
  .tuple(uniform(-100, 100), uniform(0.01, 50))
  .map(([least, span]) => ({ least, most: least + span }));

/** A scaling of p features, and a theta and a row for it. */
const setting = fc
  .record({ p: fc.integer({ min: 1, max: 6 }), intercept: fc.boolean(), scalesTarget: fc.boolean() })
  .chain(({ p, intercept, scalesTarget }) =>
    fc.record({
      intercept: fc.constant(intercept),
      scalesTarget: fc.constant(scalesTarget),
      intervals: fc.array(interval, { minLength: p, maxLength: p }),
      target: interval,
      norm: fc.option(uniform(0.1, 50)),
      theta: fc.array(uniform(-3, 3), { minLength: p + 1, maxLength: p + 1 }),
      row: fc.array(uniform(-200, 200), { minLength: p, maxLength: p }),
    }),
  );

describe('scalingOf', () => {
  it('puts the ends of declared intervals at -1 and 1 with an intercept, and keeps 0 in its place without one', () => {
    const options = {
      features: 2,
      bounds: {
        intervals: [
          { least: 10, most: 30 },
          { least: -4, most: 1 },
        ],
      },
      target: { least: 0, most: 8 },
      scalesTarget: true,
    };
    const shifted = scalingOf({ ...options, intercept: true });
    expect(shifted.features).to.deep.equal([
      { centre: 20, scale: 10, least: -1, most: 1 },
      { centre: -1.5, scale: 2.5, least: -1, most: 1 },
    ]);
    expect(shifted.target).to.deep.include({ centre: 4, scale: 4 });
    expect(scaledNorm(shifted)).to.equal(Math.sqrt(3));
    expect(scaledTarget(shifted)).to.equal(1);
    const fixed = scalingOf({ ...options, intercept: false });
    expect(fixed.features).to.deep.equal([
      { centre: 0, scale: 30, least: 1 / 3, most: 1 },
      { centre: 0, scale: 4, least: -1, most: 0.25 },
    ]);
    expect(fixed.target).to.deep.include({ centre: 0, scale: 8 });
    expect(scaledNorm(fixed)).to.equal(Math.SQRT2);
  });

  it('leaves levels of a text where they are, and counts those of one text as one feature in the norm', () => {
    const level = { least: 0, most: 1, levelOf: 'town' };
    const intervals = [{ least: 0, most: 2 }, level, level, level, { ...level, levelOf: 'colour' }];
    const found = scalingOf({
      features: 5,
      bounds: { intervals },
      target: { least: 0, most: 1 },
      intercept: true,
      scalesTarget: false,
    });
    expect(found.features[0]).to.deep.equal({ centre: 1, scale: 1, least: -1, most: 1 });
    expect(found.features[1]).to.deep.equal({ centre: 0, scale: 1, least: 0, most: 1, levelOf: 'town' });
    expect(scaledNorm(found)).to.equal(Math.sqrt(4));
    expect([...levelCounts(found.features)]).to.deep.equal([
      ['town', 3],
      ['colour', 1],
    ]);
  });

  it('divides by a norm bound, and leaves targets that mean something as they are', () => {
    const scaling = scalingOf({
      features: 3,
      bounds: { norm: 5 },
      target: { least: 0, most: 40 },
      intercept: true,
      scalesTarget: false,
    });
    expect(scaling.features).to.deep.equal(Array(3).fill({ centre: 0, scale: 5 }));
    expect(scaling.target).to.deep.equal({ centre: 0, scale: 1 });
    expect(scaledNorm(scaling)).to.equal(Math.SQRT2);
    expect(scaledTarget(scaling)).to.equal(40);
  });

  it('predicts the same from unscaled coefficients as from scaled rows, to 12 digits', () => {
    holdsForAll(
      fc.property(setting, ({ intervals, norm, target, intercept, scalesTarget, theta, row }) => {
        const bounds: FeatureBounds = norm === null ? { intervals } : { norm };
        const features = intervals.length;
        const scaling = scalingOf({ features, bounds, target, intercept, scalesTarget });
        const given = Float64Array.from(intercept ? theta : theta.slice(0, features));
        const found = unscale(given, scaling);
        expect(found).to.have.length(given.length);
        const terms = row.map((x, j) => {
          const { centre, scale } = scaling.features[j]!;
          return (given[j]! * (x - centre)) / scale;
        });
        if (intercept) terms.push(given[features]!);
        const score = terms.reduce((sum, term) => sum + term, 0);
        const expected = scaling.target.centre * (intercept ? 1 : 0) + scaling.target.scale * score;
        const products = [...row.map((x, j) => found[j]! * x), ...(intercept ? [found[features]!] : [])];
        const actual = products.reduce((sum, term) => sum + term, 0);
        const size = [...products, expected].reduce((sum, term) => sum + Math.abs(term), 1);
        expect(actual).to.be.closeTo(expected, 1e-12 * size);
      }),
    );
  });

  it('refuses bounds that are missing, empty, reversed, infinite, or too near each other to divide by', () => {
    const of = (intervals: readonly Interval[], target: Interval = { least: 0, most: 1 }, intercept = true) =>
      scalingOf({
        features: 1,
        bounds: { intervals },
        target,
        intercept,
        scalesTarget: true,
        names: ['age'],
      });
    expect(() => of([])).to.throw(ArgumentError, 'bounds must be declared for 1 feature, got 0');
    expect(() => of([{ least: 2, most: 2 }])).to.throw(
      ArgumentError,
      'the bounds of age must have a lower end below the upper one, got 2..2; leave out constant columns',
    );
    expect(() => of([{ least: 3, most: 2 }])).to.throw(ArgumentError, 'got 3..2; the ends are reversed, write 2..3');
    expect(() => of([{ least: -Infinity, most: 2 }])).to.throw(ArgumentError, 'the lower end of the bounds of age');
    expect(() => of([{ least: 0, most: NaN }])).to.throw(ArgumentError, 'the upper end of the bounds of age');
    expect(() => of([{ least: -1.7e308, most: 1.7e308 }])).to.throw(ArgumentError, 'span a finite range');
    expect(() => of([{ least: 0, most: 5e-324 }])).to.throw(ArgumentError, 'that can be halved');
    expect(() => of([{ least: 0, most: 1 }], { least: 1, most: 0 })).to.throw(
      ArgumentError,
      'the bounds of the target',
    );
    for (const norm of [0, -1, NaN, Infinity]) {
      expect(() =>
        scalingOf({
          features: 2,
          bounds: { norm },
          target: { least: 0, most: 1 },
          intercept: true,
          scalesTarget: true,
        }),
      ).to.throw(ArgumentError, 'norm must');
    }
  });
});
