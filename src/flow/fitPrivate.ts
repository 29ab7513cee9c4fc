/**
 * A private run: rows moved into their declared bounds and scaled by them, second moments of them where the plan wants
 * these first, integer sums of their gradients, noise, a descent on what was released, and behind second moments a last
 * look.
 *
 * Guarantee. That of the plan (`plan/planPrivate.ts`), provided that noise comes from `secure()`. What leaves this
 * function was released by the mechanism, or is public: second moments, iterates, their gradients, how the risk curves
 * where they end, the plan, numbers of rows.
 */
import { lastValueFrom, tap } from 'rxjs';
import { distance, type Vector, zeros } from '../math/vector.ts';
import type { PrivatePlan } from '../plan/private/planPrivate.ts';
import type { Released } from '../plan/private/privateUncertainty.ts';
import { discreteGaussianMechanism } from '../privacy/discreteGaussianMechanism.ts';
import type { IntegerNoise } from '../privacy/integerNoise.ts';
import type { Mechanism } from '../privacy/mechanism.ts';
import type { Random } from '../random/random.ts';
import { secure } from '../random/secure.ts';
import { requireTarget } from '../sample/requireTarget.ts';
import type { Samples } from '../sample/samples.ts';
import { unscale } from '../sample/scaling.ts';
import { unwhiten } from '../sample/whitening.ts';
import { scaledSamples } from '../source/scaledSamples.ts';
import { requireScratch } from '../source/scatter.ts';
import { aggregateBy } from './aggregateBy.ts';
import { descend } from './descend.ts';
import { type IntegerKernel, integerSums } from './integerSums.ts';
import type { Iterate } from './iterate.ts';
import { perturb } from './perturb.ts';
import { releaseLook } from './releaseLook.ts';
import { settling } from './settling.ts';
import { type Fit, summarize } from './summarize.ts';
import { whitenRows } from './whitenRows.ts';
import { isShuffled, type RowOrder, requireRows, withChunks } from './withChunks.ts';

export interface PrivateRun extends RowOrder {
  /** Of the noise. Anything but `secure()` makes a simulation, and its ledger says so. */
  readonly random?: Random;
  readonly kernel?: IntegerKernel;
  /** Wraps the mechanism, to keep a ledger file for example. */
  readonly wrap?: (mechanism: Mechanism) => Mechanism;
  readonly onIterate?: (iterate: Iterate) => void;
}

/** `theta` is in the units of the data; `fit.theta` in those of the scaled rows. */
export interface PrivateFit {
  readonly theta: Float64Array;
  readonly fit: Fit;
  /** What second moments, a last look and the path of the steps showed; null where there were only steps. */
  readonly released: Released | null;
  /**
   * The mean of the last gradients, over what noise explains: above 1, the descent had not converged (settling.ts).
   * Null where that is unknown.
   */
  readonly pull: number | null;
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

export async function fitPrivate(
  samples: Samples,
  privatePlan: PrivatePlan,
  { random = secure(), kernel, wrap = mechanism => mechanism, onIterate, ...order }: PrivateRun = {},
): Promise<PrivateFit> {
  const { plan, noise, scaling, clip } = privatePlan;
  const { estimation } = plan;
  if (estimation.kind !== 'blocks') throw new Error('a private plan estimates from block sums');
  requireTarget(samples);
  requireRows(samples, plan);
  await requirePrivateScratch(samples, privatePlan, order);
  const scaled = scaledSamples(samples, scaling);
  const mechanismFor = (noise: IntegerNoise): Mechanism => wrap(discreteGaussianMechanism(noise, random));
  const { rows, spent, whitening, start } = await whitenRows(scaled, privatePlan, mechanismFor);
  const inScale = (theta: Vector): Vector => (whitening === null ? theta : unwhiten(theta, whitening));
  const rest = settling(privatePlan);
  const found = await withChunks(rows, plan, order, chunks =>
    lastValueFrom(
      chunks.pipe(
        descend(
          { ...plan, spent, start },
          integerSums(plan, clip === null ? noise : { ...noise, clip }, kernel),
          perturb(mechanismFor(noise), plan),
          aggregateBy(estimation.aggregator),
        ),
        tap(iterate => {
          rest.see(iterate);
          onIterate?.({ ...iterate, theta: inScale(iterate.theta) });
        }),
        summarize(plan),
      ),
    ),
  );
  const looked =
    whitening === null
      ? null
      : await releaseLook(rows, privatePlan, found, mechanismFor(privatePlan.lastLook!.noise));
  const fit = { ...found, theta: inScale(found.theta), ledger: looked?.ledger ?? found.ledger };
  return {
    theta: unscale(fit.theta, scaling),
    fit,
    released: whitening &&
      looked && {
        whitening,
        look: looked.look,
        rest: { mean: rest.mean(), variance: rest.variance()! },
        gone: distance(found.theta, start ?? zeros(found.theta.length)),
      },
    pull: rest.pull(),
  };
}
