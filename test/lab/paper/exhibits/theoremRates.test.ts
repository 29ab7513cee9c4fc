import { expect } from 'chai';
import { theoremRates } from '../../../../src/lab/paper/exhibits/theoremRates.ts';
import { theoremSettings } from '../../../../src/lab/paper/exhibits/theoremSettings.ts';
import { ratesOf } from '../../../../src/lab/paper/rates.ts';
import { distance, filled } from '../../../../src/math/vector.ts';
import { htRidgeSingular } from '../../../../src/plan/theorem/spectrum.ts';

const sizes = [8000, 16_000, 32_000, 64_000];
const prescribed = (theorem: string, rows: number) => theoremSettings[theorem]!.prescribed(rows);

describe('exhibit rates', () => {
  it('runs every theorem under its conditions, but for the n that ERM_GLM_UP asks for', () => {
    for (const theorem of Object.keys(theoremSettings)) {
      for (const rows of sizes) {
        const unmet = prescribed(theorem, rows).conditions.filter(({ met }) => !met);
        expect(
          unmet.map(({ statement }) => statement),
          `${theorem} ${rows}`,
        ).to.deep.equal(theorem === 'ERM_GLM_UP' ? ['n > ((sqrt(C1 log 2n) + 1)/C2)^4'] : []);
      }
    }
  });

  it('names the n that it would take', () => {
    const allMet = (theorem: string, rows: number): boolean =>
      prescribed(theorem, rows).conditions.every(({ met }) => met);
    expect(allMet('ERM_GLM_UP', 2.4e9)).to.equal(false);
    expect(allMet('ERM_GLM_UP', 2.45e9)).to.equal(true);
    expect(prescribed('ERM_GLM_UP', 2.45e9).steps).to.equal(157);
    expect(allMet('Iter_Rate_Inc_C', 7700)).to.equal(false);
    expect(allMet('Iter_Rate_Inc_C', 7800)).to.equal(true);
    expect(prescribed('Iter_Rate_Inc_C', 1e6).steps).to.equal(13_584);
    const plainPenalty = (rows: number): boolean =>
      htRidgeSingular({
        rows,
        failureProbability: 1 / 5,
        eigenvalues: filled(10, 0).fill(1, 0, 3),
        truth: filled(10, 1 / Math.sqrt(10)),
      }).conditions.every(({ met }) => met);
    expect(plainPenalty(430_000)).to.equal(false);
    expect(plainPenalty(440_000)).to.equal(true);
    const { truth } = theoremSettings['HT_Ridge_min=0']!.sample(1, 0);
    expect(distance(truth.subarray(3), filled(7, 0))).to.be.closeTo(0.84, 0.005);
    const { bound } = theoremSettings['HT_Ridge_min>0']!;
    const [low, high] = [8000, 64_000].map(rows => bound(rows, prescribed('HT_Ridge_min>0', rows))) as [number, number];
    expect(Math.log(high / low) / Math.log(8)).to.be.closeTo(-0.44, 0.005);
    expect(prescribed('ERM_GLM_UP_General', 8000).gradientFloor).to.be.closeTo(0.007, 5e-4);
    expect(prescribed('ERM_GLM_UP_General', 64_000).gradientFloor).to.be.closeTo(0.034, 5e-4);
  });

  it('has bounds that fall as the theorems’ powers do, up to logarithms', () => {
    for (const [theorem, { bound }] of Object.entries(theoremSettings)) {
      const [low, high] = [1e30, 1e60].map(rows => {
        // T of the ball that does not grow is of order log n, which is all that the bound takes from it.
        const given = { ...prescribed(theorem, 64_000), steps: Math.log(rows) };
        return bound(rows, given);
      }) as [number, number];
      const slope = Math.log(high / low) / Math.log(1e30);
      expect(slope, theorem).to.be.closeTo(prescribed(theorem, 64_000).claim.exponent, 0.03);
    }
  });

  it('claims in the table of rates what the theorems claim', () => {
    const points = sizes.flatMap(x =>
      Object.keys(theoremSettings).map(theorem => ({
        reading: 'primary',
        series: `${theorem} measured`,
        x,
        value: -Math.log(x),
      })),
    );
    const rates = ratesOf('rates', [points]);
    expect(rates.map(({ theorem }) => theorem)).to.deep.equal(Object.keys(theoremSettings));
    for (const { theorem, exponent, slope, from, to } of rates) {
      expect(exponent, theorem).to.equal(prescribed(theorem, 8000).claim.exponent);
      expect(slope).to.be.closeTo(-1, 1e-12);
      expect([from, to]).to.deep.equal([8000, 64_000]);
    }
  });

  it('finds that without noise the error of Iter_Rate_Inc_C is that of its ball', async () => {
    const points = await theoremRates().run(0, { reading: 'without noise' });
    const measured = points.filter(({ series }) => series === 'Iter_Rate_Inc_C measured');
    expect(measured.map(({ x }) => x)).to.deep.equal([8000, 16_000, 32_000]);
    for (const { x, value } of measured) {
      const gap = Math.SQRT2 - prescribed('Iter_Rate_Inc_C', x).radius!;
      expect(Math.exp(value)).to.be.closeTo(gap, 1e-3);
    }
  });
});
