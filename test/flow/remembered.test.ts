import { expect } from 'chai';
import { from, lastValueFrom, map, toArray } from 'rxjs';
import { mean } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { descend } from '../../src/flow/descend.ts';
import { gramSums } from '../../src/flow/gramSums.ts';
import { passes } from '../../src/flow/passes.ts';
import { remembered } from '../../src/flow/remembered.ts';
import { stage } from '../../src/flow/stage.ts';
import { fromText, toText } from '../../src/math/plainData.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { nesterov } from '../../src/method/rule/nesterov.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

const rows = sampleBatch([Float64Array.of(1, 2, 3, 4, 0.3)], Float64Array.of(2, 4.1, 6, 8, 1));
const plan = planFit({
  rows: 5,
  features: 1,
  loss: squared(),
  rule: nesterov({ stepSize: 0.05, momentum: 0.5 }),
  steps: 6,
  mode: 'full',
  aggregate: 'mean',
});

/** Answers as a checkpoint has them: through a text. */
function answersOf(kept: readonly string[]) {
  const all = [...kept];
  return {
    all,
    known: kept.length,
    at: (step: number) => fromText(all[step]!),
    keep: (step: number, answer: unknown) => {
      expect(step).to.equal(all.length);
      all.push(toText(answer));
    },
  };
}

describe('remembered', () => {
  it('gives the same iterates to the bit from any step on, and reads no rows of the steps before', async () => {
    for (const sums of [blockSums, gramSums]) {
      const run = async (kept: readonly string[]) => {
        const answers = answersOf(kept);
        let passesRead = 0;
        const counted = {
          ...samplesOf(rows),
          batches: () => {
            passesRead++;
            return samplesOf(rows).batches();
          },
        };
        const iterates = await lastValueFrom(
          passes(counted, 6).pipe(descend(plan, remembered(sums(plan), answers), mean()), toArray()),
        );
        return { iterates, passesRead, kept: answers.all };
      };
      const whole = await run([]);
      expect(whole.kept).to.have.length(6);
      for (let step = 0; step <= 6; step++) {
        const resumed = await run(whole.kept.slice(0, step));
        expect(resumed.iterates).to.deep.equal(whole.iterates);
        expect(resumed.kept).to.deep.equal(whole.kept);
        if (sums === blockSums) expect(resumed.passesRead).to.equal(6 - step);
      }
    }
  });

  it('passes the error of its stage on, and ends with its steps', async () => {
    const failing = stage({
      name: 'failing',
      from: 'step',
      to: 'sums',
      run: map(() => {
        throw new Error('no rows');
      }),
    });
    const failed = await lastValueFrom(
      passes(samplesOf(rows), 6).pipe(descend(plan, remembered(failing, answersOf([])), mean())),
    ).catch(error => error.message);
    expect(failed).to.equal('no rows');
    expect(await lastValueFrom(from([]).pipe(remembered(blockSums(plan), answersOf([])).run, toArray()))).to.deep.equal(
      [],
    );
  });
});
