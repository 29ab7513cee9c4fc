/**
 * `holdout`: the measures are those that `evaluate` finds on the very rows, and nothing of them enters the fit.
 */
import { expect } from 'chai';
import { heldMeasures, heldNotes, heldRows } from '../../src/fit/estimate.ts';
import { type FittedRun, fitRows } from '../../src/fit/index.ts';
import { sampleBatch, samplesOf } from '../../src/flow/index.ts';
import { ArgumentError, type Samples, seeded } from '../../src/index.ts';
import { normal } from '../../src/lab/paper/index.ts';
import { lossByName } from '../../src/method/index.ts';

const rows = 3000;

function drawn(): Samples {
  const random = seeded('holdout', 'rows');
  const x = Float64Array.from({ length: rows }, () => normal(random));
  return samplesOf(
    sampleBatch(
      [x],
      x.map((value, i) => 2 * value + normal(random) + (i % 2) * 1e-9),
    ),
  );
}

async function targetsOf(samples: Samples): Promise<number[]> {
  const targets: number[] = [];
  for await (const { target } of samples.batches()) targets.push(...target);
  return targets;
}

/** The targets held out, and those that pilot and steps saw. */
async function parted(options: object): Promise<{ held: number[]; found: FittedRun; seen: Set<number> }> {
  let held: number[] = [];
  const seen = new Set<number>();
  const squared = lossByName('squared');
  const { kernel: _, ...plain } = squared.loss;
  const spied = {
    ...squared,
    loss: {
      ...plain,
      slope: (score: number, target: number) => {
        seen.add(target);
        return squared.loss.slope(score, target);
      },
    },
  };
  const found = await fitRows(drawn(), {
    loss: spied,
    heldOut: {
      rows: 600,
      use: async samples => {
        held = await targetsOf(samples);
      },
    },
    ...options,
  });
  return { held, found, seen };
}

describe('holdout', () => {
  it('keeps rows from pilot and steps, in every mode and order', async () => {
    for (const mode of ['fresh', 'full']) {
      for (const order of ['shuffle', 'as-is']) {
        const { held, seen } = await parted({ mode, order });
        expect(held).to.have.length(600);
        expect(seen.size).to.be.above(2000);
        expect(held.filter(target => seen.has(target))).to.deep.equal([]);
        const last = (await targetsOf(drawn())).slice(-600);
        expect(String(held) === String(last)).to.equal(order === 'as-is');
      }
    }
  });

  it('asks for a share that leaves rows on both sides', () => {
    expect(heldRows(0.25, 1000)).to.equal(250);
    for (const share of [0, 1, -0.1, 2]) {
      expect(() => heldRows(share, 1000)).to.throw(ArgumentError, 'a share between 0 and 1');
    }
    expect(() => heldRows(0.001, 10)).to.throw(ArgumentError, 'holds out 0 of 10 rows');
  });

  it('says what an R2 below 0 means, and why it can be so under a loss', () => {
    expect(heldNotes({ rows: 9, r2: -0.2 }, 'tukey')).to.deep.equal([
      "R2 is below 0 on the held-out rows, so the model predicts means worse than a constant would: R2 gives outlying rows full weight, while the tukey loss follows the bulk of the rows; `loss: 'squared'` fits means, and the absolute errors measure how well the bulk is predicted",
    ]);
    expect(heldNotes({ rows: 9, r2: -0.2 }, 'squared')[0]).to.include('use fewer features or more rows');
    for (const measures of [{ r2: 0 }, { r2: 0.9 }, { auc: 0.4 }] as const)
      expect(heldNotes({ rows: 9, ...measures }, 'tukey')).to.deep.equal([]);
  });

  it('keeps the measures of a linear target, and of classes', () => {
    const measures = heldMeasures({
      loss: 'squared',
      rows: 5,
      weight: 5,
      meanLoss: 2,
      errors: {
        r2: 0.5,
        meanAbsolute: 1,
        rootMeanSquare: 3,
        absolute: { least: 0, median: 0.75, p90: 1, p99: 2, most: 4 },
      },
    } as Parameters<typeof heldMeasures>[0]);
    expect(measures).to.deep.equal({
      rows: 5,
      meanLoss: 2,
      r2: 0.5,
      rootMeanSquare: 3,
      meanAbsolute: 1,
      medianAbsolute: 0.75,
    });
  });
});
