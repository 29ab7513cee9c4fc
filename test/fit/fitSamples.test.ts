import { expect } from 'chai';
import { type FitRowsOptions, fitRows } from '../../src/fit/fitRows.ts';
import { fitSamples } from '../../src/fit/fitSamples.ts';
import { explainEstimate } from '../../src/inference/diagnostics/explainEstimate.ts';
import type { FittedRun } from '../../src/inference/fittedRun.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { addScaled, distance, dot, filled, subtract, type Vector } from '../../src/math/vector.ts';
import { box } from '../../src/method/constraint/box.ts';
import type { Constraint } from '../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { type SampleBatch, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

const rows = 20_000;
const features = 4;
const slopes = [1, -0.5, 2, 0.7];

type Kind = 'linear' | 'classes';

const drawn = new Map<string, SampleBatch>();

/**
 * Features that share a part of themselves, in several units and around several places; targets are linear in them, or
 * classes.
 */
function regression(kind: Kind, shifts: readonly number[], length = rows): SampleBatch {
  const name = `${kind} ${length}`;
  const { columns, target } = drawn.get(name) ?? draw(kind, length);
  drawn.set(name, { rows: length, columns, target });
  return sampleBatch(
    columns.map((column, j) => column.map(x => x + shifts[j]!)),
    target,
  );
}

function draw(kind: Kind, length: number): SampleBatch {
  const random = seeded('fitSamples', kind);
  const columns = Array.from({ length: features }, () => new Float64Array(length));
  const target = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const common = normal(random);
    const x = [1, 5, 0.2, 1].map(unit => unit * (common + 0.5 * normal(random)));
    const score = x.reduce((sum, value, j) => sum + slopes[j]! * value, 1);
    target[i] = kind === 'linear' ? score + normal(random) : uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0;
    columns.forEach((column, j) => {
      column[i] = x[j]!;
    });
  }
  return sampleBatch(columns, target);
}

const sets: Readonly<Record<string, Constraint>> = {
  'l1 2': l1Ball(2),
  'l1 0.5': l1Ball(0.5),
  'l2 1': l2Ball(1),
  'box 0.6': box(filled(features, -0.6), filled(features, 0.6)),
};

const noShifts = [0, 0, 0, 0];

/**
 * Accelerated projected gradients over rows with their means taken off: slow, and none of the code it is compared with.
 */
function optimum(
  { columns, target }: SampleBatch,
  loss: Loss,
  { project }: Constraint,
  weights?: Float64Array,
): Vector {
  const means = columns.map(column => column.reduce((sum, value) => sum + value, 0) / rows);
  const centred = columns.map((column, j) => column.map(value => value - means[j]!));
  const moments = centred.reduce((sum, column) => sum + column.reduce((all, x) => all + x * x, 0) / rows, 1);
  const eta = (loss.name === 'logistic' ? 4 : 1) / moments;
  const slopesAt = new Float64Array(rows);
  const stepFrom = (at: Vector): Vector => {
    slopesAt.fill(at[features]!);
    centred.forEach((column, j) => {
      for (let i = 0; i < rows; i++) slopesAt[i]! += at[j]! * column[i]!;
    });
    let pull = 0;
    for (let i = 0; i < rows; i++) {
      slopesAt[i] = (weights?.[i] ?? 1) * loss.slope(slopesAt[i]!, target[i]!);
      pull += slopesAt[i]!;
    }
    const next = centred.map((column, j) => {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += column[i]! * slopesAt[i]!;
      return at[j]! - (eta * sum) / rows;
    });
    return Float64Array.of(...project(Float64Array.from(next)), at[features]! - (eta * pull) / rows);
  };
  let theta: Vector = new Float64Array(features + 1);
  let ahead = theta;
  let since = 0;
  for (let turn = 0; turn < 1500; turn++) {
    const next = stepFrom(ahead);
    const isDone = distance(next, ahead) < 1e-9;
    // Momentum that points back has run past the answer, and begins anew.
    since = dot(subtract(ahead, next), subtract(next, theta)) > 0 ? 0 : since + 1;
    ahead = addScaled(next, since / (since + 3), subtract(next, theta));
    theta = next;
    if (isDone) break;
  }
  theta[features]! -= means.reduce((sum, mean, j) => sum + mean * theta[j]!, 0);
  return theta;
}

const predictions = ({ columns }: SampleBatch, theta: Vector): Float64Array =>
  columns[0]!.map((_, i) => columns.reduce((sum, column, j) => sum + theta[j]! * column[i]!, theta[features]!));

/** The root mean square of the differences. */
const between = (a: Float64Array, b: Float64Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0) / a.length);

const fitted = (batch: SampleBatch, options: FitRowsOptions): Promise<FittedRun> => fitRows(samplesOf(batch), options);

describe('fitSamples over a set', () => {
  const cases = [
    ['linear', 'squared'],
    ['linear', 'auto'],
    ['classes', 'auto'],
  ] as const;
  for (const [kind, named] of cases) {
    const loss = named === 'auto' ? named : lossByName(named);
    for (const [name, constraint] of Object.entries(sets)) {
      it(`comes to the best fit of ${kind} targets that ${name} allows, with the ${named} loss, fresh or full`, async () => {
        const batch = regression(kind, [0, 3, 0, 10]);
        for (const mode of ['auto', 'full'] as const) {
          const found = await fitted(batch, { loss, constraint, mode });
          const best = optimum(batch, found.loss.loss, constraint);
          expect(constraint.contains(found.fit.theta.subarray(0, features), 1e-9)).to.equal(true);
          const off = between(predictions(batch, found.fit.theta), predictions(batch, best));
          // Sampling noise is sqrt(5/20,000) = 0.016 of the noise of a row.
          expect(off, `${mode} ${[...found.fit.theta]} ${[...best]}`).to.be.below(mode === 'full' ? 0.01 : 0.02);
        }
      });

      // The longest shift is the hardest.
      for (const [shifts, tag] of [
        [[1e6], ''],
        [[10, 1000], ' @slow'],
      ] as const) {
        it(`does not depend on where features are: ${kind} targets, ${name}, the ${named} loss, by ${shifts}${tag}`, async () => {
          const here = regression(kind, noShifts);
          const usual = await fitted(here, { loss, constraint });
          for (const shift of shifts) {
            const there = regression(kind, [0, -shift, 0, shift]);
            const found = await fitted(there, { loss, constraint });
            const off = between(predictions(here, usual.fit.theta), predictions(there, found.fit.theta));
            expect(off, `shift ${shift}`).to.be.below(1e-6);
          }
        });
      }
    }
  }

  it('finds what a set allows of classes that are told apart, which have no estimate without one', async () => {
    const { columns } = regression('linear', noShifts);
    const batch = sampleBatch(
      columns,
      columns[0]!.map(value => (value > 0.3 ? 1 : 0)),
    );
    const constraint = l2Ball(1);
    const found = await fitted(batch, { constraint });
    const best = optimum(batch, found.loss.loss, constraint);
    expect(between(predictions(batch, found.fit.theta), predictions(batch, best))).to.be.below(0.02);
    expect(found.pilot!.estimate.isSeparated).to.equal(false);
  });

  it("is Huber's fit without a set where the set is large", async () => {
    const batch = regression('linear', noShifts);
    const [wide, free] = [await fitted(batch, { constraint: l1Ball(100) }), await fitted(batch, {})];
    expect(between(predictions(batch, wide.fit.theta), predictions(batch, free.blend!.huber))).to.be.below(1e-9);
  });
});

describe('fitSamples with an aggregate of its own', () => {
  const aggregates = { 'a median of means': 'median-of-means', huber: { huber: 0.05 } } as const;
  for (const [name, aggregate] of Object.entries(aggregates)) {
    for (const named of ['auto', 'squared'] as const) {
      it(`depends on no column's unit or origin under ${name}, with the ${named} loss`, async () => {
        const loss = named === 'auto' ? named : lossByName(named);
        const here = regression('linear', noShifts, 2000);
        const usual = await fitted(here, { loss, aggregate });
        const moves: Readonly<Record<string, (value: number) => number>> = {
          scaled: value => 1e6 * value,
          'scaled down': value => 1e-6 * value,
          shifted: value => value + 1e6,
        };
        for (const [how, move] of Object.entries(moves)) {
          const there = { ...here, columns: [here.columns[0]!.map(move), ...here.columns.slice(1)] };
          const found = await fitted(there, { loss, aggregate });
          const off = between(predictions(here, usual.fit.theta), predictions(there, found.fit.theta));
          // In other units the half-samples of the default are others.
          expect(off, how).to.be.below(named === 'auto' ? 1e-3 : 1e-6);
        }
      });
    }
  }
});

describe('fitSamples and its intervals', () => {
  const batch = regression('linear', [0, 3, 0, 10]);

  it('takes a mean for what auto takes, with the same intervals, in as many blocks as are asked for', async () => {
    for (const loss of ['auto', lossByName('squared')] as const) {
      const [usual, mean] = [await fitted(batch, { loss }), await fitted(batch, { loss, aggregate: 'mean' })];
      expect([...mean.fit.theta]).to.deep.equal([...usual.fit.theta]);
      expect(mean.uncertainty).to.deep.equal(usual.uncertainty);
      const fewer = await fitted(batch, { loss, aggregate: 'mean', blocks: 12 });
      expect(fewer.layout.blocks).to.equal(12);
      // Rows that are all in memory tell for themselves, whatever blocks they are in.
      expect(fewer.uncertainty!.from).to.equal('rows');
      const [error, other] = [fewer.uncertainty!.errors[0]!, usual.uncertainty!.errors[0]!];
      expect(error / other).to.be.closeTo(1, 1e-6);
      const fresh = await fitted(batch, { loss, aggregate: 'mean', blocks: 12, mode: 'fresh' });
      expect(fresh.uncertainty!.from).to.equal('blocks');
      expect(new Set(fresh.uncertainty!.degrees)).to.deep.equal(new Set([fresh.layout.steps * 11]));
      // Steps that see all rows have the same blocks, which are counted once.
      const full = await fitted(batch, { loss, aggregate: 'median-of-means', blocks: 12, mode: 'full' });
      expect(new Set(full.uncertainty!.degrees)).to.deep.equal(new Set([11]));
    }
  });

  it('has wider ones for a median of means, by what the median costs', async () => {
    const inFresh = (aggregate: 'mean' | 'median-of-means') => fitted(batch, { aggregate, mode: 'fresh' });
    const [mean, median] = [await inFresh('mean'), await inFresh('median-of-means')];
    const ratio = median.uncertainty!.errors[0]! / mean.uncertainty!.errors[0]!;
    expect(ratio).to.be.within(1.02, 1.1);
  });

  it('has them of a few rows, which fill no blocks', async () => {
    const few = sampleBatch(
      batch.columns.map(column => column.slice(0, 30)),
      batch.target.slice(0, 30),
    );
    const { uncertainty, layout } = await fitted(few, { loss: lossByName('squared') });
    expect(layout.blocks).to.equal(1);
    expect(uncertainty!.from).to.equal('rows');
    for (const own of uncertainty!.degrees) expect(own).to.be.within(1, 30 - few.columns.length - 1);
  });

  it('says why there are none', async () => {
    const few = regression('linear', [0, 3, 0, 10], 2000);
    const why = async (options: FitRowsOptions): Promise<string> => {
      const found = await fitted(few, options);
      expect(found.uncertainty).to.equal(null);
      const { choices } = explainEstimate(found, { names: [], order: 'shuffle' });
      expect(choices.join('\n')).not.to.include('make the intervals');
      return choices.at(-1)!;
    };
    expect(await why({ constraint: l1Ball(1) })).to.include('no intervals: the estimate is constrained to a set');
    expect(await why({ method: 'nesterov' })).to.include('no intervals: block differences do not reflect the momentum');
    expect(await why({ stepSize: 0.01 })).to.include('no intervals: steps of a given size');
    expect(await why({ aggregate: { huber: 0.05 } })).to.include('no intervals: the huber aggregate has no blocks');
  });
});

describe('fitSamples by a method of its own', () => {
  const batch = regression('linear', [0, 3, 0, 10]);

  it('descends by gradients in the coordinates of the pilot where it is asked to, and says so', async () => {
    const [gradient, usual] = [await fitted(batch, { method: 'gradient' }), await fitted(batch, {})];
    expect(gradient.plan.rule.name).to.equal('projected-gradient');
    expect(usual.plan.rule.name).to.equal('newton');
    const off = between(predictions(batch, gradient.fit.theta), predictions(batch, usual.fit.theta));
    expect(off).to.be.below(0.01);
    expect(gradient.uncertainty).not.to.equal(null);
    const within = await fitted(batch, { method: 'gradient', constraint: l1Ball(0.5) });
    expect(within.plan.rule.name).to.equal('projected-gradient');
    expect(l1Ball(0.5).contains(within.fit.theta.subarray(0, features), 1e-9)).to.equal(true);
  });

  it('refuses a momentum that no method of the run has', async () => {
    for (const method of ['auto', 'gradient'] as const) {
      const refusal = await fitted(batch, { method, momentum: 0.3 }).catch(caught => caught.message);
      expect(refusal).to.include('momentum is a part of method nesterov');
    }
    expect((await fitted(batch, { method: 'nesterov', momentum: 0.3 })).plan.rule.name).to.equal('nesterov');
  });

  it('tells whoever uses the rows held out of a pilot that was widened, as it tells its caller', async () => {
    const random = seeded('fitSamples', 'held out');
    const column = (draw: (i: number) => number): Float64Array =>
      Float64Array.from({ length: 4100 }, (_, i) => draw(i));
    // Constant in the pilot's rows, which cannot tell whether it stays so.
    const late = column(i => (i < 500 ? 0 : normal(random)));
    const batch = sampleBatch(
      [column(() => normal(random)), late],
      column(() => normal(random)),
    );
    let told: FittedRun | undefined;
    const found = await fitSamples(samplesOf(batch), {
      layout: {
        pilotRows: 500,
        rows: 3500,
        sharesPilot: false,
        mode: 'full',
        steps: 3,
        blocks: 7,
        schedule: null,
      },
      loss: lossByName('squared'),
      method: 'auto',
      aggregate: 'auto',
      failureProbability: 0.05,
      intercept: true,
      heldOut: {
        rows: 100,
        use: async (_, fitted) => {
          told = fitted;
        },
      },
    });
    expect(found.widened).to.have.property('rows', 500);
    expect(told!.widened).to.equal(found.widened);
  });
});
