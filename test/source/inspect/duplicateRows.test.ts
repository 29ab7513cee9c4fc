import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { duplicateRows } from '../../../src/source/inspect/duplicateRows.ts';

const random = seeded('duplicateRows', 'rows');
const draw = (rows: number): Float64Array => Float64Array.from({ length: rows }, () => normal(random));

function found(columns: readonly Float64Array[], missing?: readonly Uint8Array[]) {
  const counter = duplicateRows(columns.length, 700);
  const rows = columns[0]!.length;
  for (let start = 0; start < rows; start += 700) {
    const count = Math.min(700, rows - start);
    columns.forEach((values, k) => {
      const gaps = missing?.[k]?.subarray(start, start + count) ?? new Uint8Array(count);
      counter.add(k, values.subarray(start, start + count), gaps, count);
    });
    counter.end(count);
  }
  return counter.found();
}

const twice = (values: Float64Array): Float64Array => Float64Array.from([...values, ...values]);

describe('duplicateRows', () => {
  it('finds rows that are there again, however far from each other', () => {
    const [a, b] = [draw(2000), draw(2000)];
    expect(found([twice(a), twice(b)])).to.deep.equal({ share: 0.5, sampled: null });
    const part = (values: Float64Array) => Float64Array.from([...values, ...values.subarray(0, 100)]);
    expect(found([part(a), part(b)])).to.deep.equal({ share: 100 / 2100, sampled: null });
  });

  it('finds them however often each is repeated, and in whatever order', () => {
    const [a, b] = [draw(200), draw(200)];
    for (const times of [3, 50, 1000]) {
      const order = Float64Array.from({ length: 200 * times }, () => normal(random));
      const places = Uint32Array.from(order, (_, i) => i).sort((i, k) => order[i]! - order[k]!);
      const repeated = (values: Float64Array) => Float64Array.from(places, i => values[i % 200]!);
      const share = (200 * times - 200) / (200 * times);
      expect(found([repeated(a), repeated(b)])).to.deep.equal({ share, sampled: null });
      // A column that tells apart is enough: the other one may be a level.
      expect(found([repeated(a), repeated(b.map(Math.sign))])!.share).to.be.at.least(share);
    }
  });

  it('not rows of rounded values that are often the same, though another column hardly varies', () => {
    for (let seed = 0; seed < 200; seed++) {
      const grid = seeded(seed, 'grids');
      const rows = Math.floor(50 * 200 ** uniform(grid));
      const [values, rare] = [10 ** (3 * uniform(grid)), uniform(grid) ** 3];
      const column = Float64Array.from({ length: rows }, () => Math.round(values * normal(grid)));
      const level = column.map(() => (uniform(grid) < rare ? 1 : 0));
      // Three features from the same few answers, of which one goes with the first.
      const answer = column.map(value => Math.round(value / 5 + 2 * normal(grid)));
      expect(found([column, level]), `seed ${seed}`).to.equal(null);
      expect(found([column, level, answer]), `seed ${seed}`).to.equal(null);
    }
  });

  it('not those that share a column, or have values in other columns', () => {
    const [a, b] = [draw(2000), draw(4000)];
    expect(found([twice(a), b])).to.equal(null);
    const swapped = draw(2000);
    expect(found([Float64Array.from([...a, ...swapped]), Float64Array.from([...swapped, ...a])])).to.equal(null);
  });

  it('nor a few, nor rows of a few levels, which are often the same', () => {
    const a = draw(2000);
    expect(found([0, 1].map(() => Float64Array.from([...a, ...a.subarray(0, 20)])))).to.equal(null);
    expect(found([twice(a).map(Math.round), twice(draw(2000)).map(Math.round)])).to.equal(null);
    const rounded = draw(4000).map(value => Math.round(100 * value) / 100);
    expect(found([rounded])).to.equal(null);
    expect(found([rounded, draw(4000).map(Math.round)])).to.equal(null);
    expect(found([twice(a), new Float64Array(4000)])).to.equal(null);
  });

  it('takes missing values for the same, and for different from numbers', () => {
    const a = draw(1000);
    const gaps = Uint8Array.from(twice(a), (_, i) => (i % 1000 < 500 ? 1 : 0));
    const zeros = twice(a).map((value, i) => (gaps[i] === 1 ? 0 : value));
    const whole = new Uint8Array(2000);
    expect(found([twice(a), zeros], [whole, gaps])).to.deep.equal({ share: 0.5, sampled: null });
    const once = gaps.map((gap, i) => (i < 1000 ? gap : 0));
    // The other half, whose gaps are the same, is there twice all the same.
    expect(found([twice(a), zeros], [whole, once])).to.deep.equal({ share: 0.25, sampled: null });
    const gap = (side: 0 | 1) => Uint8Array.from(gaps, (_, i) => (i < 1000 === (side === 0) ? 1 : 0));
    expect(found([twice(a), twice(a)], [whole, gap(0)])).to.equal(null);
  });

  it('says so where it compares a sample, in memory that does not grow with the rows', () => {
    const a = draw(200_000);
    const more = Float64Array.from([...a, ...a.subarray(0, 100_000)]);
    const result = found([more, more])!;
    expect(result.share).to.be.closeTo(1 / 3, 0.01);
    expect(result.sampled).to.be.within(2 ** 15, 2 ** 16);
  });
});
