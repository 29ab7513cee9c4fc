import { expect } from 'chai';
import type { Exhibit } from '../../../src/lab/paper/exhibit.ts';
import { figureReport } from '../../../src/lab/paper/figureReport.ts';

/** A exceeds B at x = 1 and lies below it at x = 100. */
const points = [
  { series: 'A', x: 1, value: 2 },
  { series: 'B', x: 1, value: 1 },
  { series: 'A', x: 100, value: 1 },
  { series: 'B', x: 100, value: 2 },
];

const exhibit = (range?: { from: number; to: number; because: string }): Exhibit => ({
  name: 'planted',
  title: 'Planted',
  x: 'n',
  y: 'error',
  readings: [
    { name: 'primary', about: 'as the claim says' },
    { name: 'far', about: 'at other n', ...(range && { range }) },
  ],
  claim: {
    text: 'A is better than B',
    comparisons: [{ lower: 'A', upper: 'B' }],
    range: { from: 1, to: 1, because: 'planted' },
  },
  work: 1,
  run: async () => [],
});

const verdicts = async (figure: Exhibit): Promise<Record<string, string>> => {
  const seed = ['primary', 'far'].flatMap(reading => points.map(point => ({ reading, ...point })));
  const { judgements } = await figureReport(figure, [seed, seed]);
  return Object.fromEntries(judgements.map(({ reading, verdict }) => [reading, verdict]));
};

describe('figureReport', () => {
  it('judges a reading in the range of the claim, or in its own', async () => {
    expect(await verdicts(exhibit())).to.deep.equal({ primary: 'does not hold', far: 'does not hold' });
    const own = { from: 50, to: 200, because: 'it cannot be run at 1' };
    expect(await verdicts(exhibit(own))).to.deep.equal({ primary: 'does not hold', far: 'holds' });
  });
});
