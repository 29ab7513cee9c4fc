import { expect } from 'chai';
import fc from 'fast-check';
import { reportOnline } from '../../../src/inference/online/onlineReport.ts';
import { fromText, toText } from '../../../src/math/plainData.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance, norm, type Vector } from '../../../src/math/vector.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import type { InformationState } from '../../../src/method/rule/informationState.ts';
import { type OnlinePlan, type OnlinePlanOptions, planOnline } from '../../../src/plan/online/planOnline.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { solveBy } from '../../support/linearAlgebra.ts';
import {
  afterOddBeginning,
  afterRubbish,
  againstBatch,
  delays,
  forgetting,
  ODD,
} from '../../support/onlineStatistics.ts';
import {
  batchFit,
  errorOf,
  KINDS,
  type Kind,
  lossOf,
  rowsOf,
  runOver,
  stepper,
  truthOf,
  type World,
} from '../../support/onlineStream.ts';

const world: World = { features: 3, kind: 'squared', rho: 0.5 };
const planFor = (options: Partial<OnlinePlanOptions> = {}): OnlinePlan =>
  planOnline({ features: 3, loss: squared(), chunk: 100, pilot: 400, ...options });

/** Steps on chunks of the sizes given, after which nothing is pending. */
function stepsOver(plan: OnlinePlan, rows: SampleBatch, sizes: readonly number[]): InformationState {
  const step = stepper(plan);
  let [state, start] = [plan.rule.init(plan.start), 0];
  for (const size of sizes) {
    state = step(state, rowsBetween(rows, start, start + size));
    start += size;
  }
  return state;
}

/** The ridge fit in the coordinates of a state: (Z'WZ + .01 I + penalty) th = Z'Wy + .01 th_0, in the units of the data. */
function ridgeFit(plan: OnlinePlan, state: InformationState, rows: SampleBatch, penalty = 0): Vector {
  const size = state.theta.length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size));
  const right = new Float64Array(size);
  for (let i = 0; i < rows.rows; i++) {
    const w = rows.weights?.[i] ?? 1;
    const z = Float64Array.from({ length: size }, (_, j) =>
      j < state.scale.length ? (rows.columns[j]![i]! - state.centre[j]!) / state.scale[j]! : 1,
    );
    for (let j = 0; j < size; j++) {
      right[j]! += w * z[j]! * rows.target[i]!;
      for (let k = 0; k < size; k++) matrix[j]![k]! += w * z[j]! * z[k]!;
    }
  }
  const total = rows.weights?.reduce((sum, w) => sum + w, 0) ?? rows.rows;
  for (let j = 0; j < size; j++) {
    matrix[j]![j]! += 0.01 + (j < state.scale.length ? (penalty * total) / state.scale[j]! ** 2 : 0);
    right[j]! += 0.01 * state.prior[j]!;
  }
  return plan.rule.iterate({ ...state, theta: solveBy(matrix, right) });
}

function nearTo(found: Vector, wanted: Vector, share: number): void {
  expect(distance(found, wanted) / norm(wanted)).to.be.below(share);
}

describe('information', () => {
  it('is the batch ridge fit of all rows for the squared loss, the pilot among them, whatever the chunks', () => {
    const rows = rowsOf(world, 2000, seeded(1, 'rows'));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 5 }), sizes => {
        const plan = planFor();
        const state = stepsOver(plan, rows, [400, ...sizes]);
        const used = sizes.reduce((sum, size) => sum + size, 400);
        nearTo(plan.rule.iterate(state), ridgeFit(plan, state, rowsBetween(rows, 0, used)), 1e-10);
        expect([state.rows, state.step]).to.deep.equal([used, sizes.length + 1]);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('is that fit with weights, a penalty, no intercept, and features on scales from 1e-3 to 1e6', () => {
    const random = seeded(2, 'rows');
    const scaled = { ...world, mixedScales: true };
    const rows = { ...rowsOf(scaled, 1200, random), weights: Float64Array.from({ length: 1200 }, (_, i) => i % 3) };
    for (const [intercept, penalty] of [
      [true, 0],
      [true, 0.2],
      [false, 0.2],
    ] as const) {
      const plan = planFor({ intercept, penalty });
      const state = stepsOver(plan, rows, [400, 300, 500]);
      nearTo(plan.rule.iterate(state), ridgeFit(plan, state, rows, penalty), 1e-10);
      expect(state.rows).to.equal(800);
    }
  });

  it('has the same error as the batch fit from the tenth chunk on, for every loss', () => {
    for (const kind of KINDS) {
      const ratios = againstBatch({ features: 5, kind, rho: 0.9, mixedScales: true }, 200, [10, 40], 12);
      for (const { ratio } of ratios.values()) expect(ratio, kind).to.be.below(1.05);
    }
  });

  for (const [name, { kinds }] of Object.entries(ODD))
    it(`comes to the batch fit of all rows after ${name}`, () => {
      for (const kind of kinds) expect(afterOddBeginning(name, kind, 1).ratio, kind).to.be.below(1.15);
    });

  it('gives a column that first varies late its place in other coordinates, exactly', () => {
    const rows = rowsOf(world, 1500, seeded(3, 'rows'));
    rows.columns[1]!.fill(2024, 0, 900);
    const plan = planFor();
    const early = stepsOver(plan, rows, [400, 500]);
    expect([early.scale[1], plan.rule.iterate(early)[1]]).to.deep.equal([0, 0]);
    const state = stepsOver(plan, rows, [400, 500, 50, 550]);
    expect(state.scale[1]).to.be.above(0);
    // The ridge of a hundredth of a row lies in coordinates that were not known before.
    nearTo(plan.rule.iterate(state), ridgeFit(plan, state, rows), 1e-3);
    const whole = planFor({ pilot: 1500 });
    nearTo(plan.rule.iterate(state), whole.rule.iterate(stepsOver(whole, rows, [1500])), 1e-3);
  });

  it('counts rows by the square of their scale where that is learnt', () => {
    const loud = { ...world, kind: 'huber' as const };
    const plan = planOnline({ features: 3, chunk: 500 });
    const truth = truthOf(loud);
    let [own, quiet] = [0, 0];
    for (let repeat = 0; repeat < 10; repeat++) {
      const rows = rowsOf(loud, 20_000, seeded(repeat, 'loud'));
      quiet += errorOf(loud, batchFit('huber', rowsBetween(rows, 2000, 20_000)), truth);
      const random = seeded(repeat, 'noise');
      for (let i = 0; i < 2000; i++) rows.target[i]! += 10 * normal(random);
      own += errorOf(loud, plan.rule.iterate(runOver(plan, rows)), truth);
    }
    expect(Math.sqrt(own / quiet)).to.be.below(1.2);
  });

  it('sets chunks of rubbish aside, says so, and takes the third in a row for a change', () => {
    for (const kind of ['squared', 'huber'] as const) {
      const { ratio, aside } = afterRubbish(kind, 2);
      expect([ratio < 1.2, aside]).to.deep.equal([true, 2]);
    }
    const plan = planFor();
    const rows = rowsOf(world, 4000, seeded(4, 'rows'));
    rows.target.fill(1e6, 3400);
    const states: InformationState[] = [];
    runOver(plan, rows, state => states.push(state));
    const at = (t: number): InformationState => states[t]!;
    expect([at(31).aside, at(32).aside, at(33).aside]).to.deep.equal([1, 2, 2]);
    expect(at(32).theta).to.deep.equal(at(30).theta);
    expect(at(33).alarm!.step).to.equal(34);
    expect([at(33).since, at(33).rows, at(34).rows]).to.deep.equal([34, 0, 100]);
  });

  it('sets a chunk aside whose sums are not finite, however many there are', () => {
    const plan = planFor();
    const rows = rowsOf(world, 1500, seeded(5, 'rows'));
    for (const row of [450, 520, 660, 710]) rows.target[row] = 1e308;
    const step = stepper(plan);
    let state = stepsOver(plan, rows, [400]);
    const { theta } = state;
    rows.columns[0]![450] = Infinity;
    for (let start = 400; start < 500; start += 100) state = step(state, rowsBetween(rows, start, start + 100));
    expect(state.theta).to.deep.equal(theta);
    expect([state.aside, state.step]).to.deep.equal([1, 2]);
  });

  it('begins anew after an alarm, where coordinates stay, and has the new coefficients soon', () => {
    const plan = planFor();
    const changed = truthOf(world).map(value => -value);
    const rows = rowsOf(world, 400 + 150 * 100, seeded(6, 'rows'));
    const later = rowsOf(world, 4000, seeded(7, 'rows'), { truth: changed });
    const step = stepper(plan);
    let state = runOver(plan, rows);
    const { centre, scale, step: before } = state;
    expect(state.alarm).to.equal(null);
    for (let start = 0; start < 4000; start += 100) state = step(state, rowsBetween(later, start, start + 100));
    expect(state.alarm!.step).to.be.within(before + 1, before + 4);
    expect(state.since).to.equal(state.alarm!.step);
    expect({ centre: state.centre, scale: state.scale }).to.deep.equal({ centre, scale });
    expect(Math.sqrt(errorOf(world, plan.rule.iterate(state), changed))).to.be.below(0.1);
    const noting = planFor({ onAlarm: 'note' });
    expect(stepsOver(noting, rows, [400, ...Array.from({ length: 150 }, () => 100)]).since).to.equal(0);
  });

  it('finds jumps soon, and forgets old rows where it is asked to', () => {
    expect(delays(3, { after: 200, repeats: 4 }).median).to.be.below(8);
    const { worth, recovery } = forgetting('squared', { repeats: 30 });
    // A mean of 180 squared errors: 10 % is one standard error.
    expect(worth).to.be.within(1.4, 2.9);
    expect(recovery).to.be.within(2, 5);
  });

  it('has states of plain data: a clone or a text goes on to the same bits, between chunks and within one', () => {
    for (const [kind, options] of [
      ['huber', {}],
      ['poisson', { forget: 900 }],
      ['squared', { onAlarm: 'note' }],
    ] as const) {
      const plan = planOnline({ features: 3, loss: lossOf(kind), chunk: 100, ...options });
      const rows = rowsOf({ ...world, kind }, 3000, seeded(8, 'rows'));
      rows.columns[2]!.fill(5, 0, 700);
      const step = stepper(plan);
      let state = plan.rule.init(plan.start);
      let texts = plan.rule.init(plan.start);
      for (let start = 0; start + 400 <= 3000; start += start === 0 ? 400 : 100) {
        const batch = rowsBetween(rows, start, start + (start === 0 ? 400 : 100));
        const before = structuredClone(state);
        const next = step(state, batch);
        expect(state).to.deep.equal(before);
        expect(step(structuredClone(state), batch)).to.deep.equal(next);
        texts = fromText(toText(step(texts, batch))) as InformationState;
        expect(texts).to.deep.equal(next);
        state = next;
      }
    }
  });

  it('goes on within a chunk from a clone, whatever is pending', () => {
    const plan = planOnline({ features: 3, loss: lossOf('poisson'), chunk: 100 });
    const odd = rowsOf({ ...world, kind: 'poisson' }, 600, seeded(9, 'rows'), {
      alter: (_, i) => (i < 400 ? 0 : undefined),
    });
    odd.columns[1]!.fill(1, 0, 400);
    const clone = {
      ...plan,
      rule: { ...plan.rule, step: (s: InformationState, g: never) => plan.rule.step(structuredClone(s), g) },
    };
    expect(stepsOver(clone as OnlinePlan, odd, [400, 100, 100])).to.deep.equal(stepsOver(plan, odd, [400, 100, 100]));
  });

  it('starts where it is told until it has seen a pilot, and writes to nothing that it is given', () => {
    const plan = planFor();
    const start = Float64Array.of(1, 2, 3, 4);
    const first = plan.rule.init(start);
    expect(plan.rule.iterate(first)).to.deep.equal(start);
    expect(plan.rule.iterate(first)).not.to.equal(start);
    expect(() => plan.rule.init(Float64Array.of(1, 2))).to.throw('the length of start must be 4');
  });

  it('waits for a pilot until a chunk has a row that can be used', () => {
    const plan = planFor();
    const rows = { ...rowsOf(world, 700, seeded(10, 'rows')), weights: new Float64Array(700).fill(1, 200) };
    const late = stepsOver(plan, rows, [100, 100, 400, 100]);
    const direct = stepsOver(plan, rowsBetween(rows, 200, 700), [400, 100]);
    expect(late).to.deep.equal({ ...direct, step: 4 });
  });

  it('counts from the first rows that leave something, where the fit left nothing of most before', () => {
    for (const constant of [0, 7, 1e12]) {
      const plan = planFor({ loss: 'pseudo-huber' });
      const rows = rowsOf({ ...world, kind: 'huber' }, 3000, seeded(15, 'rows'));
      for (let i = 0; i < rows.rows; i++) rows.target[i] = i < 600 ? constant : rows.target[i]! + constant;
      const begun = stepsOver(plan, rows, [400, 100, 100]);
      expect(begun.lacksScale, String(constant)).to.equal(true);
      const state = stepsOver(plan, rows, [400, ...Array.from({ length: 26 }, () => 100)]);
      expect(state).to.include({ lacksScale: false, rows: 2400, since: 3 });
      const later = batchFit('huber', rowsBetween({ ...rows, target: rows.target.map(y => y - constant) }, 600, 3000));
      later[3]! += constant;
      nearTo(plan.rule.iterate(state), later, 0.02);
    }
  });

  it('does not keep to rows of hardly any spread once others come', () => {
    const plan = planFor({ loss: 'pseudo-huber' });
    const huber = { ...world, kind: 'huber' as const };
    const random = seeded(16, 'rows');
    const rows = rowsOf(huber, 20_000, random);
    const all = batchFit('huber', rows);
    for (let i = 0; i < 600; i++) rows.target[i] = 7 + 0.001 * normal(random);
    const state = runOver(plan, rows);
    // 3 % of the rows count as up to 12 %, and draw by so much.
    expect(distance(plan.rule.iterate(state), all)).to.be.below(0.15 * distance(all, Float64Array.of(0, 0, 0, 7)));
    reportOnline(state, plan).now.forEach((interval, j) => {
      expect(all[j]).to.be.within(...interval!);
    });
  });

  it('comes to an end where targets are so far from 0 that no step is a gain', () => {
    const plan = planFor({ loss: 'pseudo-huber' });
    for (const far of [1e12, 1e15]) {
      const rows = rowsOf({ ...world, kind: 'huber' }, 2000, seeded(17, 'rows'));
      const near = plan.rule.iterate(runOver(plan, rows));
      const moved = plan.rule.iterate(runOver(plan, { ...rows, target: rows.target.map(y => y + far) }));
      expect(distance(moved.subarray(0, 3), near.subarray(0, 3))).to.be.below(1e-15 * far + 0.02);
    }
  });

  it('refuses answers of another question', () => {
    const plan = planFor();
    const state = stepsOver(plan, rowsOf(world, 400, seeded(10, 'rows')), [400]);
    expect(() => plan.rule.step(state, { values: new Float64Array(3), privacy: 'raw' })).to.throw(
      'the length of answer',
    );
  });

  it('passes a chunk without rows that count', () => {
    const plan = planFor();
    const rows = { ...rowsOf(world, 600, seeded(11, 'rows')), weights: new Float64Array(600).fill(1, 0, 400) };
    const [one, two] = [stepsOver(plan, rows, [400]), stepsOver(plan, rows, [400, 100, 100])];
    expect(two).to.deep.equal({ ...one, step: 3 });
  });

  it('keeps to what it knows where rows come one at a time, columns repeat each other, or all targets are fitted', () => {
    const random = seeded(12, 'rows');
    const rows = rowsOf(world, 700, random);
    rows.columns[2]!.set(rows.columns[0]!);
    const plan = planOnline({ features: 3, chunk: 100, pilot: 400 });
    const single = stepsOver(plan, rows, [400, ...Array.from({ length: 300 }, () => 1)]);
    expect([single.aside, single.alarm]).to.deep.equal([0, null]);
    const jointly = stepsOver(plan, rows, [400, 100, 100, 100]);
    expect(distance(plan.rule.iterate(single), plan.rule.iterate(jointly))).to.be.below(0.05);
    const exact = { ...rows, target: rows.columns[1]!.map(x => 3 * x - 1) };
    const found = plan.rule.iterate(stepsOver(plan, exact, [400, 100, 100, 100]));
    expect(found[1]).to.be.closeTo(3, 1e-3);
    expect(
      stepsOver(
        planFor({ loss: logistic() }),
        { ...rows, target: rows.target.map(() => 1) },
        [400, 100, 100],
      ).theta.every(Number.isFinite),
    ).to.equal(true);
  });

  it('keeps the digits of what a chunk tells where that is next to nothing of what is known', () => {
    const plan = planFor();
    const rows = rowsOf(world, 500, seeded(14, 'rows'));
    const state = stepsOver(plan, rows, [400]);
    const [few, many] = [1e4, 1e9].map(times => {
      const known = { ...state, information: state.information.map(value => times * value) };
      return stepper(plan)(known, rowsBetween(rows, 400, 500)).spreads;
    });
    nearTo(many!, few!, 1e-3);
  });

  it('takes custom losses', () => {
    const custom = { ...pseudoHuber(1.345), name: 'custom' };
    delete (custom as { kernel?: unknown }).kernel;
    const rows = rowsOf(world, 2000, seeded(13, 'rows'));
    const sizes = [400, ...Array.from({ length: 16 }, () => 100)];
    const [own, known] = [custom, pseudoHuber(1.345)].map(loss => {
      const plan = planFor({ loss });
      return plan.rule.iterate(stepsOver(plan, rows, sizes));
    });
    nearTo(own!, known!, 1e-3);
  });
});

describe('the states of several watchers', () => {
  const chunks = (kind: Kind, seed: number, count: number): SampleBatch =>
    rowsOf({ ...world, kind, mixedScales: true }, 400 + 100 * count, seeded(seed, 'shared'));
  const join = (...parts: readonly SampleBatch[]): SampleBatch => ({
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    columns: [0, 1, 2].map(j => Float64Array.from(parts.flatMap(part => [...part.columns[j]!]))),
    target: Float64Array.from(parts.flatMap(part => [...part.target])),
  });

  it('merge to that of one watcher over all their chunks, to 1e-10 for the squared loss', () => {
    const parts = [1, 2, 3].map(seed => chunks('squared', seed, 5));
    const plan = planFor();
    const sizes = [400, 100, 100, 100, 100, 100];
    const merged = plan.rule.merge(parts.map(part => stepsOver(plan, part, sizes)));
    const one = stepsOver(plan, join(...parts), [...sizes, ...sizes, ...sizes]);
    nearTo(plan.rule.iterate(merged), plan.rule.iterate(one), 1e-10);
    nearTo(merged.information, one.information, 1e-10);
    expect([merged.rows, merged.step, merged.freedom[0]]).to.deep.equal([one.rows, one.step, 15]);
  });

  it('merge where a column varies for one watcher only, or between them', () => {
    const parts = [1, 2].map(seed => chunks('squared', seed, 5));
    parts[0]!.columns[0]!.fill(1e-3);
    parts[0]!.columns[1]!.fill(7e-3);
    parts[1]!.columns[1]!.fill(9e-3);
    const plan = planFor();
    const sizes = [400, 100, 100, 100, 100, 100];
    for (const order of [parts, [...parts].reverse()]) {
      const merged = plan.rule.merge(order.map(part => stepsOver(plan, part, sizes)));
      const whole = planFor({ pilot: 1800 });
      nearTo(plan.rule.iterate(merged), whole.rule.iterate(stepsOver(whole, join(...order), [1800])), 2e-3);
    }
  });

  it('merge within .02 standard errors for other losses', () => {
    for (const kind of ['huber', 'logistic', 'poisson'] as const) {
      const parts = [1, 2].map(seed => chunks(kind, seed, 300));
      const plan = planOnline({ features: 3, loss: lossOf(kind), chunk: 300, pilot: 400 });
      const sizes = [400, ...Array.from({ length: 100 }, () => 300)];
      const merged = plan.rule.merge(parts.map(part => stepsOver(plan, part, sizes)));
      const one = stepsOver(plan, join(...parts), [...sizes, ...sizes]);
      const { theta, errors } = reportOnline(one, plan);
      plan.rule.iterate(merged).forEach((value, j) => {
        expect(Math.abs(value - theta[j]!) / errors![j]!, `${kind} ${j}`).to.be.below(0.02);
      });
    }
  });

  it('is that of the one whose rows have a scale, where the other has none yet', () => {
    const plan = planFor({ loss: 'pseudo-huber' });
    const rows = rowsOf({ ...world, kind: 'huber' }, 800, seeded(18, 'rows'));
    const known = stepsOver(plan, rows, [400, 100]);
    const unknown = stepsOver(plan, { ...rows, target: rows.target.map(() => 7) }, [400, 100, 100]);
    for (const states of [
      [known, unknown],
      [unknown, known],
    ])
      expect(plan.rule.merge(states)).to.deep.equal({ ...known, step: 5 });
  });

  it('are refused within a chunk', () => {
    const plan = planFor();
    const state = stepsOver(plan, chunks('squared', 1, 1), [400]);
    const open = { ...state, pending: { kind: 'late' as const, columns: [], before: state } };
    expect(() => plan.rule.merge([state, open])).to.throw('a state within a chunk cannot be merged');
  });
});
