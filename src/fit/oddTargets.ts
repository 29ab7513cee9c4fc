import { ArgumentError } from '../errors.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { counted } from '../words.ts';

/**
 * Targets that are 0 or 1 but for a few mistakes, in a fit whose loss was left open. A fit of numbers would answer another
 * question without a word, so they are refused; `estimate` then reads the rows as classes, and names file and row.
 */
export class OddTargets extends ArgumentError {
  constructor(target: number, rows: number) {
    super(
      `all but a few targets are 0 or 1, but one in ${counted(rows, 'row')} is ${target}: fix it, give its row weight 0, or name the \`loss\` that suits such targets`,
      'ERR_ROW',
      { target },
    );
  }
}

/** Both classes have that many times as many rows as there are odd ones: counts that are mostly 0 and 1 are no classes. */
const MANY_TIMES = 100;

/** And one row in a thousand is odd at most. */
const FEW = 1 / 1000;

/** Throws where the targets are those of classes but for a few. */
export function refuseOddTargets({ rows, target, weights }: SampleBatch): void {
  let [zeros, ones, odd, first] = [0, 0, 0, Number.NaN];
  for (let i = 0; i < rows; i++) {
    const y = target[i]!;
    if (weights?.[i] === 0) continue;
    if (y === 0) zeros++;
    else if (y === 1) ones++;
    else if (odd++ === 0) first = y;
  }
  if (odd === 0 || odd > FEW * rows || MANY_TIMES * odd > Math.min(zeros, ones)) return;
  throw new OddTargets(first, rows);
}

/** The same chunk; a target other than 0 and 1 in a row of positive weight ends it. */
export const ofClasses = (chunk: Chunk): Chunk => ({
  ...chunk,
  batches: {
    async *[Symbol.asyncIterator]() {
      for await (const batch of chunk.batches) {
        const { target, weights } = batch;
        for (let i = 0; i < batch.rows; i++) {
          if (target[i] !== 0 && target[i] !== 1 && weights?.[i] !== 0) throw new OddTargets(target[i]!, chunk.rows);
        }
        yield batch;
      }
    },
  },
});
