import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { glm } from '../../src/method/loss/glm.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../src/method/loss/ridge.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { type SampleBatch, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { normals } from './linearAlgebra.ts';

/** One of every kind. */
export const losses: readonly Loss[] = [
  squared(),
  logistic(),
  poisson(),
  pseudoHuber(0.2),
  ridge(squared(), 0.5),
  glm({
    name: 'signs',
    targets: { least: -1, most: 1 },
    cumulant: score => Math.log(Math.cosh(score)),
    mean: Math.tanh,
    variance: score => 1 - Math.tanh(score) ** 2,
    meanBound: 1,
    varianceBound: 1,
  }),
];

/** Normal features and targets, the latter kept to what the loss is defined for. */
export function sampleFor({ targets: { least, most } }: Loss, rows: number, features: number): SampleBatch {
  const random = seeded(1, `sample of ${rows} x ${features}`);
  const columns = Array.from({ length: features }, () => normals(random, rows));
  const target = Float64Array.from({ length: rows }, () => Math.min(Math.max(normal(random), least), most));
  return sampleBatch(columns, target);
}
