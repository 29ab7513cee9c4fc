import { expect } from 'chai';
import { fromText, toText } from '../../../src/math/plainData.ts';
import { uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { HISTOGRAM_BINS, type PooledState, triangleSize } from '../../../src/method/rule/pooled.ts';
import { shiryaevRoberts } from '../../../src/method/rule/shiryaevRoberts.ts';
import { type PrivateOnlinePlan, planPrivateOnline } from '../../../src/plan/online/planPrivateOnline.ts';
import { correlated, linearRows, normalNoise, simulatePrivate } from '../../support/privateStream.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const plan = planPrivateOnline({ epsilon: 50, delta: 1e-6, scaling: unitScaling(2) });
const { rule } = plan;
const SIZES = { moments: triangleSize(4), histogram: HISTOGRAM_BINS, look: triangleSize(3), gradient: 3 };
const released = (values: Float64Array) => ({ values, privacy: 'released' as const });

/** A state after so many releases of well-behaved rows. */
function stateAfter(releases: number, of: PrivateOnlinePlan = plan): PooledState {
  const random = seeded(5, 'rows');
  const truth = Float64Array.of(0.4, -0.3, 0.1);
  const rows = linearRows(random, correlated(random, 2, 0.3), truth, 0.05, normalNoise);
  return simulatePrivate(of, rows, seeded(5, 'noise'), ({ step }) => step < releases);
}

describe('pooled', () => {
  it('has states of plain data, which go on to the same bits after a clone or a text', () => {
    let state = rule.init(plan.start);
    const random = seeded(1, 'answers');
    for (let t = 0; t < 60; t++) {
      const values = Float64Array.from({ length: SIZES[plan.kindAt(t)] }, () => uniformBetween(random, -1, 1));
      const next = rule.step(state, released(values));
      expect(rule.step(structuredClone(state), released(values))).to.deep.equal(next);
      expect(rule.step(fromText(toText(state)) as PooledState, released(values))).to.deep.equal(next);
      state = next;
    }
  });

  it('has finite estimates whatever is released: nothing but noise, all zeros, or numbers as large as they come', () => {
    for (const size of [0, 1e-6, 1, 100]) {
      const random = seeded(2, `size ${size}`);
      let state = rule.init(plan.start);
      for (let t = 0; t < 60; t++) {
        const values = Float64Array.from({ length: SIZES[plan.kindAt(t)] }, () => uniformBetween(random, -size, size));
        state = rule.step(state, released(values));
        expect(rule.iterate(state).every(Number.isFinite)).to.equal(true);
      }
    }
  });

  it('sets a gradient aside that is far out, two in a row at most, and goes on from the others', () => {
    const state = stateAfter(plan.figures.releases.length + 40);
    const wild = released(Float64Array.of(100, 100, 100));
    const once = rule.step(state, wild);
    expect(once.aside).to.equal(state.aside + 1);
    expect(once.theta).to.deep.equal(state.theta);
    const twice = rule.step(once, wild);
    expect(twice.theta).to.deep.equal(state.theta);
    const thrice = rule.step(twice, wild);
    expect(thrice.aside).to.equal(state.aside + 2);
    expect(thrice.theta).not.to.deep.equal(state.theta);
    expect(thrice.asideInRow).to.equal(0);
    expect([twice.alarm, thrice.alarm?.step]).to.deep.equal([null, thrice.step]);
  });

  it("pools: the estimate is the mean point less the curvature's share of the mean gradient", () => {
    const first = plan.figures.releases.length;
    const state = stateAfter(first + 4);
    expect(state.weight).to.equal(4);
    const more = rule.step(state, released(new Float64Array(SIZES.look).fill(0.01)));
    // Chunk 5 is a look, so this was taken for one: the pool is as it was, and only the curvature has changed.
    expect(plan.kindAt(first + 4)).to.equal('look');
    expect(more.weight).to.equal(4);
  });

  it('forgets by weight: chunks that are long past count for nothing', () => {
    const forgetting = planPrivateOnline({
      epsilon: 50,
      delta: 1e-6,
      scaling: unitScaling(2),
      forget: 5 * plan.figures.chunk,
    });
    const state = stateAfter(80, forgetting);
    const keep = Math.exp(-1 / 5);
    expect(state.weight).to.be.closeTo(1 / (1 - keep), 0.01);
    expect(state.squaredWeight).to.be.closeTo(1 / (1 - keep ** 2), 0.01);
  });

  it('shows every pooled gradient to a watch, in units of the coefficients, and tells what it finds', () => {
    const seen: number[] = [];
    const watch = {
      begin: () => 0,
      next: (count: unknown, values: Float64Array) => {
        seen.push(...values);
        return { watch: (count as number) + 1, alarm: count === 9 ? 2 : null };
      },
    };
    const preamble = plan.figures.releases.length;
    const watching = planPrivateOnline({ epsilon: 50, delta: 1e-6, scaling: unitScaling(2), watch });
    const state = stateAfter(preamble + 60, watching);
    // All but two looks and the first two gradients, whose spread is not known yet.
    expect(state.watch).to.equal(56);
    expect(state.alarm).to.deep.equal({ step: preamble + 13, coefficient: 2 });
    const square = seen.slice(30).reduce((sum, value) => sum + value ** 2, 0) / (seen.length - 30);
    expect(square).to.be.within(0.6, 1.8);
  });

  it('is silent under the watch of streams while nothing changes, and finds what does', () => {
    const watching = planPrivateOnline({ epsilon: 50, delta: 1e-6, scaling: unitScaling(2), watch: shiryaevRoberts() });
    const from = watching.figures.releases.length + 220;
    const random = seeded(6, 'rows');
    const draws = [0.1, 0.4].map(last =>
      linearRows(random, correlated(random, 2, 0.3), Float64Array.of(0.4, -0.3, last), 0.05, normalNoise),
    );
    let rows = 0;
    const draw = (x: Float64Array): number => draws[rows++ < watching.rowsBefore(from) ? 0 : 1]!(x);
    const state = simulatePrivate(
      watching,
      draw,
      seeded(6, 'noise'),
      ({ step, alarm }) => alarm === null && step < from + 80,
    );
    expect(state.alarm!.step).to.be.within(from + 1, from + 20);
  });
});
