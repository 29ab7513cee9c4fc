// A custom stage: clip what the geometric median returns, and print the norm of every gradient as it passes.
import { lastValueFrom, map, tap } from 'rxjs';
import { samplesOf } from '../src/flow/index.ts';
import {
  blockSums,
  descend,
  geometricMedian,
  nesterov,
  planFit,
  split,
  squared,
  stage,
  summarize,
} from '../src/index.ts';
import { synthetic } from '../src/lab/paper/index.ts';
import { distance, norm } from '../src/method/index.ts';

const rows = 20_000;
const { batch, truth } = synthetic.plot5(rows, 'custom stage', { features: 20 });
const rule = nesterov({ stepSize: 1, momentum: 0.1 });
const plan = planFit({ rows, features: 20, loss: squared(), rule, steps: 10 });

const clip = stage({
  name: 'clip',
  from: 'gradient',
  to: 'gradient',
  run: map(gradient => {
    const shrink = Math.min(1, 2 / norm(gradient.values));
    return { ...gradient, values: gradient.values.map(value => shrink * value) };
  }),
});
const iterates = split(samplesOf(batch), { chunks: plan.steps.map(step => step.rows) }).pipe(
  descend(plan, blockSums(plan), geometricMedian(), clip),
  tap(({ step, gradient }) => console.log(`step ${step}: gradient ${norm(gradient!.values).toFixed(3)}`)),
);
const { theta } = await lastValueFrom(iterates.pipe(summarize(plan)));
console.log(`error ${distance(theta, truth).toFixed(3)}`);
