import { expect } from 'chai';
import { type FitRowsOptions, fitRows } from '../../src/fit/fitRows.ts';
import { explainEstimate } from '../../src/inference/diagnostics/explainEstimate.ts';
import { normal } from '../../src/math/random/normal.ts';
import type { Random } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

/** Each value as much like the one before as `rho` says, of variance 1. */
function chain(rows: number, rho: number, random: Random): Float64Array {
  let value = normal(random);
  return Float64Array.from({ length: rows }, () => {
    value = rho * value + Math.sqrt(1 - rho * rho) * normal(random);
    return value;
  });
}

/** Slopes of 1 along a trend, a chain of its own and a feature that neighbours do not share, and an intercept of 1. */
function sampled(rows: number, rho: number, seed: number) {
  const random = seeded(seed, `neighbours ${rho}`);
  const trend = Float64Array.from({ length: rows }, (_, i) => (3.5 * i) / rows);
  const columns = [trend, chain(rows, 0.9, random), chain(rows, 0, random)];
  const noise = chain(rows, rho, random);
  const target = noise.map((value, i) => columns.reduce((sum, column) => sum + column[i]!, 1 + value));
  return samplesOf(sampleBatch(columns, target));
}

const notesOf = async (rows: number, rho: number, options: FitRowsOptions = {}): Promise<string> => {
  const found = await fitRows(sampled(rows, rho, 0), options);
  const order = options.order ?? 'shuffle';
  return explainEstimate(found, { names: ['trend', 'b', 'c'], order }).notes.join('\n');
};

describe('intervals of rows whose neighbours go together', () => {
  for (const rho of [0.5, 0.9]) {
    it(`hold about as often as they should: residuals with a correlation of ${rho}`, async () => {
      const held = new Float64Array(4);
      const SAMPLES = 40;
      for (let seed = 0; seed < SAMPLES; seed++) {
        const { uncertainty, neighbours } = await fitRows(sampled(1000, rho, seed));
        expect(neighbours, String(seed)).to.not.equal(null);
        uncertainty!.lower.forEach((low, j) => {
          if (low <= 1 && 1 <= uncertainty!.upper[j]!) held[j]!++;
        });
      }
      // Blocks of shuffled rows let them hold 0.3 to 0.5 of the time at 0.9, 0.8 at 0.5. Of 200 samples these hold 0.93
      // or more.
      for (const count of held) expect(count / SAMPLES).to.be.at.least(0.8);
    });
  }

  it('are those of the blocks alone where rows are independent', async () => {
    const samples = sampled(3000, 0, 0);
    const { neighbours, uncertainty, blockVariances, fit, blend } = await fitRows(samples, { mode: 'fresh' });
    expect(neighbours).to.equal(null);
    expect(new Set(uncertainty!.degrees)).to.deep.equal(new Set([blockVariances!.degrees]));
    blockVariances!.variances.forEach((variance, j) => {
      const between = blend!.weight * (1 - blend!.weight) * (blend!.huber[j]! - blend!.bisquare[j]!) ** 2;
      expect(uncertainty!.errors[j]).to.equal(Math.sqrt(variance / (fit.rowsBehind! - 4) + between));
    });
  });

  it('are those of single rows where these are independent and all in memory', async () => {
    const { neighbours, uncertainty } = await fitRows(sampled(1000, 0, 0));
    expect(neighbours).to.equal(null);
    // Normal noise of variance 1 beside three features: (A^-1)_jj / 1000, and by halves up to a half more.
    expect(uncertainty!.from).to.equal('rows');
    expect(uncertainty!.errors[2]! * Math.sqrt(1000)).to.be.within(0.85, 1.5);
  });

  it('come with a note that says by how much', async () => {
    const note =
      /rows near each other in the file have similar errors \(correlation 0\.8\d*\), so intervals were widened, most for "(trend|\(intercept\))" \([2-6](\.\d+)? times\); if the order means nothing, shuffle the file and refit/;
    expect(await notesOf(2000, 0.9)).to.match(note);
    const asIs = await notesOf(2000, 0.9, { order: 'as-is' });
    expect(asIs).to.match(note);
    expect(asIs).to.not.include("`order: 'shuffle'`");
    expect(await notesOf(2000, 0)).to.equal('');
    expect(await notesOf(2000, 0, { order: 'as-is' })).to.equal('');
  });

  it('come with a note that has no correlation where next neighbours hardly have one', async () => {
    const found = await fitRows(sampled(2000, 0.9, 1));
    const told = (correlation: number): string => {
      const neighbours = { ...found.neighbours!, correlation };
      return explainEstimate({ ...found, neighbours }, { names: ['a', 'b', 'c'], order: 'shuffle' }).notes.join();
    };
    expect(told(-0.00571)).to.include('have similar errors, so');
    expect(told(-0.00571)).not.to.include('correlation');
    expect(told(0.3)).to.include('have similar errors (correlation 0.3), so');
    expect(told(0.3).split(' ')).to.have.length.below(40);
  });

  it('know of them by a pilot of a few rows too, and of every loss', async () => {
    const samples = sampled(60_000, 0.9, 1);
    for (const options of [{ mode: 'fresh' }, { mode: 'fresh', loss: lossByName('squared') }] as const) {
      const { neighbours, uncertainty, pilotRows } = await fitRows(samples, options);
      expect(pilotRows).to.equal(3000);
      expect(neighbours!.correlation).to.be.above(0.6);
      expect(uncertainty!.errors[0]).to.be.above(2 * Math.sqrt(neighbours!.independent[0]! / samples.rows));
    }
  });

  it('know of them in every mode, by every loss and in either order', async () => {
    const samples = sampled(20_000, 0.9, 2);
    for (const mode of ['auto', 'full', 'fresh'] as const)
      for (const loss of ['auto', lossByName('squared'), lossByName('pseudo-huber', { parameter: 1 })] as const)
        for (const order of ['shuffle', 'as-is'] as const) {
          const { neighbours, uncertainty } = await fitRows(samples, { mode, loss, order });
          const about = `${mode} ${loss === 'auto' ? loss : loss.name} ${order}`;
          expect(neighbours, about).to.not.equal(null);
          expect(uncertainty!.from, about).to.equal('neighbours');
        }
  });
});
