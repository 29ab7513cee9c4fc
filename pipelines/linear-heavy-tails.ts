// Regression under heavy tails: 50,000 rows, Student t(3) noise, 1 row in 1,000 corrupted by a factor of 1,000.
// Nesterov on fresh chunks, each gradient a geometric median of block means, compared with plain means.

import { sampleBatch } from '../src/flow/index.ts';
import { nesterov, planFit, squared } from '../src/index.ts';
import { descendArrays, synthetic } from '../src/lab/paper/index.ts';
import { distance } from '../src/method/index.ts';

const rows = 50_000;
const { batch, truth } = synthetic.plot5(rows, 'readme', { features: 20 });
const data = sampleBatch(
  batch.columns,
  batch.target.map((y, i) => (i % 1000 === 0 ? 1000 * y : y)),
);

const rule = nesterov({ stepSize: 1, momentum: 0.1 });
for (const aggregate of ['mean', 'median-of-means'] as const) {
  const plan = planFit({ rows, features: 20, loss: squared(), rule, steps: 8, aggregate });
  const { theta, step } = descendArrays(data, plan).at(-1)!;
  const chunk = plan.steps[0]!;
  console.log(
    `${aggregate.padEnd(16)} ${step} steps of ${chunk.rows} fresh rows in ${chunk.blocks} blocks: ` +
      `error ${distance(theta, truth).toFixed(3)}`,
  );
}
