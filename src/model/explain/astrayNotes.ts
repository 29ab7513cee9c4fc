import type { Estimate } from '../../flow/estimate.ts';
import { digits } from './words.ts';

/** Told first: nothing else about such coefficients matters. */
export function astrayNotes({ astray }: Pick<Estimate, 'astray'>): readonly string[] {
  if (astray === null) return [];
  const { stepSize, first, last, by, suits } = astray;
  const sign =
    by === 'pilot'
      ? "the pilot's rows have a larger loss there than at its own estimate"
      : by === 'last chunk'
        ? 'rows of the last chunk have a larger loss there than at the start'
        : `gradients had a length of ${digits(first!)} at the first step and of ${digits(last!)} at the last`;
  const shorter = suits !== null && suits < stepSize ? `, or give one of about ${digits(suits)}` : '';
  return [
    `the steps moved away from the answer, and the coefficients are none: ${sign}. \`stepSize: ${digits(stepSize)}\` is too long for these rows; leave it out${shorter}`,
  ];
}
