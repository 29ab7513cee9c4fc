import type { SampleBatch } from '../../sample/sampleBatch.ts';

/** Fewer rows may have two targets by chance. */
const ENOUGH_ROWS = 10;

/** The two targets, the smaller first, where rows of positive weight have no others; otherwise null. */
export function twoValues({
  rows,
  target,
  weights,
}: Pick<SampleBatch, 'rows' | 'target' | 'weights'>): readonly [number, number] | null {
  if (rows < ENOUGH_ROWS) return null;
  const found: number[] = [];
  for (let i = 0; i < rows; i++) {
    if (weights?.[i] === 0 || found.includes(target[i]!)) continue;
    if (found.length === 2) return null;
    found.push(target[i]!);
  }
  const [first, second] = found;
  if (first === undefined || second === undefined) return null;
  return first < second ? [first, second] : [second, first];
}
