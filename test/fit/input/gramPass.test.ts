import { expect } from 'chai';
import fc from 'fast-check';
import { map } from 'rxjs';
import { addAlone, type GramWork } from '../../../src/engine/kernel/cellGrams.ts';
import { type FitRowsOptions, fitRows, layoutFor } from '../../../src/fit/fitRows.ts';
import { fitSamples } from '../../../src/fit/fitSamples.ts';
import { gramPass, suitsGramPass } from '../../../src/fit/input/gramPass.ts';
import type { FittedRun } from '../../../src/inference/fittedRun.ts';
import { descendArrays } from '../../../src/lab/paper/descendArrays.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance, norm } from '../../../src/math/vector.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { cellsOf, cutCells, type Layout } from '../../../src/plan/layout.ts';
import { planFit } from '../../../src/plan/planFit.ts';
import { gather } from '../../../src/sample/gather.ts';
import type { BlockSums } from '../../../src/sample/gradientSums.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../../src/sample/samples.ts';
import { scatter } from '../../../src/sample/shuffle/scatter.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { collect, rebatched } from '../../support/descentFixtures.ts';

/** More than a pilot takes whole. */
const rows = 12_000;
const features = 3;
const loss = lossByName('squared');
const ordered = () => seeded('sluice', 'order');

/** y = x.(1, -2, 3) + 4 + noise, sorted by the first feature, which has an offset. */
function regression({ offset = 5, weighted = false, nulls = false } = {}): SampleBatch {
  const random = seeded('gramPass', 'rows');
  const columns = Array.from({ length: features }, () => Float64Array.from({ length: rows }, () => normal(random)));
  columns[0]!.sort();
  const target = Float64Array.from(
    { length: rows },
    (_, i) => columns[0]![i]! - 2 * columns[1]![i]! + 3 * columns[2]![i]! + 4 + normal(random),
  );
  const weights = Float64Array.from({ length: rows }, (_, i) => (weighted ? 0.5 + (i % 4) / 2 : 1));
  columns[0]!.forEach((value, i) => {
    columns[0]![i] = value + offset;
  });
  if (nulls) {
    for (let i = 0; i < rows; i += 11) for (const column of [...columns, target, weights]) column[i] = 0;
  }
  return { rows, columns, target, ...(weighted || nulls ? { weights } : {}) };
}

/** The same rows so many times. */
const repeated = (samples: Samples, times: number): Samples => ({
  ...samples,
  rows: times * samples.rows,
  async *batches() {
    for (let k = 0; k < times; k++) yield* samples.batches();
  },
});

/** All rows in the order of the shuffle. */
const shuffled = (samples: Samples, layout: Layout): Promise<SampleBatch> =>
  gather(scatter(samples, { cells: cellsOf(layout), random: ordered() }).batches(), samples.rows, samples.features);

/** What the steps must come to: the plan over the shuffled rows behind the pilot, in plain loops. */
async function reference(samples: Samples, { layout, plan }: FittedRun): Promise<Float64Array> {
  const all = await shuffled(samples, layout);
  return descendArrays(rowsBetween(all, layout.pilotRows, all.rows), plan).at(-1)!.theta;
}

/** Scattering to disk fails, so whoever succeeds has not scattered. */
const nowhere = { memoryBytes: 0, scratch: '/nowhere/at/all' };

describe('gramPass', () => {
  it('ends the work beside it, also where rows fail or the pilot is widened', async () => {
    let [begun, ended] = [0, 0];
    const grams: GramWork = {
      ...addAlone,
      begin(room) {
        begun++;
        return { ...addAlone.begin(room), end: () => ended++ };
      },
    };
    const batch = regression();
    const options = { loss, mode: 'full', grams } as const;
    await fitRows(samplesOf(batch), options);
    // A level of three rows, which a pilot tells too little of.
    const level = Float64Array.from({ length: rows }, (_, i) => (i % 2000 === 7 ? 1 : 0));
    const { widened } = await fitRows(samplesOf({ ...batch, columns: [...batch.columns, level] }), {
      loss,
      grams,
      memoryBytes: 2 ** 24,
    });
    const failing: Samples = {
      ...samplesOf(batch),
      async *batches() {
        yield rowsBetween(batch, 0, 2000);
        throw new Error('a bad row');
      },
    };
    const failed = await fitRows(failing, options).catch((error: Error) => error.message);
    expect(failed).to.equal('a bad row');
    expect(begun, String(widened?.rows)).to.be.at.least(2);
    expect(ended).to.be.at.least(begun);
  });

  const rules: readonly FitRowsOptions[] = [
    {},
    { method: 'nesterov' },
    { constraint: l2Ball(2) },
    { stepSize: 0.02 },
    { method: 'nesterov', stepSize: 0.02 },
    { method: 'frank-wolfe', constraint: l2Ball(2), intercept: false },
    { method: 'accelerated-frank-wolfe', constraint: l2Ball(2), intercept: false, stepSize: 0.1 },
    { penalty: 0.3 },
    { intercept: false },
    { schedule: 'uniform', steps: 4, blocks: 7 },
  ];
  for (const mode of ['fresh', 'full'] as const) {
    for (const aggregate of ['mean', 'median-of-means'] as const) {
      it(`equals the scattered run to 1e-8, by every rule: ${mode}, ${aggregate}`, async () => {
        for (const data of [{}, { weighted: true }, { nulls: true }]) {
          const samples = rebatched(regression(data), 999);
          for (const rule of rules) {
            const { blocks, ...own } = rule;
            const options = { loss, mode, aggregate, ...own, ...(aggregate === 'mean' ? {} : { blocks }) };
            const found = await fitRows(samples, { ...options, ...nowhere } as FitRowsOptions);
            const expected = await reference(samples, found);
            expect(distance(found.fit.theta, expected), JSON.stringify(options)).to.be.below(1e-8 * norm(expected));
          }
        }
      });
    }
  }

  it('counts rows and charges the ledger as the scattered run does', async () => {
    const samples = samplesOf(regression());
    for (const mode of ['fresh', 'full'] as const) {
      const settings = { loss, mode, method: 'auto', aggregate: 'median-of-means', intercept: true } as const;
      const found = await fitRows(samples, settings);
      const { layout } = found;
      const source = scatter(samples, { cells: cellsOf(layout), random: ordered() });
      const other = await fitSamples(source, {
        ...{ ...settings, failureProbability: 0.05, layout },
        keepsLayout: true,
      });
      expect(found.pilotRows).to.equal(other.pilotRows);
      expect(found.fit.rows).to.deep.equal(other.fit.rows);
      expect(found.fit.steps.map(step => step.rows)).to.deep.equal(other.fit.steps.map(step => step.rows));
      expect(found.fit.ledger.entries).to.deep.equal(other.fit.ledger.entries);
    }
  });

  it('keeps the digits of a column that stands far from 0', async () => {
    for (const mode of ['fresh', 'full'] as const) {
      const samples = samplesOf(regression({ offset: 1e6 }));
      const found = await fitRows(samples, { loss, mode, ...nowhere });
      const expected = await reference(samples, found);
      expect(distance(found.fit.theta, expected)).to.be.below(1e-8 * norm(expected));
      expect(found.fit.theta[0]).to.be.closeTo(1, 0.1);
    }
  });

  it('keeps the rows of the pilot, and adds to every block just the rows that scattering puts there', async () => {
    const cases = fc.record({
      mode: fc.constantFrom('fresh' as const, 'full' as const),
      steps: fc.integer({ min: 1, max: 4 }),
      blocks: fc.integer({ min: 1, max: 6 }),
      count: fc.integer({ min: 10_001, max: 10_700 }),
      pilot: fc.boolean(),
      weighted: fc.boolean(),
      size: fc.integer({ min: 20, max: 10_700 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ mode, steps, blocks, count, pilot, weighted, size }) => {
        // Targets of 40 random bits: sums of them are exact, and tell which rows they are made of.
        const random = seeded(count, 'marks');
        const target = Float64Array.from({ length: count }, () => random.word() * 256 + (random.word() >>> 24));
        const weights = target.map((_, i) => (weighted ? i % 3 : 1));
        const columns = [new Float64Array(count).fill(1)];
        const samples = rebatched({ rows: count, columns, target, ...(weighted ? { weights } : {}) }, size);
        const options = { loss, mode, steps, blocks, intercept: false, ...(pilot ? {} : { stepSize: 1 }) };
        const layout = layoutFor(samples, options);
        const start = await gramPass(samples, layout, ordered());
        const scattered = await shuffled(samples, layout);
        const { pilotRows } = layout;
        expect(pilotRows > 0).to.equal(pilot);
        if (pilot) expect(start.pilotBatch).to.deep.equal(rowsBetween(scattered, 0, pilotRows));
        else expect(start.pilotBatch).to.equal(null);

        let place = 0;
        const marks = cutCells(layout).flatMap(({ rows: taken, use }) => {
          place += taken;
          const own = rowsBetween(scattered, place - taken, place);
          const mark = own.target.reduce((sum, value, i) => sum + value * (own.weights?.[i] ?? 1), 0);
          return use === 'block' ? [mark] : [];
        });
        const { schedule, rows: left } = layout;
        const rule = projectedGradient({ stepSize: 1 });
        const plan = planFit({
          ...{ rows: left, features: 1, loss: squared(), rule, mode, steps, blocks },
          ...(schedule === null ? {} : { schedule }),
        });
        const questions = start.chunks.pipe(map((chunk, index) => ({ index, chunk, at: Float64Array.of(0) })));
        const answers = (await collect(questions.pipe(start.sums!(plan).run))) as BlockSums[];
        expect(answers).to.have.length(steps);
        const found = answers.map(({ sums }) => [...sums].map(sum => -sum));
        if (mode === 'fresh') expect(found.flat()).to.deep.equal(marks);
        else for (const sums of found) expect(sums).to.deep.equal(marks);
      }),
      { seed: 21, numRuns: casesOf(100) },
    );
  });

  it('lets no row of the pilot and none left over into a step', async () => {
    const batch = regression();
    const layout = layoutFor(samplesOf(batch), { loss, mode: 'fresh', steps: 3, blocks: 7 });
    const uses = cutCells(layout);
    expect(uses.map(({ use }) => use)).to.include.members(['pilot', 'block', 'none']);
    const labels = await shuffled(
      samplesOf({ ...batch, target: Float64Array.from({ length: rows }, (_, i) => i) }),
      layout,
    );
    let place = 0;
    for (const { rows: taken, use } of uses) {
      if (use !== 'block') for (let k = 0; k < taken; k++) batch.target[labels.target[place + k]!] = NaN;
      place += taken;
    }
    const { chunks, sums } = await gramPass(samplesOf(batch), layout, ordered());
    const rule = projectedGradient({ stepSize: 1 });
    const plan = planFit({
      ...{ rows: layout.rows, features, loss: squared(), rule, steps: 3 },
      ...{ blocks: layout.blocks, schedule: layout.schedule! },
    });
    const questions = chunks.pipe(map((chunk, index) => ({ index, chunk, at: new Float64Array(features) })));
    const answers = (await collect(questions.pipe(sums!(plan).run))) as BlockSums[];
    expect(answers.every(answer => answer.sums.every(Number.isFinite))).to.equal(true);
  });

  it('gives the same bits for any size of batch', async () => {
    const batch = regression({ weighted: true });
    const expected = [...(await fitRows(samplesOf(batch), { loss })).fit.theta];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 7, max: rows }), async size => {
        expect([...(await fitRows(rebatched(batch, size), { loss })).fit.theta]).to.deep.equal(expected);
      }),
      { seed: 22, numRuns: casesOf(12) },
    );
  });

  it('reads rows once', async () => {
    const samples = samplesOf(regression());
    let passes = 0;
    const counted = {
      ...samples,
      async *batches() {
        passes++;
        yield* samples.batches();
      },
    };
    await fitRows(counted, { loss, mode: 'full', ...nowhere });
    expect(passes).to.equal(1);
  });

  it('takes rows in their own order in full mode, pilot first, in one pass too', async () => {
    const samples = rebatched(regression({ weighted: true }), 700);
    let passes = 0;
    const counted = {
      ...samples,
      async *batches() {
        passes++;
        yield* samples.batches();
      },
    };
    const options = { loss, mode: 'full', order: 'as-is', blocks: 7 } as const;
    const found = await fitRows(counted, options);
    expect(passes).to.equal(1);
    const layout = layoutFor(samples, options);
    const plain = await fitSamples(samples, {
      ...{ layout, loss, intercept: true, method: 'auto' },
      ...{ aggregate: 'auto', failureProbability: 0.05, keepsLayout: true },
    });
    expect(found.plan.start).to.deep.equal(plain.plan.start);
    expect(distance(found.fit.theta, plain.fit.theta)).to.be.below(1e-8 * norm(plain.fit.theta));
  });

  it('leaves to scattering what it cannot do', async () => {
    const samples = samplesOf(regression());
    const refusal = (options: FitRowsOptions, source: Samples = samples): Promise<string> =>
      fitRows(source, { ...options, ...nowhere }).then(
        () => 'nothing',
        caught => caught.message,
      );
    expect(await refusal({ loss, mode: 'fresh' })).to.equal('nothing');
    expect(await refusal({ loss, aggregate: 'mean', mode: 'full', blocks: 3 })).to.equal('nothing');
    expect(await refusal({})).to.include('/nowhere');
    expect(await refusal({ loss: lossByName('pseudo-huber') })).to.include('/nowhere');
    expect(await refusal({ loss, aggregate: { huber: 0.1 } })).to.include('/nowhere');
    const [column] = regression().columns;
    const wide = samplesOf({ rows, columns: Array.from({ length: 33 }, () => column!), target: column! });
    expect(await refusal({ loss, mode: 'fresh' }, wide)).to.include('/nowhere');
  });

  it('leaves a rare column to the rows themselves, unless they can be read once only', async () => {
    const { columns, target } = regression();
    const rare = Float64Array.from({ length: rows }, (_, i) => (i % 1000 === 7 ? 1 : 0));
    const samples = samplesOf({
      rows,
      columns: [...columns, rare],
      target: target.map((y, i) => y + 9 * rare[i]!),
    });
    const fresh = layoutFor(samples, { loss, mode: 'fresh' });
    expect(suitsGramPass(samples, { loss, aggregate: 'auto', intercept: true, layout: fresh })).to.equal(true);
    const large = repeated(samples, 40);
    const { layout, fit } = await fitRows(large, { loss });
    expect(layout).to.deep.include({ mode: 'full', sharesPilot: true });
    expect(fit.theta[features]).to.be.closeTo(9, 4 / Math.sqrt(6));
    expect((await fitRows(large, { loss, readOnce: true })).layout.sharesPilot).to.equal(false);
  });

  it('keeps to its share of memory', () => {
    const suits = (count: number, blocks: number, width = 20): boolean => {
      const options = { loss, blocks, mode: 'fresh', steps: 3, aggregate: 'median-of-means' } as const;
      const layout = layoutFor({ rows: count, features: width }, options);
      return suitsGramPass({ features: width }, { ...options, intercept: true, layout });
    };
    expect(suits(1e7, 15)).to.equal(true);
    expect(suits(1e7, 5000)).to.equal(true);
    expect(suits(1e7, 7000)).to.equal(false);
    expect(suits(1e7, 7000, 2)).to.equal(true);
    expect(suits(1e7, 15, 33)).to.equal(false);
  });

  it('says so when rows are missing', async () => {
    const short = { ...samplesOf(regression()), rows: rows + 1 };
    for (const options of [{ loss, mode: 'fresh' }, { loss }, {}] as const) {
      const message = await fitRows(short, options).then(
        () => 'nothing',
        caught => caught.message,
      );
      expect(message).to.equal(`the rows ended after ${rows} of ${rows + 1}`);
    }
  });
});
