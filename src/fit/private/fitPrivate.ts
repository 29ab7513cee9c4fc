import { lastValueFrom, type Observable, tap } from 'rxjs';
import { aggregateBy } from '../../flow/aggregateBy.ts';
import { descend } from '../../flow/descend.ts';
import { type IntegerKernel, integerSums } from '../../flow/integerSums.ts';
import type { Iterate } from '../../flow/iterate.ts';
import { perturb } from '../../flow/perturb.ts';
import { remembered } from '../../flow/remembered.ts';
import type { Stage } from '../../flow/stage.ts';
import { type Fit, summarize } from '../../flow/summarize.ts';
import type { PrivateFit } from '../../inference/fittedRun.ts';
import { settling } from '../../inference/intervals/private/settling.ts';
import type { Random } from '../../math/random/random.ts';
import { secure } from '../../math/random/secure.ts';
import { distance, type Vector, zeros } from '../../math/vector.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { discreteGaussianMechanism } from '../../privacy/discreteGaussianMechanism.ts';
import type { PrivacyEvent } from '../../privacy/event.ts';
import type { IntegerNoise } from '../../privacy/integerNoise.ts';
import type { KeptReleases } from '../../privacy/keptReleases.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Chunk } from '../../sample/chunk.ts';
import { requireTarget, type Samples } from '../../sample/samples.ts';
import { requireScratch } from '../../sample/shuffle/scatter.ts';
import { mostPerUnit, requireLimited } from '../../sample/transform/perUnit.ts';
import { scaledSamples } from '../../sample/transform/scaledSamples.ts';
import { unscale } from '../../sample/transform/scaling.ts';
import { unwhiten } from '../../sample/transform/whitening.ts';
import { isShuffled, type RowOrder, requireRows, withChunks } from '../input/withChunks.ts';
import { nothing, plannedReleases, type RowsElsewhere, releaseCurvature, whitenRows } from './releases.ts';

/** How a private plan is run: its randomness, its kernel, and who watches. */
export interface PrivateRun extends RowOrder {
  /** Of the noise. Anything but `secure()` makes a simulation, and its ledger says so. */
  readonly random?: Random;
  /** What computes integer sums; compiled code on this thread unless given. */
  readonly kernel?: IntegerKernel;
  /** Wraps the mechanism, to keep a ledger file for example. */
  readonly wrap?: (mechanism: Mechanism) => Mechanism;
  /** Keeps the releases of the run, whose costs it is given, so that a later process can go on; instead of `wrap`. */
  readonly keep?: (events: readonly PrivacyEvent[]) => KeptReleases;
  /** Sees every iterate. */
  readonly onIterate?: (iterate: Iterate) => void;
  /** Where rows that are not read here answer, scaled as the plan says; `samples` then only says what they are. */
  readonly elsewhere?: RowsElsewhere;
}

/**
 * Refuses a folder that would not take the rows of a private run, which are scattered after its first releases are paid
 * for. `fitPrivate` begins with it; who keeps a ledger file asks before its run begins.
 */
export async function requirePrivateScratch(
  samples: Pick<Samples, 'rows' | 'features'>,
  { plan }: Pick<PrivatePlan, 'plan'>,
  { order, ...storage }: RowOrder = {},
): Promise<void> {
  // Scaled rows have weights, whatever those of the source have.
  if (isShuffled(plan, order)) await requireScratch({ ...samples, weighted: true }, storage);
}

/**
 * A private run: rows moved into their declared bounds and scaled by them, second moments of them where the plan wants
 * these first, integer sums of their gradients, noise, a descent on what was released, and after second moments the curvature
 * of the risk where they end.
 *
 * Guarantee. That of the plan (`plan/private/planPrivate.ts`), provided that noise comes from `secure()`. What leaves this
 * function was released by the mechanism, or is public: second moments, iterates, their gradients, how the risk curves
 * where they end, the plan, numbers of rows.
 */
export async function fitPrivate(
  samples: Samples,
  privatePlan: PrivatePlan,
  { random = secure(), kernel, wrap = mechanism => mechanism, keep, onIterate, elsewhere, ...order }: PrivateRun = {},
): Promise<PrivateFit> {
  const { plan, noise, scaling, clip } = privatePlan;
  const { estimation } = plan;
  if (estimation.kind !== 'blocks') throw new Error('a private plan estimates from block sums');
  requireTarget(samples);
  requireRows(samples, plan);
  requireLimited(mostPerUnit(samples), plan.privacy?.unitRows);
  if (elsewhere === undefined) await requirePrivateScratch(samples, privatePlan, order);
  const scaled = elsewhere ?? scaledSamples(samples, scaling);
  const kept = keep?.(
    plannedReleases(privatePlan).map(({ noise, release }) => discreteGaussianMechanism(noise, random).event(release)),
  );
  const mechanismFor = (noise: IntegerNoise): Mechanism =>
    (kept?.wrap ?? wrap)(discreteGaussianMechanism(noise, random));
  const { rows, spent, whitening, start } = await whitenRows(scaled, privatePlan, mechanismFor);
  const inScale = (theta: Vector): Vector => (whitening === null ? theta : unwhiten(theta, whitening));
  const rest = settling(privatePlan);
  const quantization = clip === null ? noise : { ...noise, clip };
  const descended = (chunks: Observable<Chunk>, sums: Stage<'step', 'sums'>): Promise<Fit> =>
    lastValueFrom(
      chunks.pipe(
        descend(
          { ...plan, spent, start },
          passedOver(sums, privatePlan, (kept?.known ?? 0) - (privatePlan.moments === null ? 0 : 1)),
          perturb(mechanismFor(noise), plan),
          aggregateBy(estimation.aggregator),
        ),
        tap(iterate => {
          rest.see(iterate);
          onIterate?.({ ...iterate, theta: inScale(iterate.theta) });
        }),
        summarize(plan),
      ),
    );
  const asked = 'steps' in rows ? rows.steps(plan, quantization) : null;
  const found = await (asked === null
    ? withChunks(rows as Samples, plan, order, chunks => descended(chunks, integerSums(plan, quantization, kernel)))
    : descended(asked.chunks, asked.sums));
  const last =
    whitening === null
      ? null
      : await releaseCurvature(rows, privatePlan, found, mechanismFor(privatePlan.curvatureRelease!.noise));
  const fit = { ...found, theta: inScale(found.theta), ledger: last?.ledger ?? found.ledger };
  return {
    theta: unscale(fit.theta, scaling),
    fit,
    released: whitening &&
      last && {
        whitening,
        curvature: last.released,
        rest: { mean: rest.mean(), variance: rest.variance()! },
        gone: distance(found.theta, start ?? zeros(found.theta.length)),
      },
    pull: rest.pull(),
  };
}

/** Does not read the rows of the first steps, whose releases are known: their mechanism looks at no sums. */
const passedOver = (
  sums: Stage<'step', 'sums'>,
  { plan: { steps, start }, noise }: PrivatePlan,
  known: number,
): Stage<'step', 'sums'> =>
  known <= 0
    ? sums
    : remembered(sums, {
        known: Math.min(known, steps.length),
        at: step => nothing(start.length, steps[step]!.rowsPerBlock, noise, steps[step]!.blocks),
        keep: () => {},
      });
