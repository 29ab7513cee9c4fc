/** What must be shown of the online estimator, measured by the product's own code. Every function takes how many repeats. */
import { reportOnline } from '../../src/inference/online/onlineReport.ts';
import { anyTimeFactor } from '../../src/inference/online/privateIntervals.ts';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { studentQuantile } from '../../src/math/studentTail.ts';
import type { Vector } from '../../src/math/vector.ts';
import { shiryaevRoberts } from '../../src/method/rule/shiryaevRoberts.ts';
import { type OnlinePlanOptions, planOnline } from '../../src/plan/online/planOnline.ts';
import { rowsBetween, type SampleBatch } from '../../src/sample/sampleBatch.ts';
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
import { rootOf } from './statistics.ts';

/** Root mean square error over that of the batch fit on the same rows, after so many chunks, and its standard error. */
export function againstBatch(
  world: World,
  chunk: number,
  at: readonly number[],
  repeats: number,
): ReadonlyMap<number, ReturnType<typeof rootOf>> {
  const truth = trueFit(world);
  const plan = planOnline({ features: world.features, loss: lossOf(world.kind), chunk });
  const errors = new Map(at.map(t => [t, { own: [] as number[], batch: [] as number[] }]));
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `${world.kind} ${world.features}`);
    const rows = rowsOf(world, plan.figures.pilot + chunk * (Math.max(...at) - 1), random);
    runOver(plan, rows, (state, used) => {
      const found = errors.get(state.step);
      found?.own.push(errorOf(world, plan.rule.iterate(state), truth));
      found?.batch.push(errorOf(world, batchFit(world.kind, rowsBetween(rows, 0, used)), truth));
    });
  }
  return new Map([...errors].map(([t, { own, batch }]) => [t, rootOf(own, batch)]));
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
export function afterOddBeginning(name: string, kind: Kind, repeats: number): ReturnType<typeof rootOf> {
  const world: World = { features: 8, kind, rho: 0.3 };
  const truth = trueFit(world);
  const plan = planOnline({ features: 8, loss: lossOf(kind), chunk: 500 });
  const [own, batch]: [number[], number[]] = [[], []];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `${name} ${kind}`);
    const rows = rowsOf(world, ODD_ROWS, random, { alter: ODD[name]!.alter(random, kind) });
    own.push(errorOf(world, plan.rule.iterate(runOver(plan, rows)), truth));
    batch.push(errorOf(world, batchFit(kind, rows), truth));
  }
  return rootOf(own, batch);
}

/** Two chunks of 100 have rubbish: the root mean square error over that without it. */
export function afterRubbish(kind: 'squared' | 'huber', repeats: number) {
  const world: World = { features: 8, kind, rho: 0.3 };
  const truth = trueFit(world);
  const plan = planOnline({ features: 8, loss: lossOf(kind), chunk: 500 });
  const [own, clean]: [number[], number[]] = [[], []];
  let aside = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const rows = rowsOf(world, ODD_ROWS, seeded(repeat, 'rubbish'));
    clean.push(errorOf(world, plan.rule.iterate(runOver(plan, rows)), truth));
    const random = seeded(repeat, 'wild');
    for (const chunk of [40, 70])
      for (let i = 500 * chunk; i < 500 * (chunk + 1); i++) rows.target[i] = 50 + 20 * normal(random);
    const last = runOver(plan, rows);
    own.push(errorOf(world, plan.rule.iterate(last), truth));
    aside += last.aside;
  }
  return { ...rootOf(own, clean), aside: aside / repeats };
}

/** Numbers of chunks up to which "ever" is counted. */
export const SEEN_AT: readonly number[] = [2, 5, 10, 20, 50, 100, 200, 300, 500];

/** The share of intervals that were ever wrong up to so many chunks, of those that may be watched and of those that hold now. */
function everWrong(intervals: number) {
  const first = { anyTime: [] as number[], fixed: [] as number[] };
  return {
    miss: (kind: 'anyTime' | 'fixed', chunk: number): void => void first[kind].push(chunk),
    shares: (chunks: number): Record<string, number> => {
      const upTo = (kind: 'anyTime' | 'fixed', most: number): number =>
        first[kind].filter(chunk => chunk <= most).length / intervals;
      const at = SEEN_AT.filter(t => t <= chunks);
      return {
        ever: upTo('anyTime', chunks),
        fixed: upTo('fixed', chunks),
        ...Object.fromEntries(at.map(t => [`ever ${t}`, upTo('anyTime', t)])),
        ...Object.fromEntries(at.map(t => [`fixed ${t}`, upTo('fixed', t)])),
      };
    },
  };
}

/** The shares of coefficients whose truth was ever outside of their intervals, and outside now, at the end. */
export function coverage(
  world: World,
  { chunk, chunks, streams }: { chunk: number; chunks: number; streams: number },
): Record<string, number> {
  const truth = trueFit(world);
  for (let j = 0; j < world.features; j++) truth[world.features]! -= truth[j]!;
  const plan = planOnline({ features: world.features, loss: lossOf(world.kind), chunk, onAlarm: 'note' });
  const step = stepper(plan);
  const size = truth.length;
  const found = everWrong(streams * size);
  let now = 0;
  for (let stream = 0; stream < streams; stream++) {
    const random = seeded(stream, `coverage ${world.kind}`);
    let state = plan.rule.init(plan.start);
    const missed = { anyTime: new Set<number>(), fixed: new Set<number>() };
    for (let t = 0; t < chunks; t++) {
      state = step(state, rowsOf(world, plan.steps.at(t)!.rows, random));
      const report = reportOnline(state, plan);
      for (const [kind, intervals] of [['anyTime', report.anyTime] as const, ['fixed', report.now] as const])
        for (let j = 0; j < size; j++) {
          if (!isOutside(intervals[j], truth[j]!) || missed[kind].has(j)) continue;
          missed[kind].add(j);
          found.miss(kind, t + 1);
        }
    }
    const { now: last } = reportOnline(state, plan);
    for (let j = 0; j < size; j++) if (isOutside(last[j], truth[j]!)) now++;
  }
  return { ...found.shares(chunks), now: now / (streams * size) };
}

/** Laws of what independent chunks say of a mean of 0. */
export const CHUNK_VALUES: Readonly<Record<string, (random: Random) => number>> = {
  normal,
  exponential: random => -Math.log(1 - uniform(random)) - 1,
};

/** The same of the mean of chunk values of a law, by the intervals of private streams. */
export function coverageOfValues(name: string, { chunks, streams }: { chunks: number; streams: number }) {
  const found = everWrong(streams);
  const factors = Array.from({ length: chunks + 1 }, (_, n) =>
    n < 2 ? null : { anyTime: anyTimeFactor(n, n - 1, 0.05), fixed: studentQuantile(0.975, n - 1) },
  );
  for (let stream = 0; stream < streams; stream++) {
    const random = seeded(stream, `values ${name}`);
    const isMissed = { anyTime: false, fixed: false };
    let [mean, squares] = [0, 0];
    for (let n = 1; n <= chunks; n++) {
      const value = CHUNK_VALUES[name]!(random);
      squares += ((n - 1) / n) * (value - mean) ** 2;
      mean += (value - mean) / n;
      const error = Math.sqrt(squares / (n - 1) / n);
      for (const kind of ['anyTime', 'fixed'] as const) {
        const factor = factors[n]?.[kind];
        if (isMissed[kind] || factor === null || factor === undefined || Math.abs(mean) <= factor * error) continue;
        isMissed[kind] = true;
        found.miss(kind, n);
      }
    }
  }
  return found.shares(chunks);
}

const isOutside = (interval: readonly [number, number] | null | undefined, value: number): boolean =>
  interval !== null && interval !== undefined && (value < interval[0] || value > interval[1]);

/** What chunks say where nothing changes, for each coordinate. */
export const SERIES: Readonly<Record<string, (random: Random) => (t: number, before: number) => number>> = {
  'independent, normal': random => () => normal(random),
  'independent, t with 5 degrees': random => () => studentT(random, 5),
  'independent, of skewness 1': random => () => {
    let sum = -4;
    for (let k = 0; k < 4; k++) sum -= Math.log(1 - uniform(random));
    return sum / 2;
  },
  'a spread that drifts by a half and back': random => t => normal(random) * 1.5 ** Math.sin(t / 500),
  'a spread that doubles once in 3,000 chunks': random => t => normal(random) * (t > 1000 ? 2 : 1),
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
  return (alarms / chunks) * 10_000;
}

/** False alarms of the estimator in 10,000 chunks of 200 rows, in streams of 1,500; `doubles`: noise does, after 700. */
export function estimatorAlarms(kind: Kind, chunks: number, doubles = false): number {
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
      const rows = rowsOf(world, plan.steps.at(t)!.rows, random);
      if (doubles && t >= 700) addNoise(rows, random);
      state = step(state, rows);
      if (state.alarm?.step !== before) alarms++;
    }
  }
  return (alarms / chunks) * 10_000;
}

/** Makes normal noise of variance 1 one of variance 4. */
function addNoise({ rows, target }: SampleBatch, random: Random): void {
  for (let i = 0; i < rows; i++) target[i]! += Math.sqrt(3) * normal(random);
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
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `delays ${after} ${rho}`);
    let state = plan.rule.init(plan.start);
    for (let t = 0; t < after; t++) state = step(state, rowsOf(world, plan.steps.at(t)!.rows, random));
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
): { worth: number | null; outside: number; recovery: number } {
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
    const before = Math.sqrt(errorOf(world, plan.rule.iterate(state), truth));
    let taken = 0;
    for (; taken < (20 * forget) / chunk; taken++) {
      go(1, jumped);
      if (Math.sqrt(errorOf(world, plan.rule.iterate(state), jumped)) < Math.max(0.05, 1.5 * before)) break;
    }
    recovery += (taken * chunk) / forget;
  }
  // The error of one row's share, where that is known: k times the variance, 1.05 for pseudo-Huber.
  const perRow = kind === 'squared' ? 6 : kind === 'huber' ? 6.3 : null;
  return {
    worth: perRow === null ? null : perRow / (error / repeats) / forget,
    outside: outside / (6 * repeats),
    recovery: recovery / repeats,
  };
}

/** Where the error is looked at after a jump, in rows that are remembered. */
export const AFTER_JUMP: readonly number[] = [0, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8];

/** The error after one coefficient jumped by 1, over that before, of a stream that forgets, begins anew, or does neither. */
export function recovery(
  way: 'forget' | 'restart' | 'note',
  { chunk = 200, forget = 4000, repeats }: { chunk?: number; forget?: number; repeats: number },
): Record<string, number> {
  const world: World = { features: 5, kind: 'huber', rho: 0.5 };
  const plan = planOnline({
    ...{ features: 5, loss: lossOf('huber'), chunk },
    ...(way === 'forget' ? { forget, onAlarm: 'note' as const } : { onAlarm: way }),
  });
  const step = stepper(plan);
  const truth = truthOf(world);
  const jumped = truth.map((value, j) => (j === 1 ? value + 1 : value));
  const sums = AFTER_JUMP.map(() => 0);
  let before = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = seeded(repeat, `recovery ${way}`);
    let state = plan.rule.init(plan.start);
    const go = (chunks: number, of: Vector): void => {
      for (const last = state.step + chunks; state.step < last; )
        state = step(state, rowsOf(world, plan.steps.at(state.step)!.rows, random, { truth: of }));
    };
    go((10 * forget) / chunk, truth);
    before += errorOf(world, plan.rule.iterate(state), truth);
    AFTER_JUMP.forEach((at, k) => {
      go(((at - (AFTER_JUMP[k - 1] ?? 0)) * forget) / chunk, jumped);
      sums[k]! += errorOf(world, plan.rule.iterate(state), jumped);
    });
  }
  return {
    before: Math.sqrt(before / repeats),
    ...Object.fromEntries(AFTER_JUMP.map((at, k) => [`${at}`, Math.sqrt(sums[k]! / repeats)])),
  };
}
