import { lastValueFrom, type Observable, tap } from 'rxjs';
import { aggregateBy } from '../../flow/aggregateBy.ts';
import { blockSums } from '../../flow/blockSums.ts';
import { descend } from '../../flow/descend.ts';
import { gramSums, suitsGram } from '../../flow/gramSums.ts';
import { huberGradient } from '../../flow/huberGradient.ts';
import type { Iterate } from '../../flow/iterate.ts';
import { passes } from '../../flow/passes.ts';
import { perturb } from '../../flow/perturb.ts';
import { split } from '../../flow/split.ts';
import type { Random } from '../../math/random/random.ts';
import { seeded } from '../../math/random/seeded.ts';
import type { Vector } from '../../math/vector.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import { simulatedGaussian } from '../../privacy/simulatedGaussian.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../sample/samples.ts';
import type { Figure, FigureStudy, Point } from './figure.ts';
import { type ArenaMaker, withArenas } from './withArenas.ts';

export interface RunOptions {
  /** Only this reading; all of them unless given. */
  readonly reading?: string;
  /** Only these n. */
  readonly sizes?: readonly number[];
  /** Called with the work of every finished run. */
  readonly onWork?: (work: number) => void;
}

/**
 * All points of a figure for one seed. The rows of a smaller n are the first of a larger one, and all series see the
 * same rows.
 */
export async function runFigure(figure: Figure, seed: number, options: RunOptions = {}): Promise<Point[]> {
  const points: Point[] = [];
  for (const study of figure.studies) {
    const runs = runsOf(study, options);
    if (runs.length > 0) await withArenas(arena => runStudy(study, runs, arena));
  }
  return points;

  async function runStudy(study: FigureStudy, runs: readonly Run[], arena: ArenaMaker): Promise<void> {
    const { batch, truth } = study.sample(Math.max(...runs.map(({ rows }) => rows)), seed, { arena });
    const measures = new Map(
      runs.map(({ rows }) => [rows, study.measure(rowsBetween(batch, 0, rows), truth)] as const),
    );
    for (const { reading, series, rows, plan } of runs) {
      const measure = measures.get(rows)!;
      const add = (x: number, theta: Float64Array): void => {
        const value = measure(theta);
        // An overflowed run has no error, which a file can only record as NaN.
        points.push({ reading, series, x, value: Number.isFinite(value) ? value : NaN });
      };
      const noise = simulatedGaussian(seeded(seed, `${figure.name}, ${series}, ${rows}`));
      const iterates = iteratesOf(plan, samplesOf(rowsBetween(batch, 0, rows)), noise);
      if (figure.overSteps) {
        // Nesterov's method starts with theta_0 and theta_1 given, so its theta_t comes after t - 1 gradients.
        const given = plan.rule.name === 'nesterov' ? 2 : 1;
        for (let t = 0; t < given; t++) add(t, plan.start);
        const most = plan.steps.length;
        await lastValueFrom(
          iterates.pipe(tap(({ step, theta }) => step + given - 1 <= most && add(step + given - 1, theta))),
        );
      } else {
        add(rows, (await lastValueFrom(iterates)).theta);
      }
      options.onWork?.(workOf(plan));
    }
  }
}

/** Runs the plan over any rows, with the same operators that users have. */
export function iteratesOf(plan: Plan, samples: Samples, noise: Mechanism): Observable<Iterate> {
  const { estimation, mode, steps, privacy } = plan;
  const chunks =
    mode === 'full' ? passes(samples, steps.length) : split(samples, { chunks: steps.map(({ rows }) => rows) });
  if (estimation.kind === 'huber') return chunks.pipe(descend(plan, huberGradient(plan, estimation)));
  const sums = suitsGram(plan) ? gramSums(plan) : blockSums(plan);
  const aggregate = aggregateBy(estimation.aggregator);
  return chunks.pipe(
    privacy === null ? descend(plan, sums, aggregate) : descend(plan, sums, perturb(noise, plan), aggregate),
  );
}

/** Where the plan ends on these rows, with noise from this stream where it has any. */
export async function lastTheta(plan: Plan, data: SampleBatch, random: Random): Promise<Vector> {
  return (await lastValueFrom(iteratesOf(plan, samplesOf(data), simulatedGaussian(random)))).theta;
}

/** The work for one seed of a figure. */
export const figureWork = (figure: Figure, options: RunOptions = {}): number =>
  figure.studies.flatMap(study => runsOf(study, options)).reduce((sum, { plan }) => sum + workOf(plan), 0);

/**
 * In rows of four columns, as measured: a step costs as much as 3,000, a coordinate of a block's median as 15; Gram
 * matrices are read once.
 */
const workOf = (plan: Plan): number => {
  const kept = suitsGram(plan);
  return plan.steps.reduce((sum, { rows, blocks }, t) => {
    const medians = blocks > 1 ? 15 * blocks * plan.features : 0;
    return sum + 3000 + medians + (kept && t > 0 ? 0 : (rows * plan.features) / 4);
  }, 0);
};

interface Run {
  readonly reading: string;
  readonly series: string;
  readonly rows: number;
  readonly plan: Plan;
}

const known = new WeakMap<FigureStudy, Map<string, readonly Run[]>>();

/** Plans do not depend on the seed, so those of a study are made once. */
function runsOf(study: FigureStudy, options: RunOptions): readonly Run[] {
  const ofStudy = known.get(study) ?? new Map<string, readonly Run[]>();
  known.set(study, ofStudy);
  const key = JSON.stringify([options.reading, options.sizes]);
  const runs = ofStudy.get(key) ?? plannedRuns(study, options);
  ofStudy.set(key, runs);
  return runs;
}

function plannedRuns(study: FigureStudy, { reading: only, sizes: wanted }: RunOptions): Run[] {
  return study.readings
    .filter(({ name }) => only === undefined || name === only)
    .flatMap(({ name, sizes = study.sizes, plans }) =>
      sizes
        .filter(rows => wanted === undefined || wanted.includes(rows))
        .flatMap(rows => Object.entries(plans(rows)).map(([series, plan]) => ({ reading: name, series, rows, plan }))),
    );
}
