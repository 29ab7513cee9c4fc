import { expect } from 'chai';
import fc from 'fast-check';
import { rankingArea } from '../../src/model/evaluation.ts';
import { casesOf } from '../laws/holdsForAll.ts';

interface Row {
  readonly score: number;
  readonly positive: number;
  readonly negative: number;
}

/** The area by all pairs of a positive and a negative. */
function exactArea(rows: readonly Row[]): number {
  let ordered = 0;
  let pairs = 0;
  for (const a of rows) {
    for (const b of rows) {
      const weight = a.positive * b.negative;
      pairs += weight;
      ordered += weight * (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0);
    }
  }
  return ordered / pairs;
}

const areaOf = (rows: readonly Row[]): ReturnType<ReturnType<typeof rankingArea>['result']> => {
  const ranking = rankingArea();
  for (const { score, positive, negative } of rows) ranking.add(score, positive, negative);
  return ranking.result();
};

describe('rankingArea', () => {
  const label = (score: number, isPositive: boolean, weight: number): Row => ({
    score,
    positive: isPositive ? weight : 0,
    negative: isPositive ? 0 : weight,
  });
  const rowsOf = (score: fc.Arbitrary<number>): fc.Arbitrary<Row[]> =>
    fc
      .array(fc.tuple(score, fc.boolean(), fc.integer({ min: 1, max: 5 })), { minLength: 2, maxLength: 120 })
      .map(rows => rows.map(row => label(...row)));

  it('equals the count of all pairs within what it says, for any scores', () => {
    const anyScore = fc.oneof(
      fc.double({ noNaN: true, min: -40, max: 40 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -3, max: 3 }),
    );
    fc.assert(
      fc.property(rowsOf(anyScore), rows => {
        const found = areaOf(rows);
        const exact = exactArea(rows);
        if (found === null) expect(exact).to.be.NaN;
        else expect(Math.abs(found.area - exact)).to.be.at.most(found.within + 1e-12);
      }),
      { seed: 1, numRuns: casesOf(300) },
    );
  });

  it('is exact where scores are equal or well apart', () => {
    fc.assert(
      fc.property(rowsOf(fc.integer({ min: -30, max: 30 }).map(k => k / 3)), rows => {
        const found = areaOf(rows);
        if (found !== null) expect(found.area).to.be.closeTo(exactArea(rows), 1e-12);
      }),
      { seed: 2, numRuns: casesOf(300) },
    );
  });

  it('resolves rare events: 200 probabilities between 1 and 3 in 1,000', () => {
    const rows = Array.from({ length: 200 }, (_, i) => {
      const probability = 0.001 + (0.002 * ((i * 89) % 200)) / 200;
      return label(Math.log(probability / (1 - probability)), i % 3 === 0, 1);
    });
    const { area, within } = areaOf(rows)!;
    expect(area).to.be.closeTo(exactArea(rows), 1e-3);
    expect(within).to.be.below(1e-3);
  });

  it('counts infinite scores at the ends', () => {
    const rows = [label(Infinity, true, 1), label(0, false, 1), label(1, true, 1), label(-Infinity, false, 2)];
    expect(areaOf(rows)).to.deep.equal({ area: 1, within: 0 });
    expect(areaOf([label(Infinity, true, 1), label(Infinity, false, 1)])).to.deep.equal({
      area: 0.5,
      within: 0.5,
    });
    expect(areaOf([label(-Infinity, true, 1), label(0, false, 1)])!.area).to.equal(0);
  });

  it('lets a row that is partly both count for both', () => {
    const rows: Row[] = [
      { score: -1, positive: 0.25, negative: 0.75 },
      { score: 1, positive: 0.5, negative: 0.5 },
      { score: 2, positive: 1, negative: 0 },
    ];
    expect(areaOf(rows)!.area).to.be.closeTo(exactArea(rows), 1e-12);
  });

  it('is null without positives, without negatives and without rows', () => {
    expect(areaOf([])).to.equal(null);
    expect(areaOf([label(1, true, 2)])).to.equal(null);
    expect(areaOf([label(1, false, 2), label(3, false, 1)])).to.equal(null);
  });
});
