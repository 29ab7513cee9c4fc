import { expect } from 'chai';
import type { Point } from '../../../src/lab/paper/figure.ts';
import { type Claim, judge } from '../../../src/lab/paper/verdict.ts';

const claim: Claim = {
  text: 'A is below B',
  comparisons: [{ lower: 'A', upper: 'B' }],
  range: { from: 5, to: 10, because: 'planted' },
};

/** Twenty seeds in which A is below B at x for the given share of them. */
const planted = (shares: Readonly<Record<number, number>>, [a, b] = ['A', 'B'], reading = 'primary'): Point[][] =>
  Array.from({ length: 20 }, (_, seed) =>
    Object.entries(shares).flatMap(([x, share]) => [
      { reading, series: a!, x: Number(x), value: seed / 20 < share ? 1 : 3 },
      { reading, series: b!, x: Number(x), value: 2 },
    ]),
  );

describe('judge', () => {
  it('says that a claim holds which wins everywhere in its range, whatever is outside', () => {
    const found = judge(claim, 'primary', planted({ 1: 0, 5: 0.75, 10: 1 }));
    expect(found).to.deep.equal({
      reading: 'primary',
      verdict: 'holds',
      outcomes: [
        {
          lower: 'A',
          upper: 'B',
          wins: [
            { x: 1, share: 0 },
            { x: 5, share: 0.75 },
            { x: 10, share: 1 },
          ],
        },
      ],
    });
  });

  it('says that a claim does not hold which wins nowhere in its range, whatever is outside', () => {
    expect(judge(claim, 'primary', planted({ 1: 1, 5: 0.7, 10: 0 }))!.verdict).to.equal('does not hold');
  });

  it('says that a claim holds in part which wins at some x, or in some comparisons', () => {
    expect(judge(claim, 'primary', planted({ 5: 1, 10: 0 }))!.verdict).to.equal('holds in part');
    const two = { ...claim, comparisons: [...claim.comparisons, { lower: 'C', upper: 'D' }] };
    const both = (share: number): Point[][] => {
      const [one, other] = [planted({ 10: 1 }), planted({ 10: share }, ['C', 'D'])];
      return one.map((points, seed) => [...points, ...other[seed]!]);
    };
    expect(judge(two, 'primary', both(0))!.verdict).to.equal('holds in part');
    expect(judge(two, 'primary', both(1))!.verdict).to.equal('holds');
  });

  it('gives no win for a tie, and none to a run that overflowed', () => {
    const points = (a: number, b: number): Point[][] => [
      [
        { reading: 'primary', series: 'A', x: 10, value: a },
        { reading: 'primary', series: 'B', x: 10, value: b },
      ],
    ];
    expect(judge(claim, 'primary', points(2, 2))!.verdict).to.equal('does not hold');
    expect(judge(claim, 'primary', points(NaN, 2))!.verdict).to.equal('does not hold');
    expect(judge(claim, 'primary', points(2, NaN))!.verdict).to.equal('holds');
  });

  it('compares after equally many gradients where one series has a head', () => {
    const seeds: Point[][] = [
      [5, 6, 7].flatMap(x => [
        { reading: 'primary', series: 'A', x, value: -x },
        { reading: 'primary', series: 'B', x, value: -x - 0.5 },
      ]),
    ];
    expect(judge(claim, 'primary', seeds)!.verdict).to.equal('does not hold');
    const ahead = { ...claim, comparisons: [{ lower: 'A', upper: 'B', head: 1 }] };
    const { verdict, outcomes } = judge(ahead, 'primary', seeds)!;
    expect(verdict).to.equal('holds');
    expect(outcomes[0]!.wins.map(({ x }) => x)).to.deep.equal([5, 6]);
  });

  it('looks at one reading, and has nothing to say of one without a comparison in the range', () => {
    const seeds = planted({ 10: 1 }).map((points, seed) => [
      ...points,
      ...planted({ 10: 0 }, ['A', 'B'], 'other')[seed]!,
    ]);
    expect(judge(claim, 'primary', seeds)!.verdict).to.equal('holds');
    expect(judge(claim, 'other', seeds)!.verdict).to.equal('does not hold');
    expect(judge(claim, 'absent', seeds)).to.equal(undefined);
    expect(judge(claim, 'primary', planted({ 4: 1 }))).to.equal(undefined);
  });

  it('refuses seeds that do not all have the same points', () => {
    const seeds = planted({ 10: 1 });
    expect(() => judge(claim, 'primary', [...seeds, []])).to.throw('every seed must have A and B at 10');
  });
});
