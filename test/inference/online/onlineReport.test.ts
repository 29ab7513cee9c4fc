import { expect } from 'chai';
import { mergeOnline, reportOnline } from '../../../src/inference/online/onlineReport.ts';
import { anyTimeFactor } from '../../../src/inference/online/privateIntervals.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentQuantile } from '../../../src/math/studentQuantile.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { planOnline } from '../../../src/plan/online/planOnline.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { coverage } from '../../support/onlineStatistics.ts';
import { rowsOf, runOver, type World } from '../../support/onlineStream.ts';

/** Targets alone: an intercept, and a feature that never varies. */
function constant(count: number, seed = 1): SampleBatch {
  const { target } = rowsOf({ features: 1, kind: 'squared', rho: 0 }, count, seeded(seed, 'rows'));
  return { rows: count, columns: [new Float64Array(count).fill(7)], target };
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('reportOnline', () => {
  const plan = planOnline({ features: 1, loss: squared(), chunk: 100, pilot: 400 });

  it('has the errors and intervals of a mean, by the means of chunks against what was known before each', () => {
    const rows = constant(1400);
    const report = reportOnline(runOver(plan, rows), plan);
    // x = (mean of the chunk - mean before)/sqrt(1/m + 1/n); the ridge of a hundredth of a row is at the pilot's mean.
    const squares: number[] = [];
    for (let n = 400; n < 1400; n += 100) {
      const before = mean(rows.target.subarray(0, n));
      const own = mean(rows.target.subarray(n, n + 100));
      squares.push((own - before) ** 2 / (1 / 100 + 1 / n));
    }
    const s = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
    const error = s / Math.sqrt(1400);
    expect(report.theta[1]).to.be.closeTo(mean(rows.target), 1e-4);
    expect(report.errors![1]! / error).to.be.closeTo(1, 1e-3);
    const [low, high] = report.now[1]!;
    expect((high - low) / 2 / report.errors![1]!).to.be.closeTo(studentQuantile(0.975, 10), 1e-12);
    const [least, most] = report.anyTime[1]!;
    expect((most - least) / 2 / report.errors![1]!).to.be.closeTo(anyTimeFactor(14, 10, 0.05)!, 1e-12);
    expect(reportOnline(runOver(plan, rows), plan, { level: 0.2 }).now[1]![0]).to.be.above(low);
  });

  it('has no error and no interval of a column that has not varied, nor before two chunks have said anything', () => {
    const rows = constant(700);
    const report = reportOnline(runOver(plan, rows), plan);
    expect([report.theta[0], report.now[0], report.anyTime[0]]).to.deep.equal([0, null, null]);
    expect(report.errors![0]).to.be.NaN;
    const early = reportOnline(runOver(plan, rowsBetween(rows, 0, 500)), plan);
    expect([early.errors, early.now, early.isSettled]).to.deep.equal([null, [null, null], false]);
    const unseen = reportOnline(plan.rule.init(plan.start), plan);
    expect([unseen.errors, unseen.progressive, unseen.rows]).to.deep.equal([null, null, 0]);
  });

  it('scores rows before they are learnt from', () => {
    const rows = constant(600);
    const { progressive } = reportOnline(runOver(plan, rows), plan);
    const losses = [400, 500].map(n => {
      const before = mean(rows.target.subarray(0, n));
      return mean(rows.target.subarray(n, n + 100).map(y => (y - before) ** 2 / 2));
    });
    expect(progressive!.chunk).to.be.closeTo(losses[1]!, 1e-4);
    expect(progressive!.all).to.be.closeTo((losses[0]! + losses[1]!) / 2, 1e-4);
  });

  it('counts rows, chunks and what was set aside, and is settled after ten chunks', () => {
    const rows = constant(400 + 30 * 100);
    rows.target.fill(1e5, 3000, 3100);
    const report = reportOnline(runOver(plan, rows), plan);
    expect(report).to.deep.include({ quarantined: 1, rows: 3300, since: 0, alarm: null, isSettled: true });
  });

  it('withholds any-time intervals where rows are forgotten, and has those of the remembered rows', () => {
    const forgetful = planOnline({ features: 1, loss: squared(), chunk: 100, pilot: 400, forget: 2000 });
    const rows = constant(40_400);
    const report = reportOnline(runOver(forgetful, rows), forgetful);
    expect(report.anyTime).to.deep.equal([null, null]);
    // Worth 2R rows of targets whose variance is 2; 200 chunks tell a spread to a twentieth.
    expect(report.errors![1]! * Math.sqrt(4000)).to.be.closeTo(Math.SQRT2, 0.25);
    let [sum, weight] = [0, 0];
    rows.target.forEach((y, i) => {
      const chunk = i < 400 ? -1 : Math.floor((i - 400) / 100);
      const w = Math.exp((-100 * (399 - chunk)) / 2000);
      sum += w * y;
      weight += w;
    });
    expect(report.theta[1]).to.be.closeTo(sum / weight, 1e-4);
  });

  it('holds its intervals: ever wrong in no more streams than it says, and now in about as many', () => {
    const world: World = { features: 2, kind: 't3', rho: 0.5 };
    const { ever, now, fixed } = coverage(world, { chunk: 100, chunks: 60, streams: 60 });
    // 180 coefficients: three standard errors of 5 % are 5 %.
    expect(ever).to.be.below(0.1);
    expect(now).to.be.below(0.1);
    expect(fixed).to.be.above(0.15);
  });

  it('merges one state and more, and refuses none', () => {
    const states = [1, 2].map(seed => runOver(plan, constant(700, seed)));
    expect(mergeOnline([states[0]!], plan)).to.deep.equal(states[0]);
    const targets = Float64Array.of(...[1, 2].flatMap(seed => [...constant(700, seed).target]));
    expect(reportOnline(mergeOnline(states, plan), plan).theta[1]).to.be.closeTo(mean(targets), 1e-4);
    expect(() => mergeOnline([], plan)).to.throw('there are no states to merge');
  });
});
