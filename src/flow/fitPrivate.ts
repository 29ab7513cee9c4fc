/**
 * A private run: rows moved into their declared bounds and scaled by them, integer sums of their gradients, noise, and a descent on what was released.
 *
 * Guarantee. That of the plan (`plan/planPrivate.ts`), provided that noise comes from `secure()`. What leaves this function was released by the
 * mechanism, or is public: iterates, their gradients, the plan, numbers of rows.
 */
import { lastValueFrom, tap } from 'rxjs';
import type { PrivatePlan } from '../plan/planPrivate.ts';
import { discreteGaussianMechanism } from '../privacy/discreteGaussianMechanism.ts';
import type { Mechanism } from '../privacy/mechanism.ts';
import type { Random } from '../random/random.ts';
import { secure } from '../random/secure.ts';
import type { Samples } from '../sample/samples.ts';
import { unscale } from '../sample/scaling.ts';
import { scaledSamples } from '../source/scaledSamples.ts';
import { aggregateBy } from './aggregateBy.ts';
import { descend } from './descend.ts';
import { type IntegerKernel, integerSums } from './integerSums.ts';
import type { Iterate } from './iterate.ts';
import { perturb } from './perturb.ts';
import { settling } from './settling.ts';
import { type Fit, summarize } from './summarize.ts';
import { type RowOrder, withChunks } from './withChunks.ts';

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
  /** How many times as long the last gradients are as noise explains, on average: above 1, the descent had not come to rest (settling.ts). Null where nobody can tell. */
  readonly pull: number | null;
}

export async function fitPrivate(
  samples: Samples,
  privatePlan: PrivatePlan,
  { random = secure(), kernel, wrap, onIterate, ...order }: PrivateRun = {},
): Promise<PrivateFit> {
  const { plan, noise, scaling, clip } = privatePlan;
  const { estimation } = plan;
  if (estimation.kind !== 'blocks') throw new Error('a private plan estimates from block sums');
  const mechanism = discreteGaussianMechanism(noise, random);
  const rest = settling(privatePlan);
  const fit = await withChunks(scaledSamples(samples, scaling), plan, order, chunks =>
    lastValueFrom(
      chunks.pipe(
        descend(
          plan,
          integerSums(plan, clip === null ? noise : { ...noise, clip }, kernel),
          perturb(wrap?.(mechanism) ?? mechanism, plan),
          aggregateBy(estimation.aggregator),
        ),
        tap(iterate => {
          rest.see(iterate);
          onIterate?.(iterate);
        }),
        summarize(plan),
      ),
    ),
  );
  return { theta: unscale(fit.theta, scaling), fit, pull: rest.pull() };
}
