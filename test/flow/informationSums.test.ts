import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { geometricMedian } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { descend } from '../../src/flow/descend.ts';
import { informationSums } from '../../src/flow/informationSums.ts';
import type { Iterate } from '../../src/flow/iterate.ts';
import { split } from '../../src/flow/split.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { distance } from '../../src/math/vector.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { frankWolfe } from '../../src/method/rule/frankWolfe.ts';
import { nesterov } from '../../src/method/rule/nesterov.ts';
import { planEndless } from '../../src/plan/online/planEndless.ts';
import { onlineChunks, planOnline } from '../../src/plan/online/planOnline.ts';
import { rowsBetween, type SampleBatch } from '../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { rowsOf, runOver, truthOf, type World } from '../support/onlineStream.ts';

const world: World = { features: 3, kind: 't3', rho: 0.3 };
const rows = rowsOf(world, 3000, seeded(1, 'rows'));

/** The same rows, in batches of other sizes. */
const inBatches = (batch: SampleBatch, size: number): Samples => ({
  ...samplesOf(batch),
  async *batches() {
    for (let start = 0; start < batch.rows; start += size)
      yield rowsBetween(batch, start, Math.min(batch.rows, start + size));
  },
});

describe('informationSums', () => {
  const plan = planOnline({ features: 3, chunk: 150 });
  const iterates = (samples: Samples, from?: { state: unknown; step: number }): Promise<Iterate[]> =>
    lastValueFrom(
      split(samples, { chunks: onlineChunks(plan, from?.step), first: from?.step ?? 0 }).pipe(
        descend({ ...plan, ...(from && { from }) }, informationSums(plan)),
        toArray(),
      ),
    );

  it('runs the online estimator over held chunks, to the same bits for any batches, and without RxJS around it', async () => {
    const all = await iterates(samplesOf(rows));
    expect(all.map(({ rowsBehind }) => rowsBehind)).to.deep.equal(
      Array.from({ length: all.length }, (_, t) => 450 + 150 * t),
    );
    expect(all.at(-1)!.state).to.deep.equal(runOver(plan, rows));
    for (const size of [1, 37, 1000]) {
      const others = await iterates(inBatches(rows, size));
      expect(others.map(({ state }) => state)).to.deep.equal(all.map(({ state }) => state));
    }
  });

  it('goes on from a state to the same bits', async () => {
    const all = await iterates(samplesOf(rows));
    const { state, step } = all[5]!;
    const rest = await iterates(samplesOf(rowsBetween(rows, 450 + 5 * 150, 3000)), {
      state: structuredClone(state),
      step,
    });
    expect(rest.map(iterate => [iterate.step, iterate.state])).to.deep.equal(
      all.slice(6).map(iterate => [iterate.step, iterate.state]),
    );
  });
});

describe('an endless plan', () => {
  it("runs the paper's rules for ever, by the median of means", async () => {
    const truth = truthOf(world);
    for (let j = 0; j < 3; j++) truth[3]! -= truth[j]!;
    for (const rule of [nesterov({ stepSize: 0.1, momentum: 0.5 }), frankWolfe({ constraint: l2Ball(4) })]) {
      const plan = planEndless({ features: 3, intercept: true, loss: squared(), rule, chunk: 100 });
      const all = await lastValueFrom(
        split(samplesOf(rowsOf(world, 20_000, seeded(2, 'rows'))), { chunks: onlineChunks(plan) }).pipe(
          descend(plan, blockSums(plan), geometricMedian()),
          toArray(),
        ),
      );
      expect(all).to.have.length(200);
      expect(distance(all.at(-1)!.theta, truth), rule.name).to.be.below(0.6);
    }
  });
});
