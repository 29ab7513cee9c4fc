import { expect } from 'chai';
import fc from 'fast-check';
import { censoredTargets } from '../../../../src/inference/diagnostics/targets/censoredTargets.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';

const random = seeded(1, 'cut off');
const smooth = Float64Array.from({ length: 2000 }, () => normal(random));
const found = (target: Float64Array, weights?: Float64Array) =>
  censoredTargets({ rows: target.length, columns: [], target, ...(weights && { weights }) });

describe('censoredTargets', () => {
  it('finds bounds that targets were cut off at, on either side', () => {
    const above = found(smooth.map(value => Math.min(value, 1)));
    expect(above.map(({ at, value }) => [at, value])).to.deep.equal([['largest', 1]]);
    expect(above[0]!.share).to.be.closeTo(0.16, 0.03);
    const both = found(smooth.map(value => Math.max(-1.5, Math.min(value, 1.5))));
    expect(both.map(({ at, value }) => [at, value])).to.deep.equal([
      ['smallest', -1.5],
      ['largest', 1.5],
    ]);
  });

  it('says nothing of targets that are all different', () => {
    expect(found(smooth)).to.deep.equal([]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.double({ noNaN: true }), { minLength: 1 }), values => {
        expect(found(Float64Array.from(values))).to.deep.equal([]);
      }),
    );
  });

  it('says nothing of counts, of rounded targets, of two values or of one', () => {
    const counts = smooth.map(value => Math.floor(Math.exp(value)));
    const rounded = smooth.map(() => Math.round(10 * uniform(random)) / 10);
    const hundredths = smooth.map(() => Math.round(100 * uniform(random)) / 100);
    const classes = smooth.map(value => (value > 0 ? 1 : 0));
    for (const target of [counts, rounded, hundredths, classes, new Float64Array(500), new Float64Array()])
      expect(found(target)).to.deep.equal([]);
  });

  it('finds bounds of rounded targets that are far more frequent than what is next to them', () => {
    const percent = smooth.map(value => Math.max(0, Math.min(100, Math.round(60 + 40 * value))));
    expect(found(percent).map(({ at, value }) => [at, value])).to.deep.equal([
      ['smallest', 0],
      ['largest', 100],
    ]);
  });

  it('says nothing of rounded targets, counts, games and answers that end without a heap', () => {
    const poisson = (mean: number): number => {
      let [count, product] = [0, uniform(random)];
      for (const least = Math.exp(-mean); product > least; count++) product *= uniform(random);
      return count;
    };
    const draws: readonly (() => number)[] = [
      ...[0.2, 1, 2, 3, 5, 20].map(mean => () => poisson(mean)),
      // Counts whose mean differs from row to row.
      () => poisson(5 * Math.exp(normal(random))),
      () => Math.floor(-20 * Math.log(1 - uniform(random))),
      () => Math.floor(Math.exp(2 + 2 * normal(random))),
      () => 1 + Math.floor(6 * uniform(random)),
      () => Math.floor(100 * uniform(random)),
      () => 1 + Math.floor(5 * uniform(random) ** 2),
      () => Math.round(10 * normal(random)),
    ];
    for (const draw of draws) {
      for (const rows of [300, 2000]) {
        for (let k = 0; k < 20; k++)
          expect(found(Float64Array.from({ length: rows }, draw)), `${draw}`).to.deep.equal([]);
      }
    }
  });

  it('says nothing of a bound that one row in a hundred has, or nine rows', () => {
    const limit = smooth.slice().sort()[1980]!;
    expect(found(smooth.map(value => Math.min(value, limit)))).to.deep.equal([]);
    const few = smooth.slice(0, 100).sort();
    expect(found(few.map(value => Math.min(value, few[91]!)))).to.deep.equal([]);
    expect(found(few.map(value => Math.min(value, few[90]!)))).to.have.lengthOf(1);
  });

  it('does not look at rows that do not count', () => {
    const cut = smooth.map(value => Math.min(value, 1));
    expect(
      found(
        cut,
        cut.map(value => (value === 1 ? 0 : 1)),
      ),
    ).to.deep.equal([]);
  });
});
