import type { Model } from '../../model/model.ts';
import { type Effect, effectsOf } from './coefficientTable.ts';
import { countOf } from './numerals.ts';

/**
 * The result in words. Of several features only directions that hold for all coefficients jointly are named: with many,
 * some intervals miss zero by chance. A single one is judged by its own interval.
 */
export function headline(model: Model): string {
  // Without an intercept a feature may have its name.
  const slopes = effectsOf(model).slice(0, model.features.length);
  const found = slopes.filter(({ isLeftOut }) => !isLeftOut);
  const effects = found.length > 0 ? found : slopes;
  const subject = capital(subjectOf(model));
  if (model.uncertainty === undefined || hasSevereNotes(model)) return `${subject}, fitted on ${list(effects)}`;
  const clear = effects
    .filter(effects.length === 1 ? missesZero : ({ known }) => known?.clear)
    .sort((a, b) => distance(b) - distance(a));
  const rises = clear.filter(({ estimate }) => estimate > 0);
  const falls = clear.filter(({ estimate }) => estimate < 0);
  if (clear.length === 0) return `${subject} is not clearly linked to ${anyOf(effects)}`;
  return `${subject} ${[verb('rises', rises), verb('falls', falls)].filter(words => words !== '').join(', and ')}`;
}

/** Whether the intervals, on which directions depend, cannot be relied on. */
const hasSevereNotes = ({ severeNotes = [] }: Model): boolean => severeNotes.length > 0;

/** What the coefficients change. */
function subjectOf({ loss, target, categorical }: Model): string {
  if (loss.name === 'poisson') return `the expected ${target}`;
  if (loss.name !== 'logistic') return target;
  const level = categorical[target]?.[1];
  return `the chance of ${target}${level === undefined ? '' : `=${level}`}`;
}

/** The effect of one more unit of a feature, in terms of the loss. */
export function meaningOf({ loss, target, categorical }: Model): string {
  const change = {
    logistic: `to the log-odds of ${target} being ${categorical[target]?.[1] ?? '1'}`,
    poisson: `to the logarithm of the expected ${target}`,
  }[loss.name];
  return `One more unit of a feature adds its estimate ${change ?? `to ${target}`}, with all other features held constant.`;
}

const missesZero = ({ known }: Effect): boolean => known !== null && known.interval[0] * known.interval[1] > 0;

/** Distance from zero in standard errors. */
const distance = ({ estimate, known }: Effect): number => Math.abs(estimate) / known!.error;

const verb = (word: string, effects: readonly Effect[]): string =>
  effects.length === 0 ? '' : `${word} with ${list(effects)}`;

const anyOf = (effects: readonly Effect[]): string =>
  effects.length === 1 ? effects[0]!.name : `any of ${countOf(effects.length)} features, judged jointly`;

const MOST_NAMED = 4;

/** a, b and c; where there are many, the first ones and the number of others. */
function list(effects: readonly Effect[]): string {
  const names = effects.map(({ name }) => name);
  const parts =
    names.length > MOST_NAMED
      ? [...names.slice(0, MOST_NAMED - 1), `${countOf(names.length - MOST_NAMED + 1)} more`]
      : names;
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** For a phrase that begins with our words; a column name is left as it is. */
const capital = (subject: string): string => subject.replace(/^the (chance|expected)/, 'The $1');
