import { expect } from 'chai';
import fc from 'fast-check';
import { quantileSketch } from '../../../src/math/quantileSketch.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { orderWatch, type SortOrder } from '../../../src/source/inspect/sortOrder.ts';

function orderOf(values: readonly number[]): SortOrder {
  const watch = orderWatch();
  const sketches = [quantileSketch(), quantileSketch({ origin: values[0] ?? 0 })];
  for (const value of values) {
    watch.add(value);
    for (const sketch of sketches) sketch.add(value);
  }
  return watch.order(sketches.map(sketch => sketch.bins()));
}

const random = seeded(1, 'order');
const sample = (draw: () => number, rows = 5000): number[] => Array.from({ length: rows }, draw);
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

describe('orderWatch', () => {
  it('counts rises and falls, and compares neighbours with any two rows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 60 }),
        values => {
          const found = orderOf(values);
          const steps = values.slice(1).map((value, i) => value - values[i]!);
          expect(found.ascents).to.equal(steps.filter(step => step > 0).length / steps.length);
          expect(found.descents).to.equal(steps.filter(step => step < 0).length / steps.length);
          const between = values.flatMap((a, i) => values.slice(0, i).map(b => Math.abs(a - b)));
          const mean = (list: number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;
          const [neighbours, any] = [mean(steps.map(Math.abs)), mean(between)];
          const largest = Math.max(...values.map(value => Math.min(Math.abs(value), Math.abs(value - values[0]!))));
          // Bins hide at most 1/128 of the distance from their origin.
          if (any > largest / 16)
            expect(1 - found.likeness!).to.be.closeTo((neighbours / any) ** 2, 0.4 * (neighbours / any) ** 2);
        },
      ),
      { seed: 1 },
    );
  });

  it('finds no order in rows of a random order, be they light, heavy, coarse or few', () => {
    const draws = [
      () => normal(random),
      () => studentT(random, 0.7),
      () => (uniform(random) < 0.01 ? 1 : 0),
      () => Math.floor(3 * uniform(random)),
    ];
    for (const draw of draws) {
      for (const rows of [1, 2, 3, 10, 30, 5000]) {
        for (let repeat = 0; repeat < 20; repeat++) expect(orderOf(sample(draw, rows)).sorted).to.equal(null);
      }
    }
    expect(orderOf(sample(() => normal(random))).likeness).to.be.closeTo(0, 0.1);
  });

  it('finds the direction of sorted rows, far from 0 too, and with a few strays', () => {
    for (const offset of [0, 1e9]) {
      const sorted = ascending(sample(() => offset + normal(random)));
      expect(orderOf(sorted)).to.include({ ascents: 1, descents: 0, sorted: 'ascending' });
      expect(orderOf(sorted.toReversed())).to.include({ ascents: 0, descents: 1, sorted: 'descending' });
      const strays = sorted.map((value, i) => (i % 300 === 0 ? offset : value));
      expect(orderOf(strays).sorted).to.equal('ascending');
    }
  });

  it('finds sorted flags, of which a single change is seen', () => {
    expect(orderOf(ascending(sample(() => (uniform(random) < 0.3 ? 1 : 0)))).sorted).to.equal('ascending');
  });

  it('finds runs: neighbours that are alike in no direction', () => {
    let level = 0;
    const walk = sample(() => {
      level = 0.98 * level + normal(random);
      return level;
    });
    expect(orderOf(walk).sorted).to.equal('in runs');
    expect(orderOf(walk).likeness).to.be.closeTo(0.98, 0.02);
  });

  it('says nothing of a constant, of one row and of none', () => {
    expect(orderOf(sample(() => 4))).to.deep.equal({ ascents: 0, descents: 0, likeness: null, sorted: null });
    expect(orderOf([1])).to.deep.equal({ ascents: 0, descents: 0, likeness: null, sorted: null });
    expect(orderOf([])).to.deep.equal({ ascents: 0, descents: 0, likeness: null, sorted: null });
  });
});
