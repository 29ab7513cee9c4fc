/** What must be shown of the online estimator, measured by the product's own code. Every function takes how many repeats. */
import { reportOnline } from '../../src/inference/online/onlineReport.ts';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import type { Vector } from '../../src/math/vector.ts';
import type { InformationState } from '../../src/method/rule/information.ts';
import { shiryaevRoberts } from '../../src/method/rule/shiryaevRoberts.ts';
import { type OnlinePlanOptions, planOnline } from '../../src/plan/online/planOnline.ts';
import { rowsBetween } from '../../src/sample/sampleBatch.ts';
import {
  type Alter,
  batchFit,
  errorOf,
  type Kind,
  lossOf,
  rowsOf,
  runOver,
  stepper,
  trueFit,
  truthOf,
  type World,
} from './onlineStream.ts';

const rootRatio = (a: number, b: number): number => Math.sqrt(a / b);
const round = (value: number): number => Number(value.toPrecision(4));

/** Root mean square error over that of the batch fit on the same rows, after so many chunks. */
export function againstBatch(
  world: World,
  chunk: number,
  at: readonly number[],
  repeats: number,
): Readonly<Record<number, number>> {
  const truth = trueFit(world);
  const plan = planOnline({ features: world.features, loss: lossOf(world.kind), chunk });
  const sums = new Map(at.map(t => [t, [0, 0] as [number, number]]));
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `${world.kind} ${world.features}`);
    const rows = rowsOf(world, plan.figures.pilot + chunk * (Math.max(...at) - 1), random);
    runOver(plan, rows, (state, used) => {
      const sum = sums.get(state.step);
      if (sum === undefined) return;
      sum[0] += errorOf(world, plan.rule.iterate(state), truth);
      sum[1] += errorOf(world, batchFit(world.kind, rowsBetween(rows, 0, used)), truth);
    });
  }
  return Object.fromEntries([...sums].map(([t, [own, batch]]) => [t, round(rootRatio(own, batch))]));
}

const ODD_ROWS = 50_000;
const isEarly = (row: number): boolean => row < ODD_ROWS / 10;

/** Streams whose first tenth is unlike the rest. */
export const ODD: Readonly<Record<string, { kinds: readonly Kind[]; alter: (random: Random, kind: Kind) => Alter }>> = {
  'shifted and narrow features': {
    kinds: ['squared', 'huber', 'logistic', 'poisson'],
    alter: (_, kind) => (z, row) => {
      if (isEarly(row)) for (let j = 0; j < z.length; j++) z[j] = z[j]! / 100 - (kind === 'poisson' ? 1 : 3);
      return undefined;
    },
  },
  'a constant feature that moves on': {
    kinds: ['squared', 'huber', 'logistic', 'poisson'],
    alter: () => (z, row) => {
      z[0] = isEarly(row) ? -1 : z[0]! + 1;
      return undefined;
    },
  },
  'a late level': {
    kinds: ['squared', 'huber', 'logistic', 'poisson'],
    alter: random => (z, row) => {
      z[1] = uniform(random) < 0.05 && !isEarly(row) ? 1 : 0;
      return undefined;
    },
  },
  'one class, or no count': { kinds: ['logistic', 'poisson'], alter: () => (_, row) => (isEarly(row) ? 0 : undefined) },
};

/** The root mean square error over that of the batch fit on all rows, of a stream that begins oddly. */
export function afterOddBeginning(name: string, kind: Kind, repeats: number): number {
  const world: World = { features: 8, kind, rho: 0.3 };
  const truth = trueFit(world);
  const plan = planOnline({ features: 8, loss: lossOf(kind), chunk: 500 });
  let [own, batch] = [0, 0];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `${name} ${kind}`);
    const rows = rowsOf(world, ODD_ROWS, random, { alter: ODD[name]!.alter(random, kind) });
    own += errorOf(world, plan.rule.iterate(runOver(plan, rows)), truth);
    batch += errorOf(world, batchFit(kind, rows), truth);
  }
  return round(rootRatio(own, batch));
}

/** Two chunks of 100 have rubbish: the root mean square error over that without it. */
export function afterRubbish(kind: 'squared' | 'huber', repeats: number): { ratio: number; aside: number } {
  const world: World = { features: 8, kind, rho: 0.3 };
  const truth = trueFit(world);
  const plan = planOnline({ features: 8, loss: lossOf(kind), chunk: 500 });
  let [own, clean, aside] = [0, 0, 0];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const rows = rowsOf(world, ODD_ROWS, seeded(repeat, 'rubbish'));
    clean += errorOf(world, plan.rule.iterate(runOver(plan, rows)), truth);
    const random = seeded(repeat, 'wild');
    for (const chunk of [40, 70])
      for (let i = 500 * chunk; i < 500 * (chunk + 1); i++) rows.target[i] = 50 + 20 * normal(random);
    const last = runOver(plan, rows);
    own += errorOf(world, plan.rule.iterate(last), truth);
    aside += last.aside;
  }
  return { ratio: round(rootRatio(own, clean)), aside: aside / repeats };
}

/** The share of streams whose truth was ever outside of an any-time interval, over coefficients; and now, at the end. */
export function coverage(
  world: World,
  { chunk, chunks, streams }: { chunk: number; chunks: number; streams: number },
): { ever: number; now: number; fixed: number } {
  const truth = trueFit(world);
  for (let j = 0; j < world.features; j++) truth[world.features]! -= truth[j]!;
  const plan = planOnline({ features: world.features, loss: lossOf(world.kind), chunk, onAlarm: 'note' });
  const step = stepper(plan);
  const size = truth.length;
  let [ever, now, fixed] = [0, 0, 0];
  for (let stream = 0; stream < streams; stream++) {
    const random = seeded(stream, `coverage ${world.kind}`);
    let state = plan.rule.init(plan.start);
    const missed = new Set<number>();
    const missedFixed = new Set<number>();
    for (let t = 0; t < chunks; t++) {
      state = step(state, rowsOf(world, plan.steps.at(t)!.rows, random));
      const report = reportOnline(state, plan);
      for (let j = 0; j < size; j++) {
        if (isOutside(report.anyTime[j], truth[j]!)) missed.add(j);
        if (isOutside(report.now[j], truth[j]!)) missedFixed.add(j);
      }
    }
    const { now: last } = reportOnline(state, plan);
    ever += missed.size;
    fixed += missedFixed.size;
    for (let j = 0; j < size; j++) if (isOutside(last[j], truth[j]!)) now++;
  }
  const all = streams * size;
  return { ever: round(ever / all), now: round(now / all), fixed: round(fixed / all) };
}

const isOutside = (interval: readonly [number, number] | null | undefined, value: number): boolean =>
  interval !== null && interval !== undefined && (value < interval[0] || value > interval[1]);

/** What chunks say where nothing changes, for each coordinate. */
export const SERIES: Readonly<Record<string, (random: Random) => (t: number, before: number) => number>> = {
  'independent, normal': random => () => normal(random),
  'independent, t with 5 degrees': random => () => studentT(random, 5),
  'independent, skewed': random => () => -Math.log(1 - uniform(random)) - 1,
  'a spread that drifts': random => t => normal(random) * Math.exp(Math.sin(t / 800)),
  'a spread that doubles': random => t => normal(random) * (t > 1000 ? 2 : 1),
  'autocorrelated by .3': random => (_, before) => 0.3 * before + normal(random),
  'autocorrelated by .6': random => (_, before) => 0.6 * before + normal(random),
};

/** False alarms in 10,000 chunks of six coordinates, in series of 3,000 chunks as in streams that begin. */
export function falseAlarms(name: string, chunks: number): number {
  const watch = shiryaevRoberts();
  const length = 3000;
  let alarms = 0;
  for (let series = 0; series < chunks / length; series++) {
    const random = seeded(series, name);
    const draw = SERIES[name]!(random);
    let state = watch.begin(6);
    const values = new Float64Array(6);
    for (let t = 0; t < length; t++) {
      for (let j = 0; j < 6; j++) values[j] = draw(t, values[j]!);
      const next = watch.next(state, values);
      state = next.watch;
      if (next.alarm !== null) alarms++;
    }
  }
  return round((alarms / chunks) * 10_000);
}

/** False alarms of the estimator in 10,000 chunks of 200 rows. */
export function estimatorAlarms(kind: Kind, chunks: number): number {
  const world: World = { features: 5, kind, rho: 0.5 };
  const plan = planOnline({ features: 5, loss: lossOf(kind), chunk: 200, onAlarm: 'note' });
  const step = stepper(plan);
  const length = 1500;
  let alarms = 0;
  for (let series = 0; series < chunks / length; series++) {
    const random = seeded(series, `alarms ${kind}`);
    let state = plan.rule.init(plan.start);
    for (let t = 0; t < length; t++) {
      const before = state.alarm?.step;
      state = step(state, rowsOf(world, plan.steps.at(t)!.rows, random));
      if (state.alarm?.step !== before) alarms++;
    }
  }
  return round((alarms / chunks) * 10_000);
}

/** The median number of chunks until a jump of a coefficient, in standard errors of one chunk's estimate, is found. */
export function delays(
  jump: number,
  { after, rho = 0, repeats }: { after: number; rho?: number; repeats: number },
): { median: number; p90: number; missed: number } {
  const world: World = { features: 5, kind: 'squared', rho };
  const chunk = 200;
  const plan = planOnline({ features: 5, loss: lossOf('squared'), chunk, onAlarm: 'note' });
  const step = stepper(plan);
  // The variance of one coefficient of equicorrelated features: (1 + (p - 2) rho)/((1 - rho)(1 + (p - 1) rho)).
  const error = Math.sqrt((1 + 3 * rho) / ((1 - rho) * (1 + 4 * rho)) / chunk);
  const moved = truthOf(world);
  moved[2]! += jump * error;
  const found: number[] = [];
  const most = 400;
  let shared: InformationState | undefined;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `delays ${after} ${rho}`);
    let state = shared ?? plan.rule.init(plan.start);
    for (let t = state.step; t < after; t++) state = step(state, rowsOf(world, plan.steps.at(t)!.rows, random));
    const before = state.alarm?.step;
    let delay = 0;
    while (delay < most && state.alarm?.step === before) {
      state = step(state, rowsOf(world, chunk, random, { truth: moved }));
      delay++;
    }
    found.push(state.alarm?.step === before ? Infinity : delay);
  }
  found.sort((a, b) => a - b);
  const at = (share: number): number => found[Math.floor(share * found.length)]!;
  return { median: at(0.5), p90: at(0.9), missed: found.filter(delay => delay === Infinity).length / found.length };
}

/** Forgetting: the rows that an estimate is worth, in units of `forget`; coverage now; and recovery from a jump, in `forget`. */
export function forgetting(
  kind: Kind,
  { chunk = 200, forget = 4000, repeats }: { chunk?: number; forget?: number; repeats: number },
): { worth: number; outside: number; recovery: number } {
  const world: World = { features: 5, kind, rho: 0.5 };
  const options: OnlinePlanOptions = { features: 5, loss: lossOf(kind), chunk, forget, onAlarm: 'note' };
  const plan = planOnline(options);
  const step = stepper(plan);
  const truth = trueFit(world);
  const inData = truth.slice();
  for (let j = 0; j < 5; j++) inData[5]! -= inData[j]!;
  const jumped = truth.map((value, j) => (j === 1 ? value + 1 : value));
  let [error, outside, recovery] = [0, 0, 0];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `forgetting ${kind}`);
    let state = plan.rule.init(plan.start);
    const go = (chunks: number, of: Vector): void => {
      for (let t = 0; t < chunks; t++)
        state = step(state, rowsOf(world, plan.steps.at(state.step)!.rows, random, { truth: of }));
    };
    go((10 * forget) / chunk, truth);
    error += errorOf(world, plan.rule.iterate(state), truth);
    reportOnline(state, plan).now.forEach((interval, j) => {
      if (isOutside(interval, inData[j]!)) outside++;
    });
    const before = rootRatio(errorOf(world, plan.rule.iterate(state), truth), 1);
    let taken = 0;
    for (; taken < (20 * forget) / chunk; taken++) {
      go(1, jumped);
      if (Math.sqrt(errorOf(world, plan.rule.iterate(state), jumped)) < Math.max(0.05, 1.5 * before)) break;
    }
    recovery += (taken * chunk) / forget;
  }
  const perRow = 6 * (kind === 'huber' ? 1.05 : 1);
  return {
    worth: round(perRow / (error / repeats) / forget),
    outside: round(outside / (6 * repeats)),
    recovery: round(recovery / repeats),
  };
}
