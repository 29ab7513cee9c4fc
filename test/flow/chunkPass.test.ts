import { expect } from 'chai';
import { concat, from, lastValueFrom, map, type Observable } from 'rxjs';
import { mean } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { descend } from '../../src/flow/descend.ts';
import { integerSums } from '../../src/flow/integerSums.ts';
import { passes } from '../../src/flow/passes.ts';
import { perturb } from '../../src/flow/perturb.ts';
import { split } from '../../src/flow/split.ts';
import { type Fit, summarize } from '../../src/flow/summarize.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import type { Chunk } from '../../src/sample/chunk.ts';
import { rowsBetween, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { perUnit } from '../../src/sample/transform/perUnit.ts';
import { collect } from '../support/descentFixtures.ts';

const rows = 50;
const batch = sampleBatch(
  [Float64Array.from({ length: rows }, (_, i) => Math.sin(i))],
  Float64Array.from({ length: rows }, (_, i) => Math.cos(i)),
);
const all = samplesOf(batch);
const first = samplesOf(rowsBetween(batch, 0, 10));
const budget = { epsilon: 1, delta: 1e-6, lipschitz: 1 };
const open = (mode: Plan['mode'] = 'fresh'): Plan =>
  planFit({
    rows,
    features: 1,
    loss: pseudoHuber(0.5),
    rule: projectedGradient({ stepSize: 0.1 }),
    steps: 5,
    mode,
    aggregate: 'mean',
  });

/** A fit, and how often noise was charged before it ended, or was refused. */
async function run(chunks: Observable<Chunk>, mode: Plan['mode'], isPrivate: boolean, unitRows?: number) {
  const plain = open(mode);
  if (!isPrivate) return { fit: await fitOf(chunks.pipe(descend(plain, blockSums(plain), mean()), summarize(plain))) };
  const noise = integerNoise({ ...budget, features: 1, touches: mode === 'full' ? 5 : 1 });
  const steps = plain.steps.map(step => ({ ...step, release: integerRelease(noise, step) }));
  const plan: Plan = {
    ...plain,
    steps,
    privacy: { ...budget, calibration: 'parallel', ...(unitRows !== undefined && { unitRows }) },
  };
  const mechanism = discreteGaussianMechanism(noise, seeded(1, 'noise'));
  let charges = 0;
  const counted = {
    ...mechanism,
    event: (release: Parameters<typeof mechanism.event>[0]) => {
      charges++;
      return mechanism.event(release);
    },
  };
  const fit = await fitOf(
    chunks.pipe(descend(plan, integerSums(plan, noise), perturb(counted, plan), mean()), summarize(plan)),
  );
  return { fit, charges };
}

const fitOf = (flow: Observable<Fit>): Promise<Fit | string> =>
  lastValueFrom(flow).catch((error: Error) => error.message);

const fresh = (): Observable<Chunk> => split(all, { chunks: [10, 10, 10, 10, 10] });
const sameAgain = (): Observable<Chunk> => {
  const once = split(all, { chunks: [10] });
  return concat(once, once, once, once, once);
};
/** As if they were chunks of one split. */
const renumbered = map((chunk: Chunk, index: number): Chunk => ({ ...chunk, index }));

for (const isPrivate of [true, false]) {
  describe(`a chunk of a plan that is ${isPrivate ? 'private' : 'not private'}`, () => {
    it('is taken from one split in mode fresh, and from passes in mode full', async () => {
      for (const [chunks, mode] of [
        [fresh(), 'fresh'],
        [passes(all, 5), 'full'],
      ] as const) {
        const { fit, charges } = await run(chunks, mode, isPrivate);
        expect(fit).to.have.property('rows').that.deep.equals({ used: 50, leftOver: 0 });
        expect(charges).to.equal(isPrivate ? 5 : undefined);
      }
    });

    it('is refused before it is charged where passes give the same rows to every fresh step', async () => {
      const longer = await run(passes(all, 5), 'fresh', isPrivate);
      expect(longer.fit).to.include('chunk 0 must have the 10 rows that its step was planned for, got 50');
      const alike = await run(passes(first, 5), 'fresh', isPrivate);
      expect(alike.fit).to.include('chunk 0 may have rows of another step');
      expect([longer.charges, alike.charges]).to.deep.equal(isPrivate ? [0, 0] : [undefined, undefined]);
    });

    it('is refused where the same split comes again', async () => {
      const { fit, charges } = await run(sameAgain(), 'fresh', isPrivate);
      expect(fit).to.include('chunk 0 came for step 1; give every chunk of one split once, in order');
      expect(charges).to.equal(isPrivate ? 1 : undefined);
    });

    it('is refused where it comes from another pass', async () => {
      const [own, other] = [await collect(fresh()), await collect(fresh())];
      const { fit, charges } = await run(from([own[0]!, other[1]!, own[2]!]), 'fresh', isPrivate);
      expect(fit).to.include('chunk 1 may have rows of another step');
      expect(charges).to.equal(isPrivate ? 1 : undefined);
    });

    it('is refused where its size is another one', async () => {
      const { fit, charges } = await run(split(all, { chunks: [10, 9, 11, 10, 10] }), 'fresh', isPrivate);
      expect(fit).to.include('chunk 1 must have the 10 rows that its step was planned for, got 9');
      expect(charges).to.equal(isPrivate ? 1 : undefined);
      const few = await run(passes(first, 5), 'full', isPrivate);
      expect(few.fit).to.include('chunk 0 must have the 50 rows that its step was planned for, got 10');
    });

    it('is refused where another one should come first', async () => {
      const [one, two] = await collect(fresh());
      const { fit } = await run(from([two!, one!]), 'fresh', isPrivate);
      expect(fit).to.include('chunk 1 came for step 0');
    });

    it('cannot be given another place, or other rows', async () => {
      const [one] = await collect(fresh());
      expect(() => Object.assign(one!, { index: 1 })).to.throw(TypeError);
      const [pass] = await collect(passes(all, 1));
      expect(() => Object.assign(pass!, { batches: first.batches() })).to.throw(TypeError);
    });
  });
}

describe('a chunk that somebody made', () => {
  it('is for them to answer for, but no part of a private run', async () => {
    for (const [chunks, mode] of [
      [fresh(), 'fresh'],
      [passes(all, 5), 'full'],
    ] as const) {
      const made = chunks.pipe(renumbered);
      expect((await run(made, mode, false)).fit).to.have.property('ledger');
      const { fit, charges } = await run(made, mode, true);
      expect(fit).to.include('chunk 0 comes from neither split nor passes');
      expect(charges).to.equal(0);
    }
    expect((await run(sameAgain().pipe(renumbered), 'fresh', true)).fit).to.include('neither split nor passes');
  });
});

describe('a chunk of a plan that protects units', () => {
  const numbered = samplesOf({
    ...batch,
    columns: [...batch.columns, Float64Array.from(batch.target, (_, i) => i)],
  });

  it('is taken of rows that perUnit made, and refused otherwise before it is charged', async () => {
    for (const mode of ['fresh', 'full'] as const) {
      const chunksOf = (samples: Samples): Observable<Chunk> =>
        mode === 'full' ? passes(samples, 5) : split(samples, { chunks: [10, 10, 10, 10, 10] });
      const limited = await run(chunksOf(perUnit(numbered, 2)), mode, true, 2);
      expect(limited.charges, String(limited.fit)).to.equal(5);
      const bare = await run(chunksOf(all), mode, true, 2);
      expect(bare.fit).to.include('the plan protects units of at most 2 rows, but its rows may have more of one');
      const more = await run(chunksOf(perUnit(numbered, 3)), mode, true, 2);
      expect(more.fit).to.include('have up to 3 of one; limit them by perUnit(samples, 2)');
      expect([bare.charges, more.charges]).to.deep.equal([0, 0]);
    }
  });
});
