import { ArgumentError } from '../errors.ts';
import { acceptedTargets } from '../method/loss/acceptedTargets.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { counted } from '../words.ts';

/**
 * Refuses targets outside the domain of the loss, where it has no minimum: steps would go on for ever, or reject every
 * row. Rows of weight 0 are skipped, and values that are not finite are refused elsewhere.
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
    `${rule.needs}, got ${first}${others} in ${counted(rows, 'row')} of the pilot; choose a loss for such targets, fix them, or give their rows weight 0`,
  );
}
