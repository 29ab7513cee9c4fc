import { expect } from 'chai';
import { aggregateBy, mean } from '../../src/flow/aggregateBy.ts';
import { descend } from '../../src/flow/descend.ts';
import { gramSums, suitsGram } from '../../src/flow/gramSums.ts';
import { passes } from '../../src/flow/passes.ts';
import { descendArrays } from '../../src/lab/paper/descendArrays.ts';
import { plot5 } from '../../src/lab/synthetic/figures.ts';
import { distance } from '../../src/math/vector.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../src/method/loss/ridge.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { nesterov } from '../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { collect, rebatched } from '../support/descentFixtures.ts';

const rows = 5000;
const features = 6;
const { batch } = plot5(rows, 'gram', { features });
const full = { rows, features, mode: 'full', steps: 8 } as const;

describe('gramSums', () => {
  it('equals the reference descent to 1e-8, and reads the rows once', async () => {
    for (const rule of [projectedGradient({ stepSize: 0.5 }), nesterov({ stepSize: 0.5, momentum: 0.3 })]) {
      for (const aggregate of ['mean', 'median-of-means'] as const) {
        for (const loss of [squared(), ridge(squared(), 0.2)]) {
          const plan = planFit({ ...full, loss, rule, aggregate });
          const reference = descendArrays(batch, plan).slice(1);
          let read = 0;
          const samples = rebatched(batch, 700);
          const counted = {
            ...samples,
            async *batches() {
              read++;
              yield* samples.batches();
            },
          };
          const { estimation } = plan;
          if (estimation.kind !== 'blocks') expect.fail('the plan has no blocks');
          const iterates = await collect(
            passes(counted, 8).pipe(descend(plan, gramSums(plan), aggregateBy(estimation.aggregator))),
          );
          expect(read).to.equal(1);
          expect([iterates.length, reference.length]).to.deep.equal([8, 8]);
          iterates.forEach(({ theta }, t) => {
            expect(distance(theta, reference[t]!.theta)).to.be.below(1e-8);
          });
        }
      }
    }
  });

  it('is for the squared loss over the same rows, several times', () => {
    const rule = projectedGradient({ stepSize: 0.5 });
    expect(suitsGram(planFit({ ...full, loss: squared(), rule }))).to.equal(true);
    expect(suitsGram(planFit({ ...full, loss: pseudoHuber(1), rule }))).to.equal(false);
    expect(suitsGram(planFit({ ...full, loss: squared(), rule, steps: 2 }))).to.equal(false);
    expect(suitsGram(planFit({ ...full, loss: squared(), rule, mode: 'fresh' }))).to.equal(false);
    expect(() => gramSums(planFit({ ...full, loss: pseudoHuber(1), rule }))).to.throw('use blockSums');
  });

  it('takes tens of thousands of steps without piling them on the stack', async () => {
    const rule = projectedGradient({ stepSize: 0.5 });
    const plan = planFit({ ...full, loss: squared(), rule, aggregate: 'mean', steps: 20_000 });
    const descent = passes(rebatched(batch, rows), 20_000).pipe(descend(plan, gramSums(plan), mean()));
    expect((await collect(descent)).at(-1)!.step).to.equal(20_000);
  });
});
