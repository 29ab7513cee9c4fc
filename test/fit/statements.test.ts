import { expect } from 'chai';
import { type EstimateOptions, estimate } from '../../src/fit/estimate.ts';
import { estimatePrivately } from '../../src/fit/private/estimatePrivately.ts';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { headline } from '../../src/sink/page/headline.ts';

const draw = (rows: number, law: (i: number) => number): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => law(i));
const textsOf = (notes: readonly { readonly text: string }[]): string => notes.map(({ text }) => text).join('\n');

/** Sentences that were false once. */
describe('what a fit says', () => {
  it('of several coefficients is by the degrees of freedom of each', async () => {
    // Three rows determine the cost, so that its interval has few degrees of freedom; the phase is clear all the same.
    const random = seeded('strikes', 'rows');
    const phase = draw(600, i => (i % 4 === 0 ? 1 : 0));
    const cost = draw(600, i => (i % 200 === 7 ? 1e6 : 10 * uniform(random)));
    const speed = draw(600, i => 140 + 90 * phase[i]! + 20 * normal(random));
    const { model, coefficients } = await estimate({ phase, cost, speed }, { target: 'speed' });
    const { radii } = model.uncertainty!;
    expect(radii.cost).to.be.above(1.5 * radii.phase!);
    expect(coefficients.phase!.lower).to.be.above(80);
    expect(headline(model)).to.equal('speed rises with phase');
  });

  it('has no interval of width zero where all targets are the same', async () => {
    const random = seeded('constant', 'rows');
    const x = draw(200, () => normal(random));
    for (const loss of [undefined, 'squared', 'pseudo-huber'] as const) {
      const { coefficients, notes } = await estimate(
        { x, y: draw(200, () => 7) },
        { target: 'y', ...(loss && { loss }) },
      );
      for (const { lower, upper, error } of Object.values(coefficients))
        expect([lower, upper, error]).to.deep.equal([null, null, null]);
      expect(textsOf(notes)).to.include('the noise is unknown').and.not.include('computed from the features');
    }
  });

  it('tells of rows that are repeated, however often, and of none that merely look alike', async () => {
    const random = seeded('repeats', 'rows');
    const [x, z] = [0, 1].map(() => draw(200, () => normal(random)));
    const y = draw(200, i => 1 + 2 * x![i]! - z![i]! + normal(random));
    const told = async (times: number): Promise<string> => {
      const repeat = (values: Float64Array) => draw(200 * times, i => values[(i * 7919) % 200]!);
      return textsOf((await estimate({ x: repeat(x!), z: repeat(z!), y: repeat(y) }, { target: 'y' })).notes);
    };
    expect(await told(50)).to.include('98 % of the pilot rows duplicate others in target and features');
    expect(await told(1)).not.to.include('duplicate');
    const answers = draw(5000, () => Math.floor(5 * uniform(random)));
    const rating = draw(5000, i => Math.max(0, Math.min(10, Math.round(answers[i]! + 2 * normal(random)))));
    expect(textsOf((await estimate({ answers, rating }, { target: 'rating' })).notes)).not.to.include('duplicate');
  });

  it('is never what another analysis would give', async () => {
    const laws: readonly ((random: Random, x: number) => number)[] = [
      random => normal(random),
      random => studentT(random, 2),
      (random, x) => Math.exp(0.8 * x + normal(random)),
      (random, x) => (uniform(random) < 0.1 ? 30 - 5 * x : normal(random)),
      (random, x) => (Math.abs(x) > 2 ? 20 : normal(random)),
    ];
    const options: readonly Omit<EstimateOptions, 'target'>[] = [{}, { loss: 'squared' }];
    for (let set = 0; set < 50; set++) {
      const random = seeded(set, 'statements');
      const rows = 60 + Math.floor(400 * uniform(random));
      const x = draw(rows, i => (set % 7 === 0 && i % 40 === 0 ? 30 : 1) * normal(random));
      const z = draw(rows, () => Math.round(3 * normal(random)));
      const y = draw(rows, i => x[i]! - z[i]! + laws[set % laws.length]!(random, x[i]!));
      for (const more of options) {
        const { notes } = await estimate({ x, z, y }, { target: 'y', ...more });
        expect(textsOf(notes), `set ${set}`).not.to.match(/would (be|change|give)|instead of/);
      }
    }
  });

  it('of bounds that hide a feature is not that they should be tighter where its values lie beyond them', async () => {
    const random = seeded('bounds', 'rows');
    const hours = draw(3000, () => 50 + 5 * uniform(random));
    const z = draw(3000, () => 50 + 50 * uniform(random));
    const y = draw(3000, i => hours[i]! / 10 + 0.1 * normal(random));
    const told = async (most: number): Promise<string> => {
      const bounds = { hours: [0, most], z: [0, 100], y: [0, 10] } as const;
      const settings = { target: 'y', bounds, epsilon: 1, delta: 1e-6, seed: 'bounds' } as const;
      return textsOf((await estimatePrivately({ hours, z, y }, settings)).notes);
    };
    expect(await told(10))
      .to.include('as where bounds are too tight: check those of hours (upper)')
      .and.not.include('tighter');
    expect(await told(110)).to.include('declare tighter public bounds if there are any');
  });
});
