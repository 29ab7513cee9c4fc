import type { Estimate } from '../../flow/estimate.ts';
import { type Note, severe } from './note.ts';
import { digits } from './words.ts';

/** Told first: nothing else about such coefficients matters. */
export function divergenceNotes({ divergence }: Pick<Estimate, 'divergence'>): readonly Note[] {
  if (divergence === null) return [];
  const { stepSize, first, last, by, suggestedStep } = divergence;
  const sign =
    by === 'pilot'
      ? "the pilot's rows have a larger loss there than at its own estimate"
      : by === 'last chunk'
        ? 'rows of the last chunk have a larger loss there than at the start'
        : `gradients had a length of ${digits(first!)} at the first step and of ${digits(last!)} at the last`;
  const shorter =
    suggestedStep !== null && suggestedStep < stepSize
      ? `, or give one of about ${digits(suggestedStep)}`
      : '';
  return [
    severe(
      `the steps moved away from the answer, and the coefficients are none: ${sign}. \`stepSize: ${digits(stepSize)}\` is too long for these rows; leave it out${shorter}`,
    ),
  ];
}
