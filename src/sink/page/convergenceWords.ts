import type { Model } from '../../model/model.ts';
import { numeral } from './numerals.ts';

/** This many times the sampling error is not chance: in one coordinate, norms exceed it once in a million steps. */
const BY_CHANCE = 5;

/** What the norms of a run's gradients imply, in terms of the numbers that the chart shows. */
export function convergenceWords(model: Model): string {
  if (hasConverged(model))
    return 'The steps had nothing left to do: the pilot had already reached the estimate, and the gradient had vanished before the first step, up to rounding. Its norms are below a millionth of the sampling error.';
  if (model.ledger.unit !== undefined)
    return 'The norms are those of the noised gradients, as released: where noise makes up most of a gradient, its norm says little about the fit.';
  if (isOverSet(model)) return overSetWords(model);
  return [
    'The norm of the gradient measures how far a step was from the minimum, where it vanishes.',
    model.plan.mode === 'fresh' ? freshWords(model) : courseWords(model),
  ].join(' ');
}

/** Where a set constrains the estimate, the gradient there points inwards and grows with how tight the set is. */
function overSetWords(model: Model): string {
  const why =
    'The estimate is constrained to a set: where it ends on the boundary, the gradient does not vanish, and its norm measures how strongly the data pull beyond the boundary, not how far the steps still had to go.';
  const [from, to] = ends(model);
  if (from === undefined || to === undefined) return why;
  return isAtRest(model)
    ? `${why} It was ${numeral(to)} from the first step to the last: the steps had converged.`
    : `${why} It went from ${numeral(from)} at the first step to ${numeral(to)} at the last.`;
}

function freshWords(model: Model): string {
  const { samplingNorm } = model.plan;
  const [from, to] = ends(model);
  const known = typeof samplingNorm === 'number' && samplingNorm > 0 ? samplingNorm : undefined;
  const floor = `Every step sees new rows, so the norm does not fall below their sampling error${known === undefined ? '' : `, about ${numeral(known)} in the last step`}.`;
  if (from === undefined || to === undefined) return floor;
  if (known !== undefined && to > BY_CHANCE * known)
    return `${floor} It ${to > from ? 'rose' : 'went'} from ${numeral(from)} at the first step to ${numeral(to)} at the last, ${numeral(to / known, 2)} times that error: the steps did not converge, or their rows come from different distributions.`;
  return known === undefined && to > from ? `${floor} ${roseWords(from, to)}` : floor;
}

function courseWords(model: Model): string {
  const [from, to] = ends(model);
  if (from === undefined || to === undefined) return '';
  return to > from
    ? roseWords(from, to)
    : `It fell from ${numeral(from)} at the first step to ${numeral(to)} at the last.`;
}

const roseWords = (from: number, to: number): string =>
  `It rose from ${numeral(from)} at the first step to ${numeral(to)} at the last: the steps did not converge.`;

/** Empty for fewer than two steps. */
const ends = ({ steps }: Model): readonly [number?, number?] =>
  steps.length < 2 ? [] : [steps[0]!.gradientNorm, steps.at(-1)!.gradientNorm];

/** A share of the sampling error so small that it is rounding: a chart of it would show only noise. */
const NOTHING = 1e-6;

/**
 * Whether the gradient had vanished before the first step, for example where a pilot of the same rows found the
 * estimate already.
 */
export function hasConverged({ steps, plan }: Pick<Model, 'steps' | 'plan'>): boolean {
  const { samplingNorm } = plan;
  return typeof samplingNorm === 'number' && steps.every(({ gradientNorm }) => gradientNorm <= NOTHING * samplingNorm);
}

/** Whether the estimate was constrained to a set, as it always is with Frank-Wolfe methods. */
export const isOverSet = ({ plan }: Pick<Model, 'plan'>): boolean =>
  plan.set !== undefined || /frank-wolfe/.test(String(plan.rule));

/** Whether the gradient, which need not vanish over a set, was the same in all steps: they had converged. */
export const isAtRest = (model: Pick<Model, 'plan' | 'steps'>): boolean =>
  isOverSet(model) &&
  model.steps.every(({ gradientNorm }) => Math.abs(gradientNorm - model.steps[0]!.gradientNorm) <= SAME * gradientNorm);

const SAME = 1e-3;
