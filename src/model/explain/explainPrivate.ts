/**
 * What a private run was made by and how far it is to be relied on, in plain words: from its plan and from what it
 * released, which is public, and from nothing else.
 */

import type { PrivateFit } from '../../flow/fitPrivate.ts';
import { toDigits } from '../../math/toDigits.ts';
import { isPoissonWithin, isSquaredWithin } from '../../plan/private/boundedLoss.ts';
import { hiddenFeatures } from '../../plan/private/hiddenFeatures.ts';
import type { PrivateOptions, PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { PredictedError } from '../../plan/private/predictError.ts';
import { privateUncertainty, type Released } from '../../plan/private/privateUncertainty.ts';
import type { Explanation } from './explanation.ts';
import { ridgeNotes } from './ridgeNotes.ts';

/** What the planner was asked for, which decides what it chose by itself. */
export interface AskedOfPlanner extends Pick<PrivateOptions, 'calibration' | 'mode' | 'steps'> {
  readonly set?: Pick<NonNullable<PrivateOptions['set']>, 'constraint'>;
}

export interface ExplainPrivateOptions {
  readonly asked: AskedOfPlanner;
  /** Whether a theorem prescribed the plan, whose steps then end where it says; false unless given. */
  readonly isByTheorem?: boolean;
  /** Of the features; by their places unless given. */
  readonly names?: readonly string[];
}

export function explainPrivate(
  found: PrivateFit,
  plan: PrivatePlan,
  { asked, isByTheorem = false, names = [] }: ExplainPrivateOptions,
): Explanation {
  return {
    choices: [...lossChoice(plan), ...planChoice(plan, asked)],
    notes: [
      ...ridgeNotes(plan),
      ...(isByTheorem ? [] : restNotes(found, plan, asked)),
      ...hiddenNotes(plan, found.released, names),
    ],
  };
}

function lossChoice({ plan: { loss }, scaling }: PrivatePlan): readonly string[] {
  if (loss.kernel?.kind === 'weighted-logistic')
    return ['loss logistic: rows that are all but certain count for down to a half, which halves the noise'];
  if (isSquaredWithin(loss, scaling)) {
    return [
      'loss squared: slopes are held to what two targets within the declared bounds can differ by, so that no radius is needed; of predictions within these bounds it is the squared loss as it is',
    ];
  }
  return isPoissonWithin(loss, scaling)
    ? ['loss poisson: rates are held to the largest count that is declared, so that no radius is needed']
    : [];
}

/** Why the planner took this kind of plan, where it was left to it: no data had a say in that. */
function planChoice(
  { predicted, predictedIfNarrow, alternatives, plan, moments }: PrivatePlan,
  { calibration = 'auto', mode = 'auto' }: AskedOfPlanner,
): readonly string[] {
  const [other] = alternatives;
  if (calibration !== 'auto' || mode !== 'auto' || predicted === null || other === undefined) return [];
  const errors = (even: PredictedError, narrow: PredictedError): string =>
    `${significant(even.total)}, or ${significant(narrow.total)}`;
  const isLess =
    moments !== null &&
    other.predicted.total < predicted.total &&
    other.predictedIfNarrow.total < predictedIfNarrow!.total;
  return [
    `calibration ${plan.privacy!.calibration}${moments ? ', second moments first' : ''}: predicted error ${errors(predicted, predictedIfNarrow!)} where features fill a fifth of their bounds, against ${errors(other.predicted, other.predictedIfNarrow)} of ${other.name}${isLess ? ', which holds for rows that fill their bounds as the prediction has it, and whose intervals would be far wider' : ''}`,
  ];
}

/** What is shorter by so much is not at the edge of a set, where gradients need not average out. */
const INSIDE = 1.01;

function restNotes(
  { fit: { theta }, pull, released }: PrivateFit,
  plan: PrivatePlan,
  { steps, set }: AskedOfPlanner,
): readonly string[] {
  const isFree = set?.constraint.contains(theta.map(value => INSIDE * value)) ?? true;
  if (!isFree) {
    return [
      'coefficients ended at the edge of their set, and would be longer if there were more room: intervals do not allow for that. A larger `radius`, or none, is for another run, which is charged as much again',
    ];
  }
  if (pull === null || pull <= 1) return [];
  const why = steps === undefined ? whyShort(plan) : 'more of them were needed';
  return [
    `the steps ended before the answer: the last gradients are ${significant(pull)} times as long as noise explains, so that ${why}. ${allowance(plan, released)}; another run, which is charged as much again, may have more \`steps\` and \`tail\`${plan.moments ? '' : ', or tighter bounds'}`,
  ];
}

function allowance(plan: PrivatePlan, released: Released | null): string {
  if (released === null) return 'Coefficients are off by more than their intervals say';
  const isAll = !privateUncertainty(plan, released)!.isShort && unsureOf(plan, released).length === 0;
  return isAll ? 'Intervals allow for what is left' : 'Intervals allow for a part of what is left';
}

function whyShort({ moments, plan: { loss } }: PrivatePlan): string {
  if (moments && loss.targets.most === 1)
    return 'classes are rarer, or told apart more sharply, than the plan assumes';
  if (moments && loss.targets.least === 0)
    return 'counts are further below the largest that is declared than the plan assumes';
  return moments
    ? 'residuals are larger than the plan assumes'
    : 'features fill less of their bounds than the plan assumes, or are more alike';
}

function hiddenNotes(
  plan: PrivatePlan,
  released: Released | null,
  names: readonly string[],
): readonly string[] {
  if (hidesAll(plan, released)) {
    return [
      'noise hides every slope: the intervals let each feature, from one of its bounds to the other, do anything that targets can do; use more rows, fewer features, tighter bounds or a larger `epsilon`',
    ];
  }
  const hidden = released === null ? [] : unsureOf(plan, released);
  if (hidden.length === 0) return [];
  const named = hidden.map(j => names[j] ?? `feature ${j}`).join(', ');
  const [vary, its, coefficient, interval] =
    hidden.length === 1
      ? ['varies', 'its', 'coefficient is', 'interval allows']
      : ['vary', 'their', 'coefficients are', 'intervals allow'];
  return [
    `noise hides how much ${named} ${vary}: ${its} ${coefficient} drawn towards 0, and ${its} ${interval}${plan.scaling.intercept ? ", as the intercept's," : ''} for no larger effect than the plan supposes; declare tighter bounds if any are publicly known, or use more rows or a larger \`epsilon\``,
  ];
}

/** Of the largest effect that is supposed: with smaller errors steps came to the answer all the same. */
const UNSURE = 1 / 10;

/** The features that noise hides and whose effect, as far as they vary, is unknown to a good part. */
function unsureOf(plan: PrivatePlan, released: Released): readonly number[] {
  const { scaling, descent } = plan;
  const { errors } = privateUncertainty(plan, released)!;
  const least = UNSURE * descent!.distance * Math.sqrt(errors.length);
  return hiddenFeatures(released.whitening)
    .filter(({ place, spread }) => {
      const unit = scaling.target.scale / scaling.features[place]!.scale;
      return (errors[place]! / unit) * spread >= least;
    })
    .map(({ place }) => place);
}

/** Log-odds that are further apart are those of never and always. */
const ALL_ODDS = 10;

/** Whether the interval of every slope, times the width of its feature's bounds, is as wide as targets go. */
function hidesAll(plan: PrivatePlan, released: Released | null): boolean {
  const found = privateUncertainty(plan, released);
  if (found === null) return false;
  const { features, target } = plan.scaling;
  const width = plan.plan.loss.targets.least === -Infinity ? 2 * target.scale : ALL_ODDS;
  return features.every(({ scale }, j) => 2 * scale * found.reach * found.errors[j]! >= width);
}

/** Six digits, as the command line prints. */
const significant = (value: number): string => toDigits(value, 6);
