import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { type ColumnStream, columnDraws } from '../../../src/lab/synthetic/columnDraws.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { columnArena } from '../../../src/sample/arena.ts';
import {
  chiSquare,
  chiSquareThreshold,
  draws,
  ksDistance,
  ksThreshold,
  mean,
  meanThreshold,
  normalCdf,
  studentCdf,
  truncatedNormalCdf,
} from '../../support/statistics.ts';

const COUNT = 1e6;
const R = 3.654152885361009;

/** A stream, and columns to draw into. */
function made(label: string, capacity = COUNT) {
  const arena = columnArena({ features: 2, capacity, slots: 1 });
  const { begin, addScaled } = columnDraws(arena);
  const [first, second] = arena.slots[0]!.columns as [Float64Array, Float64Array];
  return { begin: (seed = 1) => begin(seeded(seed, label)), addScaled, first, second };
}

describe('columnDraws', () => {
  it('draws the uniform law between its ends', () => {
    const { begin, first } = made('uniform');
    begin().uniform(first, -3, 5);
    expect(first.every(x => x > -3 && x < 5)).to.equal(true);
    expect(ksDistance(first, x => (x + 3) / 8)).to.be.below(ksThreshold(COUNT));
  });

  it('draws the normal law, and its tail beyond the ziggurat', () => {
    const { begin, first } = made('normal');
    begin().normal(first, 2);
    expect(ksDistance(first, x => normalCdf(x / 2))).to.be.below(ksThreshold(COUNT));
    const stream = begin(2);
    const tails: number[] = [];
    // 2.6 draws in 10,000 are that large: some 5,000 of them.
    for (let round = 0; round < 20; round++) {
      stream.normal(first, 1);
      tails.push(...first.filter(x => Math.abs(x) > R));
    }
    expect(tails.length).to.be.above(4000);
    expect(mean(tails.map(Math.sign))).to.be.closeTo(0, meanThreshold(tails.length, 2));
    const sizes = Float64Array.from(tails, Math.abs);
    expect(ksDistance(sizes, truncatedNormalCdf(R, Infinity))).to.be.below(ksThreshold(sizes.length));
  });

  it('has no more draws in one part of the law than in another, by the thousand', () => {
    const { begin, first } = made('normal cells');
    begin().normal(first, 1);
    const counts = new Float64Array(1000);
    for (const x of first) counts[Math.min(999, Math.floor(1000 * normalCdf(x)))]! += 1;
    expect(
      chiSquare(
        counts,
        counts.map(() => 1 / 1000),
      ),
    ).to.be.below(chiSquareThreshold(999));
  });

  it('adds Student’s t to what is there', () => {
    const { begin, first } = made('t');
    begin().addStudentT(first.fill(7), 3);
    expect(
      ksDistance(
        first.map(x => x - 7),
        studentCdf(3),
      ),
    ).to.be.below(ksThreshold(COUNT));
    expect(() => begin().addStudentT(first, 0)).to.throw(ArgumentError, 'degrees must be a whole number');
  });

  it('gives words as well, for whoever draws one number at a time', () => {
    const stream = made('words', 1).begin();
    expect(stream.isSecure).to.equal(false);
    const sample = draws(1e5, () => uniform(stream));
    expect(ksDistance(sample, x => x)).to.be.below(ksThreshold(1e5));
  });

  for (const [name, draw] of [
    ['uniform', (stream, out) => stream.uniform(out, 0, 1)],
    ['normal', (stream, out) => stream.normal(out, 1)],
    ['addStudentT', (stream, out) => stream.addStudentT(out.fill(0), 3)],
  ] as readonly (readonly [string, (stream: ColumnStream, out: Float64Array) => void])[]) {
    it(`${name} repeats itself for a seed, and begins a long column as a short one`, () => {
      const { begin, first, second } = made(name, 3000);
      draw(begin(), first);
      const short = second.subarray(0, 777);
      draw(begin(), short);
      expect(short).to.deep.equal(first.subarray(0, 777));
      draw(begin(2), second);
      expect(second[0]).not.to.equal(first[0]);
      const distinct = new Set(first);
      expect(distinct.size).to.equal(first.length);
    });
  }

  it('has unrelated columns for streams that begin one after the other', () => {
    const arena = columnArena({ features: 2, capacity: COUNT, slots: 1 });
    const { begin } = columnDraws(arena);
    const random = seeded(1, 'columns');
    const [first, second] = arena.slots[0]!.columns as [Float64Array, Float64Array];
    for (const column of [first, second]) begin(random).normal(column, 1);
    const sum = first.map((x, i) => (x + second[i]!) / Math.SQRT2);
    expect(ksDistance(sum, normalCdf)).to.be.below(ksThreshold(COUNT));
  });

  it('adds multiples of columns, whether their length is even or odd', () => {
    for (const length of [1, 2, 7]) {
      const { addScaled, first, second } = made('scaled', length);
      first.forEach((_, i) => {
        first[i] = i;
        second[i] = 10 * i + 1;
      });
      addScaled(first, second, 3);
      expect([...first]).to.deep.equal(Array.from({ length }, (_, i) => i + 3 * (10 * i + 1)));
    }
  });
});
