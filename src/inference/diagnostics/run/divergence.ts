import type { Iterate } from '../../../flow/iterate.ts';
import type { Coordinates } from '../../../math/coordinates.ts';
import { symmetricEigen } from '../../../math/symmetricEigen.ts';
import { dot, norm, unitAlong, type Vector } from '../../../math/vector.ts';
import type { NamedLoss } from '../../../method/loss/lossByName.ts';
import { isFrankWolfe, type StepSettings } from '../../../plan/stepSettings.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { FittedRun } from '../../fittedRun.ts';
import type { Pilot } from '../../pilot/studyPilot.ts';
import { digits, type Note, severe, type Told } from '../notes.ts';
import { isPoorStart } from './settings.ts';

export interface Divergence {
  readonly stepSize: number;
  /** Lengths of the first gradient and of the last; null after a single step. */
  readonly first: number | null;
  readonly last: number | null;
  /** What shows it. */
  readonly by: 'gradients' | 'pilot' | 'last chunk';
  /** A step that converges; null where none is known. */
  readonly suggestedStep: number | null;
}

/** The gradients that are kept to the end. */
export interface Gradients {
  readonly first: Vector;
  readonly last: readonly [Vector, Vector];
}

/** Times the first gradient: sampling noise, or a start near the answer, makes none so much longer. */
const MUCH_LONGER = 10;

/** For oscillation: gradients of steps that converge are shorter by then, and seldom opposite to each other. */
const AS_LONG = 1 / 2;
const OPPOSITE = -1 / 2;

/** Of the coefficients: shorter steps are rounding errors. */
const ROUNDING = 1e-9;

/**
 * Whether steps of a given size diverged. Private runs are not examined, because their plans refuse such steps
 * beforehand.
 *
 * Gradients grow, or oscillate without getting shorter; or the pilot's rows have a larger loss than at the pilot's
 * estimate, as where a loss is flat far from it; or rows of the last fresh chunk have a larger loss than at the start.
 *
 * A suitable step is 1/c, c the largest curvature: the pilot's, or, for the squared loss, whose gradients grow by a
 * factor of r = eta c - 1 per step, (1 + r)/eta.
 */
export function divergenceOf(
  gradients: Gradients | null,
  {
    theta,
    settings,
    isSquared,
    pilot,
    endsWorse,
  }: {
    readonly theta: Vector;
    readonly settings: StepSettings;
    readonly isSquared: boolean;
    readonly pilot: { readonly batch: SampleBatch; readonly found: Pilot; readonly loss: NamedLoss } | null;
    /** Whether rows of the last fresh chunk have a larger loss than at the start (`worseThanStart.ts`). */
    readonly endsWorse: boolean;
  },
): Divergence | null {
  const { stepSize, method, layout, constraint, intercept } = settings;
  if (stepSize === undefined || isFrankWolfe(method)) return null;
  if (gradients === null) {
    return endsWorse
      ? Object.freeze({ stepSize, first: null, last: null, by: 'last chunk', suggestedStep: null })
      : null;
  }
  const [before, end] = gradients.last;
  const [first, last] = [norm(gradients.first), norm(end)];
  const swings = layout.mode === 'full' && dot(before, end) < OPPOSITE * norm(before) * last && last > AS_LONG * first;
  const leads = stepSize * last > ROUNDING * norm(theta) && (last > MUCH_LONGER * first || swings);
  const byPilot =
    pilot !== null &&
    constraint === undefined &&
    isPoorStart(pilot.batch, theta, { pilot: pilot.found, loss: pilot.loss, intercept });
  if (!leads && !byPilot && !endsWorse) return null;
  const growth = Math.max(1, last / norm(before));
  const suggestedStep = pilot
    ? 1 / steepest(pilot.found.estimate.coordinates)
    : isSquared
      ? stepSize / (1 + growth)
      : null;
  const by = leads ? 'gradients' : byPilot ? 'pilot' : 'last chunk';
  return Object.freeze({ stepSize, first, last, by, suggestedStep });
}

/** Keeps the first gradient and the last two. */
export function watchGradients(): { see(iterate: Iterate): void; found(): Gradients | null } {
  const seen: Vector[] = [];
  return {
    see: ({ gradient }) => {
      if (gradient === null) return;
      if (seen.length === 3) seen.splice(1, 1);
      seen.push(Float64Array.from(gradient.values));
    },
    found: () => (seen.length < 2 ? null : { first: seen[0]!, last: [seen.at(-2)!, seen.at(-1)!] }),
  };
}

/** The largest curvature: P'HP = 1, so that the smallest eigenvalue of P'P is its inverse. */
function steepest({ rank, toTheta }: Coordinates): number {
  const axes = Array.from({ length: rank }, (_, k) => toTheta(unitAlong(k, rank)));
  const products = Float64Array.from(axes.flatMap(a => axes.map(b => dot(a, b))));
  return 1 / Math.min(...symmetricEigen(products, rank).map(({ value }) => value));
}

/** Printed first: nothing else about such coefficients matters. */
export function divergenceNotes({ divergence }: Pick<FittedRun, 'divergence'>): Told<Note> {
  if (divergence === null) return null;
  const { stepSize, first, last, by, suggestedStep } = divergence;
  const sign =
    by === 'pilot'
      ? 'the loss of the pilot rows is larger than at their own estimate'
      : by === 'last chunk'
        ? 'the loss of the last chunk is larger than at the start'
        : `the norm of the gradient went from ${digits(first!)} to ${digits(last!)}`;
  const shorter = suggestedStep !== null && suggestedStep < stepSize ? `, or use about ${digits(suggestedStep)}` : '';
  return severe(
    `the steps diverged, and the coefficients are meaningless: ${sign}. \`stepSize: ${digits(stepSize)}\` is too large for these rows; omit it${shorter}`,
  );
}
