import { ArgumentError, refuse } from '../../errors.ts';
import { roundedDown } from '../../math/solveIncreasing.ts';
import { largestOf } from '../../math/vector.ts';
import { restarted } from '../../method/rule/restarted.ts';
import { tailAveraged } from '../../method/rule/tailAveraged.ts';
import { type IntegerNoise, integerRelease } from '../../privacy/integerNoise.ts';
import type { Scaling } from '../../sample/transform/scaling.ts';
import { counted } from '../../words.ts';
import type { Plan } from '../plan.ts';
import { assemblePlan } from '../planFit.ts';
import { type DescentPath, descentError, divergingStep, type PredictedError } from './predictError.ts';
import {
  approachesOf,
  type CurvaturePlan,
  curvaturePlan,
  type MomentPlan,
  momentPlan,
  type PrivateOptions,
} from './privateApproach.ts';
import {
  bestOf,
  type Candidate,
  candidates,
  candidatesOf,
  cautiousError,
  descentOf,
  errorAtWidth,
  privacyNoise,
  shapesOf,
} from './privateCandidates.ts';
import { EVEN, type PrivateModel } from './privateModel.ts';

export type { CurvaturePlan, MomentPlan, PrivateOptions } from './privateApproach.ts';

/** A private run, fixed before any row is read: its steps, noise and scaling, and the error to expect. */
export interface PrivatePlan {
  /** The steps, for scaled rows. */
  readonly plan: Plan;
  /** The noise of every step. */
  readonly noise: IntegerNoise;
  /** How rows are scaled by their declared bounds. */
  readonly scaling: Scaling;
  /** The bound on the norm of a row's gradient; null where loss and bounds give one. */
  readonly clip: number | null;
  /** The most rows that one unit may have; 1 where single rows are protected. */
  readonly unitRows: number;
  /** The release before the first step; null where there is none. */
  readonly moments: MomentPlan | null;
  /** The release after the last step; present exactly where `moments` is. */
  readonly curvatureRelease: CurvaturePlan | null;
  /** The number of last iterates that are averaged. */
  readonly tail: number;
  /** What `predictError` needs apart from the curvature of the rows; null for rules that it does not describe. */
  readonly descent: DescentPath | null;
  /**
   * For coefficients of scaled rows, where bounds are three times as wide as what they hold; null for rules that the model does
   * not describe.
   */
  readonly predicted: PrivatePrediction | null;
  /** Where bounds are 1, 2, 5 and 10 times as wide as what they hold; empty for rules that the model does not describe. */
  readonly predictedIfWider: readonly WiderPrediction[];
  /** The latter, with all of the assumed effect along one coordinate. */
  readonly cautious: PredictedError | null;
  /** The best plan of every other kind considered. */
  readonly alternatives: readonly Alternative[];
}

/** Times as wide as features, and targets that are scaled, would need. */
const WIDTHS = [1, 2, 5, 10];

const widerOf = (candidate: Candidate): readonly WiderPrediction[] =>
  candidate.predicted === null ? [] : WIDTHS.map(width => ({ width, predicted: errorAtWidth(candidate, width) }));

/** The error to expect where bounds are so many times too wide. */
export interface WiderPrediction {
  readonly width: number;
  readonly predicted: PredictedError;
}

export interface Alternative {
  readonly name: string;
  readonly predicted: PredictedError;
  readonly predictedIfWider: readonly WiderPrediction[];
}

/** The error that a private plan predicts, and the part of it that privacy costs. */
export interface PrivatePrediction extends PredictedError {
  /** The part of `noise` added for privacy; the rest is sampling error. */
  readonly privacy: number;
}

/**
 * A private plan from what is declared: number of rows, bounds, epsilon, delta. It reads no data. What is not given is
 * chosen by the error that a stated model of the data predicts (`privateModel.ts`): full batch with `exact` noise or
 * disjoint chunks with `parallel` noise, the number of steps, the momentum, the growth of chunks, and how many of the
 * last iterates are averaged.
 *
 *   exact     T steps over all rows, each with noise sqrt(T) times larger; with `moments`, a release of second moments
 *             before them, in whose coordinates the steps are taken, and one of the curvature of the risk after them
 *   parallel  T disjoint chunks, each noised once: less noise per step, on fewer rows
 *   paper     the paper's formula, for comparison
 *
 * Guarantee. (eps, delta)-DP for the whole run under replace-one adjacency, by integer noise
 * (`privacy/integerNoise.ts`), because an exact check bounds every row's gradient by the norm L2, and its contribution
 * to other releases by theirs; with `unitRows` K, for up to K rows of one unit together. T, chunks, blocks and step
 * sizes depend on declared facts alone.
 * Edge cases. Refused before a row is read: an infinite L2, delta of 1/n or more unless accepted, noise that would
 * drown the estimate, a penalty that would shrink it to almost nothing, sums beyond 2^53.
 *
 * @example
 * const bounds = { intervals: [{ least: 0, most: 80 }] };
 * const scaling = scalingOf({ features: 1, bounds, target: { least: 0, most: 200 }, intercept: true, scalesTarget: true });
 * const { plan } = planPrivate({ rows: 100_000, loss: pseudoHuber(0.2), scaling, epsilon: 1, delta: 1e-6 });
 * plan.privacy.epsilon; // 1
 */
export function planPrivate(options: PrivateOptions): PrivatePlan {
  const approaches = approachesOf(options);
  const weighed = approaches.flatMap(approach => {
    try {
      return shapesOf(approach).flatMap(shape => candidatesOf(approach, shape));
    } catch (error) {
      // Second moments are so many numbers that no noise may suffice for them where it does for the steps alone.
      if (error instanceof ArgumentError && approach.isWhitened && approaches.length > 1) return [];
      throw error;
    }
  });
  if (weighed.length === 0) {
    throw new ArgumentError(
      `${counted(options.rows, 'row')} ${options.rows === 1 ? 'is' : 'are'} too few for ${counted(approaches[0]!.blocks, 'block')} per step; use more rows, fewer \`steps\`, fewer \`blocks\` or a larger \`failureProbability\`, or \`aggregate: 'mean'\``,
      'ERR_TOO_FEW_ROWS',
      { rows: options.rows },
    );
  }
  const best = bestOf(weighed);
  requireSignal(best);
  requireExactSums(best);
  const { approach, predicted } = best;
  return Object.freeze({
    plan: assembled(best),
    noise: best.noise,
    scaling: approach.isWhitened ? options.scaling : withWeights(options.scaling, approach.model),
    clip: options.clip ?? null,
    unitRows: approach.unitRows,
    moments: approach.isWhitened ? momentPlan(approach, best.noise) : null,
    curvatureRelease: approach.isWhitened ? curvaturePlan(approach, best.noise) : null,
    tail: best.tail,
    descent: predicted && descentOf(best),
    predicted: predicted && { ...predicted, privacy: privacyNoise(best) },
    predictedIfWider: widerOf(best),
    cautious: predicted && cautiousError(best),
    alternatives: alternativesTo(best, weighed),
  });
}

/** No row is longer than the bounds allow. */
const withWeights = (scaling: Scaling, { rowLength, domain }: PrivateModel): Scaling =>
  rowLength < domain.norm ? Object.freeze({ ...scaling, rowLength }) : scaling;

/** An estimate with an expected error of this share of the true norm says almost nothing about the data. */
const LARGEST_ERROR = 0.9;

function requireSignal(candidate: Candidate): void {
  const { predicted, steps, blur, calibration, approach } = candidate;
  const { epsilon, rows, lipschitz, steps: asked, model, set, loss } = approach;
  const { length } = model;
  const refuseNoise = (problem: string): never => {
    throw new ArgumentError(
      `${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'} too few for epsilon ${epsilon}: ${problem}; use more rows, fewer features, tighter bounds or a larger epsilon`,
      'ERR_TOO_FEW_ROWS',
      { rows, epsilon },
    );
  };
  // The paper's noise is for comparison, whatever the result.
  if (predicted === null) {
    if (calibration !== 'paper' && blur >= lipschitz) {
      refuseNoise(
        `noise of length ${blur.toPrecision(2)} would hide gradients, whose length is at most ${lipschitz.toPrecision(2)}`,
      );
    }
    return;
  }
  const hides = !(predicted.noise < LARGEST_ERROR * length);
  // The best number of steps has so large an error only where more steps would add more noise.
  const endsFarOff = asked === undefined && calibration !== 'paper' && !(predicted.total < LARGEST_ERROR * length);
  // A few steps may end near the solution by chance, which is nothing to plan on; but steps and sets that were asked
  // for are allowed where they do.
  const isFree = asked === undefined && set === undefined && calibration !== 'paper';
  if (isFree || hides || endsFarOff || predicted.total === Infinity) requireNearing(candidate);
  if (hides) {
    refuseNoise(
      `after ${counted(steps, 'step')} noise of length ${predicted.noise.toPrecision(2)} would hide coefficients of length ${length}`,
    );
  }
  if (endsFarOff && descentError(predicted) < LARGEST_ERROR * length) {
    throw new ArgumentError(
      `a ridge of ${loss.penalty} would shrink coefficients of length ${length} towards 0 by ${predicted.drawn.toPrecision(2)} if features spread evenly over their bounds, and leave almost nothing of them; use a smaller one`,
      'ERR_ARGUMENT',
      { argument: 'penalty', value: loss.penalty },
    );
  }
  if (endsFarOff) {
    refuseNoise(
      `noise leaves room for ${counted(steps, 'step')}, which would end ${predicted.total.toPrecision(2)} away from coefficients of length ${length}`,
    );
  }
}

/** Share of the step size from which on oscillations no longer shrink. */
const NEARS = 0.9;

/** More rows do not help where the step size diverges. */
function requireNearing({ approach: { stepSize, model, momentum }, modelMomentum }: Candidate): void {
  const push = momentum === 'increasing' ? 1 : (modelMomentum ?? 0);
  const from = (curvature: number): number => divergingStep(curvature, push);
  if (stepSize < from(Math.max(...model.curvatures(EVEN)))) return;
  refuse(
    'stepSize',
    `be at most ${roundedDown(NEARS * from(model.largestCurvature))}, which converges on any rows within their bounds`,
    stepSize,
    'use a shorter step, or leave it out',
  );
}

/** Sums of integers are exact below 2^53 only. */
function requireExactSums({ noise, schedule, approach: { rows, blocks } }: Candidate): void {
  const rowsPerBlock = Math.floor(largestOf(schedule?.chunks ?? [rows]) / blocks);
  const most = Math.floor(2 ** 53 / Math.sqrt(noise.squaredNorm));
  if (rowsPerBlock < most) return;
  throw new ArgumentError(
    `sums of ${rowsPerBlock} rows may exceed 2^53, beyond which integers are not exact; use fewer than ${most} rows per block: more \`steps\` in \`mode: 'fresh'\`, or more \`blocks\``,
    'ERR_TOO_LARGE',
    { rows: rowsPerBlock, limit: most },
  );
}

/** A momentum that was asked for is used unchanged. */
const suitsRestarts = ({ approach, modelMomentum, mode }: Candidate): boolean =>
  approach.momentum === undefined && (modelMomentum ?? 0) > 0 && mode === 'full';

function assembled(candidate: Candidate): Plan {
  const { approach, mode, calibration, steps, schedule, tail, noise } = candidate;
  const { rows, scaling, loss, aggregate, blocks, epsilon, delta, lipschitz, failureProbability } = approach;
  const units = approach.isForUnits ? { unitRows: approach.unitRows } : {};
  const target = Object.freeze({ calibration, epsilon, delta, lipschitz, ...units });
  const sigma = (rowsPerBlock: number): number => integerRelease(noise, { chunk: 0, rowsPerBlock }).sigma;
  const rule = suitsRestarts(candidate)
    ? restarted(candidate.rule, sigma(Math.floor(rows / blocks)) / Math.sqrt(blocks))
    : candidate.rule;
  return assemblePlan(
    {
      rows,
      features: scaling.features.length,
      intercept: scaling.intercept,
      loss,
      rule: tail === 1 ? rule : tailAveraged(rule, steps - tail + 1),
      mode,
      steps,
      blocks,
      ...(aggregate === undefined ? {} : { aggregate }),
      ...(failureProbability === undefined ? {} : { failureProbability }),
      ...(schedule === null ? {} : { schedule }),
    },
    {
      target,
      sigma,
      group: noise.group,
    },
  );
}

/** What the other calibration, rows without whitening, and the same plan without blocks would give. */
function alternativesTo(best: Candidate, weighed: readonly Candidate[]): PrivatePlan['alternatives'] {
  const { approach } = best;
  const kindOf = ({ calibration, mode, approach: { isWhitened } }: Candidate): string =>
    `${calibration}, ${mode}${isWhitened ? ', second moments first' : ''}`;
  const kinds = new Map<string, Candidate[]>();
  for (const candidate of weighed) {
    if (candidate.predicted === null) continue;
    const kind = kindOf(candidate);
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind)!.push(candidate);
  }
  kinds.delete(kindOf(best));
  const others = [...kinds].map(([kind, alike]) => {
    const found = bestOf(alike);
    return {
      name: `${kind}, ${counted(found.steps, 'step')}`,
      predicted: found.predicted!,
      predictedIfWider: widerOf(found),
    };
  });
  if (approach.blocks === 1 || best.predicted === null) return others;
  const [plain] = candidates(
    { ...approach, blocks: 1, tail: best.tail, descents: [best] },
    best,
    best.steps,
    best.schedule,
  );
  return [
    ...others,
    {
      name: 'the same with a mean instead of a median of blocks',
      predicted: plain!.predicted!,
      predictedIfWider: widerOf(plain!),
    },
  ];
}
