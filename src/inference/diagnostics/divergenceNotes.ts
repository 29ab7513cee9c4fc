import type { FittedRun } from '../fittedRun.ts';
import { type Note, severe } from './note.ts';
import { digits } from './noteWords.ts';

/** Printed first: nothing else about such coefficients matters. */
export function divergenceNotes({ divergence }: Pick<FittedRun, 'divergence'>): readonly Note[] {
  if (divergence === null) return [];
  const { stepSize, first, last, by, suggestedStep } = divergence;
  const sign =
    by === 'pilot'
      ? 'the loss of the pilot rows is larger than at their own estimate'
      : by === 'last chunk'
        ? 'the loss of the last chunk is larger than at the start'
        : `the norm of the gradient went from ${digits(first!)} to ${digits(last!)}`;
  const shorter =
    suggestedStep !== null && suggestedStep < stepSize ? `, or use about ${digits(suggestedStep)}` : '';
  return [
    severe(
      `the steps diverged, and the coefficients are meaningless: ${sign}. \`stepSize: ${digits(stepSize)}\` is too large for these rows; omit it${shorter}`,
    ),
  ];
}
