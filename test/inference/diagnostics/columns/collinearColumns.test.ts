import { expect } from 'chai';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const rows = 2000;
const random = seeded('alike columns', 'rows');
const drawn = (): Float64Array => Float64Array.from({ length: rows }, () => normal(random));
const [a, b, c, noise] = [drawn(), drawn(), drawn(), drawn()];
const near = (column: Float64Array, share: number): Float64Array => column.map(value => value + share * normal(random));

const alikeIn = (columns: readonly Float64Array[], options = {}) =>
  studyPilot(
    sampleBatch(
      columns,
      a!.map((value, i) => value + noise![i]!),
    ),
    {
      loss: 'auto',
      intercept: true,
      ...options,
    },
  ).columns.collinear;

describe('collinearColumns', () => {
  it('names columns that make each other up all but a thousandth, group by group', () => {
    const [first, ...none] = alikeIn([a!, b!, near(a!, 0.01)]);
    expect(none).to.deep.equal([]);
    expect(first!.columns).to.deep.equal([0, 2]);
    expect(first!.inflation).to.be.within(9000, 11_000);
    const groups = alikeIn([a!, b!, near(a!, 0.01), near(b!, 0.001), c!]);
    expect(groups.map(({ columns }) => columns)).to.have.deep.members([
      [0, 2],
      [1, 3],
    ]);
    const sum = near(
      a!.map((value, i) => value + b![i]! + c![i]!),
      0.01,
    );
    expect(alikeIn([a!, b!, sum, c!])).to.have.length(1);
    expect(alikeIn([a!, b!, sum, c!])[0]!.columns).to.deep.equal([0, 1, 2, 3]);
  });

  it('does so in any units, and far from 0', () => {
    const pounds = near(a!, 0.005).map(value => 2.2e6 * value + 1e9);
    expect(alikeIn([a!, pounds, b!]).map(({ columns }) => columns)).to.deep.equal([[0, 1]]);
  });

  it('names none that are merely correlated, powers, levels, or left out already', () => {
    expect(alikeIn([a!, near(a!, 0.1), b!]), 'a correlation of 0.995').to.deep.equal([]);
    const x = Float64Array.from({ length: rows }, () => uniform(random));
    const powers = [1, 2, 3].map(power => x.map(value => value ** power));
    expect(alikeIn(powers), 'powers').to.deep.equal([]);
    const levels = [0, 1, 2].map(k => x.map((_, i) => (i > 0 && i % 3 === k ? 1 : 0)));
    expect(alikeIn([...levels, a!]), 'levels with one row for a reference').to.deep.equal([]);
    expect(alikeIn([a!, b!, a!]), 'a copy').to.deep.equal([]);
    expect(alikeIn([a!, b!, near(a!, 1e-7)]), 'nearly a copy').to.deep.equal([]);
  });

  it('names none that a penalty has made up for', () => {
    expect(alikeIn([a!, b!, near(a!, 0.01)], { penalty: 0.1 })).to.deep.equal([]);
  });
});
