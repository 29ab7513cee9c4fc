import { expect } from 'chai';
import { exhibitByName } from '../../../src/lab/paper/exhibits.ts';
import { gallery, outcomesText } from '../../../src/lab/paper/gallery.ts';

describe('outcomesText', () => {
  const wins = (...shares: number[]) => shares.map((share, k) => ({ x: 1000 * (k + 1), share }));

  it('names the x of the wins as spans', () => {
    const outcome = { lower: 'A', upper: 'B', wins: wins(0.75, 1, 0.7, 0.9, 0, 1) };
    expect(outcomesText([outcome])).to.equal('A: 1,000 to 2,000, 4,000, 6,000');
    expect(outcomesText([{ ...outcome, wins: wins(0, 0.5) }])).to.equal('A: nowhere');
  });

  it('says against what, where a series is compared with several', () => {
    const [one, two] = ['B', 'C'].map(upper => ({ lower: 'A', upper, wins: wins(1) }));
    expect(outcomesText([one!, two!])).to.equal('A < B: 1,000; A < C: 1,000');
  });
});

describe('gallery', () => {
  it('shows the verdict, the pictures and every reading of a figure', () => {
    const outcome = { lower: 'ACCFW', upper: 'FW', wins: [{ x: 20_000, share: 1 }] };
    const cell = { reading: 'primary', x: 20_000, q25: 0, q75: 0, seeds: 2 };
    const page = gallery(
      [
        {
          figure: exhibitByName('plot7'),
          seeds: 2,
          cells: [
            { ...cell, series: 'ACCFW', median: -2.571 },
            { ...cell, series: 'FW', median: -2.312 },
          ],
          judgements: [{ reading: 'primary', verdict: 'holds', outcomes: [outcome] }],
          also: [
            {
              reading: 'primary',
              verdict: 'does not hold',
              outcomes: [{ ...outcome, wins: [{ x: 20_000, share: 0 }] }],
              claim: { ...exhibitByName('plot7').claim, text: 'it also flies' },
            },
          ],
          rates: [
            {
              series: 'FW',
              theorem: 'HT_NonAccFW',
              exponent: -1 / 6,
              slope: -0.2,
              low: -0.25,
              high: -0.1,
              from: 5000,
              to: 20_000,
            },
          ],
          charts: { primary: '', readings: '' },
        },
      ],
      'pictures',
      'sluice reproduce plot7 --seeds 2',
    );
    expect(page).to.include('Made by `sluice reproduce plot7 --seeds 2`.');
    expect(page).to.include('| HT_NonAccFW | plot7 | FW | -0.17 | -0.20 | -0.25 to -0.10 | n from 5,000 to 20,000 |');
    expect(page).to.include('**Holds** (2 seeds; n from 10,000 to 20,000');
    expect(page).to.include('The caption also claims: it also flies. **Does not hold** (primary reading;');
    expect(page).to.include('![plot7](pictures/plot7.svg)');
    expect(page).to.include('| ACCFW: 20,000 | ACCFW -2.57, FW -2.31 |');
    expect(page).to.include('| split | T disjoint chunks, with as many blocks as they allow | nothing to compare |');
  });
});
