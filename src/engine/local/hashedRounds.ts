import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';
import type { Part, RoundEngine, RoundQuestion, WholeQuestion } from '../roundEngine.ts';
import { numbers } from '../sql/arithmetic.ts';
import { HASHES, REDUCED_IDS, rowHash } from '../sql/rowHash.ts';
import { slopeOf } from '../sql/slopes.ts';
import { valuesOf, wholeRow } from '../sql/wholeQuestion.ts';
import { scoreOf, wholeValues } from '../sql/wholeValues.ts';

/**
 * The rounds of a run on this machine, over rows whose last column is their id: the same assignment and the same
 * arithmetic as in an engine elsewhere, row by row. It is what engines are compared with, and an engine itself where
 * rows have a public id that should decide which of them go together.
 */
export function hashedRounds(samples: Samples, seed: string): RoundEngine {
  const features = samples.features - 1;
  const hash = rowHash(seed);

  /** Calls `each` with the places of a batch's rows in the part, and their hashes. */
  async function visit(
    part: Part,
    each: (batch: SampleBatch, places: Uint32Array, hashes: Float64Array, ids: Float64Array) => void,
  ): Promise<void> {
    const { from, to } = part ?? { from: 0, to: HASHES };
    for await (const batch of samples.batches()) {
      const ids = batch.columns[features]!;
      const places = new Uint32Array(batch.rows);
      const hashes = new Float64Array(batch.rows);
      let count = 0;
      for (let i = 0; i < batch.rows; i++) {
        const h = hash.of(ids[i]!);
        if (h < from || h >= to) continue;
        places[count] = i;
        hashes[count++] = h;
      }
      each(batch, places.subarray(0, count), hashes.subarray(0, count), ids);
    }
  }

  return {
    name: 'this machine',
    rows: samples.rows,
    features,
    counts: async (parts, blocks) => {
      const found = parts.map(() => new Float64Array(blocks));
      await visit(null, (_, __, hashes) => {
        for (const h of hashes) {
          const part = parts.findIndex(({ from, to }) => h >= from && h < to);
          if (part >= 0) found[part]![h % blocks]!++;
        }
      });
      return found;
    },
    rowsOf: async part => {
      const kept: { readonly h: number; readonly id: number; readonly values: Float64Array }[] = [];
      await visit(part, ({ columns, target, weights }, places, hashes, ids) => {
        places.forEach((i, k) => {
          const values = Float64Array.of(
            ...columns.slice(0, features).map(column => column[i]!),
            target[i]!,
            weights?.[i] ?? 1,
          );
          kept.push({ h: hashes[k]!, id: ids[i]!, values });
        });
      });
      kept.sort((a, b) => a.h - b.h || a.id - b.id);
      const column = (j: number): Float64Array => Float64Array.from(kept, ({ values }) => values[j]!);
      return {
        rows: kept.length,
        columns: Array.from({ length: features }, (_, j) => column(j)),
        target: column(features),
        ...(samples.weighted && { weights: column(features + 1) }),
      };
    },
    sums: async ({ part, blocks, intercept, asked }: RoundQuestion) => {
      const counts = new Float64Array(blocks);
      const sums = asked.map(({ at }) => new Float64Array(blocks * at.length));
      const slopes = asked.map(({ loss }) => slopeOf(loss));
      const x = new Float64Array(features);
      await visit(part, ({ columns, target, weights }, places, hashes) => {
        places.forEach((i, k) => {
          const block = hashes[k]! % blocks;
          counts[block]!++;
          const weight = weights?.[i] ?? 1;
          if (weight === 0) return;
          for (let j = 0; j < features; j++) x[j] = columns[j]![i]!;
          asked.forEach(({ at }, q) => {
            const g = weight * slopes[q]!(numbers, scoreOf(numbers, [...x], [...at]), target[i]!);
            const sum = sums[q]!;
            for (let j = 0; j < features; j++) sum[block * at.length + j]! += g * x[j]!;
            if (intercept) sum[block * at.length + features]! += g;
          });
        });
      });
      return { counts, sums };
    },
    wholeSums: async (question: WholeQuestion) => {
      const { part, blocks, at, squaredNorm } = wholeRow(question);
      const counts = new Float64Array(blocks);
      let sums: Float64Array | undefined;
      await visit(part, ({ columns, target, weights }, places, hashes, ids) => {
        places.forEach((i, k) => {
          const block = hashes[k]! % blocks;
          counts[block]!++;
          const row = {
            features: columns.slice(0, features).map(column => column[i]!),
            target: target[i]!,
            weight: weights?.[i] ?? 1,
          };
          const values = valuesOf(numbers, row, [...at], question);
          const whole = wholeValues(numbers, values, { squaredNorm, reducedId: ids[i]! % REDUCED_IDS });
          sums ??= new Float64Array(blocks * whole.length);
          for (let j = 0; j < whole.length; j++) sums[block * whole.length + j]! += whole[j]!;
        });
      });
      return { counts, sums: sums ?? new Float64Array(0) };
    },
  };
}
