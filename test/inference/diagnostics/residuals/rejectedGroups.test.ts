import { expect } from 'chai';
import { rejectedGroups } from '../../../../src/inference/diagnostics/residuals/rejectedGroups.ts';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const { loss } = lossByName('tukey', { parameter: 4.685 });
const levels = { loss, of: 'levels' } as const;
const numbers = { loss, of: 'numbers' } as const;

const column = (rows: number, draw: () => number): Float64Array => Float64Array.from({ length: rows }, draw);

describe('rejectedGroups', () => {
  it('says nothing of groups like the others, whatever the noise and the share of outliers', () => {
    // Five standard errors; none of 60,000 such groups was found. The samples are seeded.
    const laws: Readonly<Record<string, (random: Random) => number>> = {
      normal,
      't(1)': random => studentT(random, 1),
      outliers: random => normal(random) + (uniform(random) < 0.3 ? 20 : 0),
      skewed: random => Math.exp(normal(random)),
    };
    for (const [name, law] of Object.entries(laws)) {
      const random = seeded(name, 'alike');
      for (let sample = 0; sample < 300; sample++) {
        const share = 0.01 + 0.49 * uniform(random);
        const group = column(1000, () => (uniform(random) < share ? 1 : 0));
        const batch = { rows: 1000, columns: [group], target: group };
        const residuals = column(1000, () => law(random));
        expect(rejectedGroups(batch, residuals, levels), `${name} ${share}`).to.deep.equal([]);
      }
    }
  });

  it('names the column of a group that is mostly far off, and how far it is left out', () => {
    const random = seeded(1, 'noisy');
    const noisy = column(1000, () => (uniform(random) < 0.03 ? 1 : 0));
    const other = column(1000, () => (uniform(random) < 0.3 ? 1 : 0));
    const numbers = column(1000, () => normal(random));
    const residuals = noisy.map(value => (value === 1 ? 10 : 1) * normal(random));
    const batch = { rows: 1000, columns: [numbers, noisy, other], target: residuals };
    const [found, ...more] = rejectedGroups(batch, residuals, levels);
    expect(more).to.deep.equal([]);
    expect(found!.column).to.equal(1);
    expect(found!.rows).to.equal(noisy.reduce((sum, value) => sum + value, 0));
    expect(found!.share).to.be.within(0.6, 0.95);
  });

  it('leaves rows that do not count out of the group', () => {
    const random = seeded(2, 'weights');
    const group = column(1000, () => (uniform(random) < 0.03 ? 1 : 0));
    const residuals = group.map(value => (value === 1 ? 10 : 1) * normal(random));
    const weights = group.map(value => 1 - value);
    expect(rejectedGroups({ rows: 1000, columns: [group], target: group, weights }, residuals, levels)).to.deep.equal(
      [],
    );
  });

  it('names a column whose far rows are mostly left out, for noise grows with it or they do not belong', () => {
    // Noise in proportion to a log-normal feature: 56 of 61 fits of 200 rows show it; of 1,500 fits with noise alike,
    // none did. The samples are seeded.
    for (let seed = 0; seed < 20; seed++) {
      const random = seeded(seed, 'far out');
      const skewed = column(1000, () => Math.exp(normal(random)) - 1);
      const even = column(1000, () => normal(random));
      const batch = { rows: 1000, columns: [even, skewed], target: skewed };
      const growing = skewed.map(x => (1 + x) * normal(random));
      const [found, ...more] = rejectedGroups(batch, growing, numbers);
      expect(more).to.deep.equal([]);
      expect(found).to.include({ column: 1, beyond: 2, rows: skewed.filter(x => Math.abs(x) > 2).length });
      expect(found!.share).to.be.within(0.4, 0.9);
      expect(rejectedGroups(batch, growing, levels)).to.deep.equal([]);
      expect(
        rejectedGroups(
          batch,
          column(1000, () => normal(random)),
          numbers,
        ),
      ).to.deep.equal([]);
    }
  });
});

describe('a pilot with a group that a redescending loss would leave out', () => {
  const sampled = (seed: number, of: (random: Random, x: number) => number) => {
    const random = seeded(seed, 'group');
    const group = column(1000, () => (uniform(random) < 0.04 ? 1 : 0));
    const x = column(1000, () => normal(random));
    const y = x.map((value, i) => (group[i] === 1 ? of(random, value) : 1 + value + normal(random)));
    return sampleBatch([group, x], y);
  };

  it('counts it, by a loss that leaves no row out, where that changes nothing of the others', () => {
    const studies = Array.from({ length: 20 }, (_, seed) => {
      const noisy = sampled(seed, (random, x) => 2 + x + 20 * normal(random));
      return studyPilot(noisy, { loss: 'auto', intercept: true });
    });
    const counting = studies.filter(({ estimate: { loss } }) => loss.name === 'pseudo-huber');
    // 94 of 100 do; in the others the group's noise happens to move the other rows' fit. The samples are seeded.
    expect(counting.length).to.be.at.least(17);
    for (const { residuals } of counting) expect(residuals.rejectedGroups).to.deep.equal([]);
  });

  it('says so where the loss was asked for', () => {
    const noisy = sampled(0, (random, x) => 2 + x + 20 * normal(random));
    const loss = lossByName('tukey', { parameter: 4.685 });
    const {
      residuals: { rejectedGroups },
    } = studyPilot(noisy, { loss, intercept: true });
    expect(rejectedGroups.map(({ column }) => column)).to.deep.equal([0]);
  });
});
