import { expect } from 'chai';
import { contaminate, type Outliers } from '../../../src/lab/synthetic/contaminate.ts';
import { plot5 } from '../../../src/lab/synthetic/figures.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

const sample = plot5(20_000, 'contaminate', { features: 4 });
const { batch, truth } = sample;
const made = (outliers: Outliers, share = 0.1) =>
  contaminate(sample, { share, outliers, random: seeded(1, 'outliers') }).batch;
const replacedIn = (other: typeof batch): number[] =>
  Array.from({ length: batch.rows }, (_, i) => i).filter(i => other.target[i] !== batch.target[i]);

describe('contaminate', () => {
  it('replaces a share of the rows, the same ones for the same stream, and leaves the others as they are', () => {
    const rows = (['point', 'cluster', 'gradient'] as const).map(outliers => replacedIn(made(outliers)));
    // 20,000 draws: six standard deviations are 0.0127.
    expect(rows[0]!.length / batch.rows).to.be.closeTo(0.1, 0.0127);
    expect(rows[1]).to.deep.equal(rows[0]);
    expect(rows[2]).to.deep.equal(rows[0]);
    const kept = new Set(rows[0]);
    const point = made('point');
    batch.columns.forEach((column, j) => {
      column.forEach((x, i) => {
        if (!kept.has(i) && point.columns[j]![i] !== x) expect.fail(`row ${i} changed`);
      });
    });
    expect(replacedIn(made('point', 0))).to.deep.equal([]);
  });

  it('puts outliers at a point, in a cluster, or where their gradients at theta* agree', () => {
    const [point, cluster, gradient] = [made('point'), made('cluster'), made('gradient')];
    for (const i of replacedIn(point).slice(0, 50)) {
      expect([point.columns[0]![i], point.target[i]]).to.deep.equal([0.5, 50]);
      expect(cluster.columns[3]![i]).to.equal(batch.columns[3]![i]! + 0.5);
      expect(cluster.target[i]).to.equal(batch.target[i]! - 20);
      const score = gradient.columns.reduce((sum, column, j) => sum + column[i]! * truth[j]!, 0);
      expect((score - gradient.target[i]!) * gradient.columns[2]![i]!).to.equal(-2.5);
    }
  });

  it('leaves its sample alone, and refuses shares and kinds that make no sense', () => {
    const before = batch.target.slice();
    made('point');
    expect(batch.target).to.deep.equal(before);
    expect(() => made('point', 0.5)).to.throw('share must be in [0, 1/2)');
    expect(() => made('other' as Outliers)).to.throw('outliers must be one of point, cluster, gradient');
  });
});
