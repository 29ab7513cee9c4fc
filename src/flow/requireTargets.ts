import { acceptedTargets } from '../loss/acceptedTargets.ts';
import type { NamedLoss } from '../loss/lossByName.ts';
import { ArgumentError } from '../math/check.ts';
import { counted } from '../math/counted.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/**
 * Refuses targets for which the loss has no meaning, and so no least value: steps would go on for ever, or leave every
 * row out. Rows that do not count are passed over, and what is no finite number is for others to refuse.
 */
export function requireTargets({ rows, target, weights }: SampleBatch, loss: NamedLoss | 'auto'): void {
  const rule = loss === 'auto' ? null : acceptedTargets(loss);
  if (rule === null) return;
  const isOdd = (i: number): boolean =>
    weights?.[i] !== 0 && Number.isFinite(target[i]) && !rule.accepts(target[i]!);
  let [odd, first] = [0, Number.NaN];
  for (let i = 0; i < rows; i++) if (isOdd(i) && odd++ === 0) first = target[i]!;
  if (odd === 0) return;
  const others = odd === 1 ? '' : ` and ${odd - 1} more`;
  throw new ArgumentError(
    `${rule.needs}, got ${first}${others} in ${counted(rows, 'row')} of the pilot; choose a loss for such targets, mend them, or give their rows the weight 0`,
  );
}
