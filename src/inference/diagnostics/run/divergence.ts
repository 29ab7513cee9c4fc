import { ArgumentError } from '../../../errors.ts';
import type { Iterate } from '../../../flow/iterate.ts';
import type { Coordinates } from '../../../math/coordinates.ts';
import { symmetricEigen } from '../../../math/symmetricEigen.ts';
import { dot, norm, subtract, unitAlong, type Vector } from '../../../math/vector.ts';
import type { NamedLoss } from '../../../method/loss/lossByName.ts';
import type { Plan } from '../../../plan/plan.ts';
import type { Chunk } from '../../../sample/chunk.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { Pilot } from '../../pilot/studyPilot.ts';
import { digits } from '../notes.ts';
import { isPoorStart } from './settings.ts';
import { keepRows, worseThanStart } from './worseThanStart.ts';

/** Times the first gradient: sampling noise, or a start near the answer, makes none so much longer. */
const MUCH_LONGER = 10;

/** For oscillation: gradients of steps that converge are shorter by then, and seldom opposite to each other. */
const AS_LONG = 1 / 2;
const OPPOSITE = -1 / 2;

/** Of the coefficients: shorter moves are rounding errors. */
const ROUNDING = 1e-9;

/**
 * Times the excess risk of the pilot's rows at their own estimate, for steps by the pilot's curvature: sorted rows, which
 * have a note of their own, take these steps away from the pilot's estimate as well, though never so far.
 */
const FAR_WORSE = 10;

/** What is known of a run besides its plan and its rows. */
export interface RunFacts {
  /** The size that was given for the steps; undefined where the rule has its own. */
  readonly stepSize?: number | undefined;
  /** Whether a set holds the steps back. */
  readonly isHeld: boolean;
  /** Null where no rows were studied. */
  readonly pilot: { readonly batch: SampleBatch; readonly found: Pilot; readonly loss: NamedLoss } | null;
  /** What to do about steps that diverged. */
  readonly remedy?: string;
}

/**
 * Watches a run without noise, whatever its rule, and refuses its result where it diverged. Private runs are not watched,
 * because their plans refuse such steps beforehand; coefficients that are not finite end every run (descend.ts). A run has
 * diverged where
 *
 * - without a pilot, rows of the last chunk have a larger loss than at the start (worseThanStart.ts); or
 * - steps of one size had gradients that grew, or that oscillated without getting shorter; or
 * - the pilot's rows have a far larger loss than at the pilot's estimate, as where a loss is flat far from it.
 */
export function watchDivergence(plan: Plan): RunWatch {
  const gradients: Vector[] = [];
  const thetas: Vector[] = [plan.start];
  // A pass that only sums moments is read once, so that in full mode the first is looked at.
  const last = keepRows(plan.mode === 'full' ? 0 : plan.steps.length - 1);
  return {
    keep: last.keep,
    see({ gradient, theta }) {
      thetas.splice(0, thetas.length > 1 ? 1 : 0);
      thetas.push(theta);
      if (gradient === null) return;
      if (gradients.length === 3) gradients.splice(1, 1);
      gradients.push(Float64Array.from(gradient.values));
    },
    requireConverged(facts) {
      const [before, theta] = thetas as [Vector, Vector];
      const move = norm(subtract(theta, before));
      const evidence = evidenceOf(plan, { ...facts, gradients, theta, move, rows: last.found() });
      if (evidence !== null) refuseDiverged(evidence, facts, { plan, gradients });
    },
  };
}

export interface RunWatch {
  /** The same chunk, of whose rows some may be copied as they are read. */
  keep(chunk: Chunk): Chunk;
  see(iterate: Iterate): void;
  /** Throws where the run diverged. */
  requireConverged(facts: RunFacts): void;
}

interface Watched extends RunFacts {
  /** The first gradient, and the last two. */
  readonly gradients: readonly Vector[];
  readonly theta: Vector;
  /** The length of the last step. */
  readonly move: number;
  /** Some rows of the last chunk; null where none was read. */
  readonly rows: SampleBatch | null;
}

/** What shows that a run diverged; null where nothing does. */
function evidenceOf(plan: Plan, found: Watched): string | null {
  const { theta, isHeld, stepSize, pilot, rows } = found;
  if (isHeld) return null;
  if (stepSize !== undefined && haveGrown(plan, found)) {
    const [first, last] = [norm(found.gradients[0]!), norm(found.gradients.at(-1)!)];
    return `the norm of the gradient went from ${digits(first)} to ${digits(last)}`;
  }
  if (pilot === null)
    return rows !== null && worseThanStart(rows, { loss: plan.loss, start: plan.start, end: theta })
      ? 'the loss of the last chunk is larger than at the start'
      : null;
  const context = { pilot: pilot.found, loss: pilot.loss, intercept: plan.intercept };
  const times = stepSize === undefined ? FAR_WORSE : undefined;
  return isPoorStart(pilot.batch, theta, context, times)
    ? 'the loss of the pilot rows is larger than at their own estimate'
    : null;
}

/** Whether gradients grew, or swung from side to side. */
function haveGrown({ mode }: Plan, { gradients, theta, move }: Watched): boolean {
  if (gradients.length < 2) return false;
  const [before, end] = [gradients.at(-2)!, gradients.at(-1)!];
  const [first, last] = [norm(gradients[0]!), norm(end)];
  const swings = mode === 'full' && dot(before, end) < OPPOSITE * norm(before) * last && last > AS_LONG * first;
  return move > ROUNDING * norm(theta) && (last > MUCH_LONGER * first || swings);
}

function refuseDiverged(
  evidence: string,
  { stepSize, pilot, remedy }: RunFacts,
  { plan, gradients }: { readonly plan: Plan; readonly gradients: readonly Vector[] },
): never {
  const suggestedStep =
    pilot !== null
      ? 1 / steepest(pilot.found.estimate.coordinates)
      : plan.loss.kernel?.kind === 'squared' && stepSize !== undefined && gradients.length > 1
        ? // Gradients grow by a factor of r = eta c - 1 a step, c the largest curvature.
          stepSize / (1 + Math.max(1, norm(gradients.at(-1)!) / norm(gradients.at(-2)!)))
        : null;
  throw new ArgumentError(
    `the steps diverged, and the coefficients would be meaningless: ${evidence}; ${remedy ?? remedyOf(stepSize, suggestedStep)}`,
    'ERR_DIVERGED',
    stepSize === undefined ? {} : { stepSize, suggestedStep },
  );
}

function remedyOf(stepSize: number | undefined, suggested: number | null): string {
  if (stepSize === undefined) return 'use another loss, remove gross errors, or give a small `stepSize`';
  const shorter = suggested !== null && suggested < stepSize ? `, or use about ${digits(suggested)}` : '';
  return `\`stepSize: ${digits(stepSize)}\` is too large for these rows: omit it${shorter}`;
}

/** The largest curvature: P'HP = 1, so that the smallest eigenvalue of P'P is its inverse. */
function steepest({ rank, toTheta }: Coordinates): number {
  const axes = Array.from({ length: rank }, (_, k) => toTheta(unitAlong(k, rank)));
  const products = Float64Array.from(axes.flatMap(a => axes.map(b => dot(a, b))));
  return 1 / Math.min(...symmetricEigen(products, rank).map(({ value }) => value));
}
