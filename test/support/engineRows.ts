import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { gemanMcClure } from '../../src/method/loss/gemanMcClure.ts';
import { huber } from '../../src/method/loss/huber.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { tukey } from '../../src/method/loss/tukey.ts';
import { weightedLogistic } from '../../src/method/loss/weightedLogistic.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { openPredictionSink } from '../../src/sink/table/openPredictionSink.ts';

/** Every slope that an engine can compute, with the kind of target it takes. */
export const ENGINE_LOSSES: readonly { readonly loss: Loss; readonly target: 'linear' | 'class' | 'count' }[] = [
  { loss: squared(), target: 'linear' },
  { loss: huber(1.5), target: 'linear' },
  { loss: pseudoHuber(1.345), target: 'linear' },
  { loss: gemanMcClure(1.3), target: 'linear' },
  { loss: tukey(4.685), target: 'linear' },
  { loss: logistic(), target: 'class' },
  { loss: weightedLogistic(), target: 'class' },
  { loss: poisson({ largestScore: 3 }), target: 'count' },
];

/** Rows with ids, heavy tails and a class and a count besides a linear target. */
export function engineRows(rows: number, features: number, seed = 1): Readonly<Record<string, Float64Array>> {
  const random = seeded(seed, 'engine rows');
  const gauss = (): number => normal(random);
  const columns: Record<string, Float64Array> = { id: Float64Array.from({ length: rows }, (_, i) => 7 * i + 3) };
  for (let j = 0; j < features; j++)
    columns[`x${j}`] = Float64Array.from({ length: rows }, () => gauss() * (j % 3 === 2 ? 10 : 1));
  const linear = new Float64Array(rows);
  const chance = new Float64Array(rows);
  const count = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let score = 0.5;
    for (let j = 0; j < features; j++) score += (columns[`x${j}`]![i]! * ((j % 5) - 2)) / (5 * Math.sqrt(features));
    linear[i] = score + gauss() / Math.sqrt(uniform(random));
    chance[i] = uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0;
    count[i] = Math.floor(Math.exp(Math.min(3, score)) * 2 * uniform(random));
  }
  return { ...columns, linear, class: chance, count };
}

/** The same rows in a Parquet file. */
export async function writeRows(path: string, columns: Readonly<Record<string, Float64Array>>): Promise<void> {
  const names = Object.keys(columns);
  const rows = columns[names[0]!]!.length;
  const sink = await openPredictionSink(path, { columns: names, nullable: false });
  try {
    for (let start = 0; start < rows; start += 10_000) {
      const end = Math.min(rows, start + 10_000);
      await sink.write(
        names.map(name => columns[name]!.subarray(start, end)),
        end - start,
      );
    }
    await sink.commit();
  } finally {
    await sink.abandon();
  }
}

/** The same rows as the local engine reads them: features, then the id. */
export const idedRows = (columns: Readonly<Record<string, Float64Array>>, features: number, target: string): Samples =>
  samplesOf(
    sampleBatch([...Array.from({ length: features }, (_, j) => columns[`x${j}`]!), columns.id!], columns[target]!),
  );
