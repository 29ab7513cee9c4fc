import { isPoissonWithin, isSquaredWithin } from '../../plan/private/boundedLoss.ts';
import type { PrivateOptions, PrivatePlan } from '../../plan/private/planPrivate.ts';
import { toDigits } from '../../words.ts';
import type { PrivateFit } from '../fittedRun.ts';
import { hiddenFeatures, privateUncertainty, type Released } from '../intervals/private/privateUncertainty.ts';
import { ABOUT_PENALISED, type Explanation, listing, sentences, type Told } from './notes.ts';

/** The request to the planner, which determines what it chose by itself. */
export interface AskedOfPlanner extends Pick<PrivateOptions, 'calibration' | 'mode' | 'steps'> {
  readonly set?: Pick<NonNullable<PrivateOptions['set']>, 'constraint'>;
}

/** Facts that are not part of a private run. */
export interface ExplainPrivateOptions {
  /** What was asked of the planner. */
  readonly asked: AskedOfPlanner;
  /** Whether a theorem prescribed the plan and its number of steps; false unless given. */
  readonly isByTheorem?: boolean;
  /** Names of the features; their places unless given. */
  readonly names?: readonly string[];
}

/**
 * How a private run was made and how reliable it is, in plain words. It uses the plan and the released values only, which
 * are public.
 */
export function explainPrivate(
  found: PrivateFit,
  plan: PrivatePlan,
  { asked, isByTheorem = false, names = [] }: ExplainPrivateOptions,
): Explanation {
  return {
    choices: sentences([lossChoice(plan), planChoice(plan, asked)]),
    notes: sentences([
      privatePenaltyNotes(plan),
      isByTheorem ? null : restNotes(found, plan, asked),
      hiddenNotes(plan, found.released, names),
    ]),
  };
}

function lossChoice({ plan: { loss }, scaling }: PrivatePlan): Told {
  if (loss.kernel?.kind === 'weighted-logistic')
    return 'loss logistic: rows with almost certain classes are down-weighted, to no less than half, which halves the noise';
  if (isSquaredWithin(loss, scaling)) {
    return 'loss squared: residuals are limited to the width of the declared target bounds, so no radius is needed; for predictions within the bounds it is the usual squared loss';
  }
  return isPoissonWithin(loss, scaling)
    ? 'loss poisson: rates are limited to the largest declared count, so no radius is needed'
    : null;
}

/** Why the planner chose this kind of plan, if the choice was open. It depends on no data. */
function planChoice(
  { predicted, alternatives, plan, moments }: PrivatePlan,
  { calibration = 'auto', mode = 'auto' }: AskedOfPlanner,
): Told {
  const [other] = alternatives;
  if (calibration !== 'auto' || mode !== 'auto' || predicted === null || other === undefined) return null;
  return `calibration ${plan.privacy!.calibration}${moments ? ', second moments first' : ''}: predicted error ${significant(predicted.total)} if bounds are three times as wide as what they hold, against ${significant(other.predicted.total)} for ${other.name}`;
}

/** Coefficients shorter by this factor are inside the set; on its boundary gradients need not average out. */
const INSIDE = 1.01;

function restNotes(
  { fit: { theta }, pull, released }: PrivateFit,
  plan: PrivatePlan,
  { steps, set }: AskedOfPlanner,
): Told {
  const isFree = set?.constraint.contains(theta.map(value => INSIDE * value)) ?? true;
  if (!isFree) {
    return 'coefficients ended on the boundary of their set, which shrinks them, and intervals do not allow for that; use a larger `radius`, or none, in another run, which is charged again';
  }
  if (pull === null || pull <= 1) return null;
  const why = steps === undefined ? whyShort(plan) : 'more steps were needed';
  return `the steps did not converge: the last gradients are ${significant(pull)} times as long as noise explains, ${steps === undefined ? 'as where' : 'because'} ${why}. ${allowance(plan, released)}; use more \`steps\` and \`tail\` in another run, which is charged again`;
}

function allowance(plan: PrivatePlan, released: Released | null): string {
  if (released === null) return 'Errors are larger than the intervals show';
  const isAll = !privateUncertainty(plan, released)!.isShort && unsureOf(plan, released).length === 0;
  return isAll ? 'Intervals allow for the rest' : 'Intervals allow for part of the rest';
}

function whyShort({ moments, plan: { loss } }: PrivatePlan): string {
  if (moments && loss.targets.most === 1) return 'classes are rarer, or better separated, than the plan assumes';
  if (moments && loss.targets.least === 0)
    return 'counts are further below the largest declared count than the plan assumes';
  return moments
    ? 'residuals are larger than the plan assumes'
    : 'features fill less of their bounds than the plan assumes, are more collinear, or lie beyond them';
}

function hiddenNotes(plan: PrivatePlan, released: Released | null, names: readonly string[]): Told {
  if (hidesAll(plan, released)) {
    return `noise hides every slope: each interval is as wide as the range of the target allows; ${
      released
        ? boundAdvice(
            plan,
            released,
            hiddenFeatures(released.whitening).map(({ place }) => place),
            names,
          )
        : ''
    }use more rows, fewer features or a larger \`epsilon\``;
  }
  const hidden = released === null ? [] : unsureOf(plan, released);
  if (hidden.length === 0) return null;
  const named = listing(hidden.map(j => names[j] ?? `feature ${j}`));
  const [vary, coefficient, interval] =
    hidden.length === 1
      ? ['varies', 'its coefficient is', 'its interval assumes']
      : ['vary', 'their coefficients are', 'their intervals assume'];
  return `noise hides how much ${named} ${vary}: ${coefficient} shrunk towards 0, and ${interval}${plan.scaling.intercept ? ", like the intercept's," : ''} no larger effect than the plan does; ${boundAdvice(plan, released!, hidden, names)}use more rows or a larger \`epsilon\``;
}

/**
 * What the released means say about the bounds of features of which no variation was seen: values in the middle may be
 * known to lie closer together; those at an end may have been clamped to it, and tighter bounds would hide them for good.
 */
function boundAdvice(
  { scaling }: PrivatePlan,
  { whitening }: Released,
  hidden: readonly number[],
  names: readonly string[],
): string {
  // A level has no bounds, and without an intercept no means are released.
  const bounded = hidden.filter(j => scaling.intercept && scaling.features[j]!.levelOf === undefined);
  if (bounded.length === 0) return '';
  const atEnd = bounded.filter(j => Math.abs(whitening.centre[j]!) >= AT_END);
  if (atEnd.length === 0) return 'declare tighter public bounds if there are any, or ';
  const named = listing(
    atEnd.map(j => `${names[j] ?? `feature ${j}`} (${whitening.centre[j]! > 0 ? 'upper' : 'lower'})`),
  );
  return `values lie at an end of their bounds, as where bounds are too tight: check those of ${named}, or `;
}

/** Of the way from the middle to an end of the bounds. */
const AT_END = 0.9;

/** Share of the largest effect assumed: with smaller errors the steps converged anyway. */
const UNSURE = 1 / 10;

/** The features that noise hides and whose effect is largely unknown. */
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

/** A difference of log-odds beyond this is that between never and always. */
const ALL_ODDS = 10;

/** Whether the interval of every slope, times the width of its feature's bounds, spans the range of the target. */
function hidesAll(plan: PrivatePlan, released: Released | null): boolean {
  const found = privateUncertainty(plan, released);
  if (found === null) return false;
  const { features, target } = plan.scaling;
  const width = plan.plan.loss.targets.least === -Infinity ? 2 * target.scale : ALL_ODDS;
  return features.every(({ scale }, j) => 2 * scale * found.reach * found.errors[j]! >= width);
}

/** Six digits, as the command line prints. */
const significant = (value: number): string => toDigits(value, 6);

/** Private steps are taken in scaled units, and the penalty applies in these. */
export function privatePenaltyNotes(plan: PrivatePlan): readonly string[] {
  const { penalty } = plan.plan.loss;
  if (penalty === 0) return [];
  const intervals = privateUncertainty(plan) === null ? '' : `; ${ABOUT_PENALISED}`;
  return [
    `\`penalty: ${toDigits(penalty, 6)}\` shrinks coefficients towards 0, in units of the declared bounds instead of those of the data${intervals}`,
  ];
}
