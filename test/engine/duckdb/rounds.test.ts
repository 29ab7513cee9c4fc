import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { onDuckdb } from '../../../src/engine/duckdb/onDuckdb.ts';
import { bothEngines, compareWholeSums, differenceOfSums } from '../../support/engineAgreement.ts';
import { ENGINE_LOSSES, engineRows, writeRows } from '../../support/engineRows.ts';

describe('rounds in DuckDB', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-duckdb-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const within = async <T>(
    rows: number,
    features: number,
    use: (
      source: Awaited<ReturnType<ReturnType<typeof onDuckdb>['connect']>>,
      columns: ReturnType<typeof engineRows>,
    ) => Promise<T>,
  ): Promise<T> => {
    const columns = engineRows(rows, features);
    const files = join(folder, `rows${features}.parquet`);
    await writeRows(files, columns);
    const source = await onDuckdb({ files, id: 'id' }).connect();
    try {
      return await use(source, columns);
    } finally {
      await source.session.close();
    }
  };

  for (const [features, rows] of [
    [5, 1500],
    [20, 600],
    [200, 120],
  ] as const)
    it(`have the block sums of this machine for every loss of ${features} features`, async () => {
      const found = await within(rows, features, (source, columns) => differenceOfSums(source, columns, features));
      expect(Object.keys(found)).to.have.length(ENGINE_LOSSES.length);
      for (const [loss, difference] of Object.entries(found)) expect(difference, loss).to.be.at.most(1e-12);
    });

  for (const [features, rows, losses] of [
    [5, 800, ENGINE_LOSSES],
    [20, 150, ENGINE_LOSSES.slice(2, 3)],
    [200, 60, ENGINE_LOSSES.slice(2, 3)],
  ] as const)
    it(`have the whole sums of this machine to the integer, of ${features} features`, async () => {
      const compared = await within(rows, features, (source, columns) =>
        compareWholeSums(source, columns, features, losses),
      );
      expect(compared).to.be.above(80);
    });

  it('answer several questions in one pass', async () => {
    await within(1500, 5, async (source, columns) => {
      const { there, here } = bothEngines(source, columns, 5, 'linear');
      const points = [0, 0.3].map(value => new Float64Array(6).fill(value));
      const asked = ENGINE_LOSSES.slice(1, 3).map(({ loss }, k) => ({ loss, at: points[k]! }));
      const question = { part: null, blocks: 4, intercept: true, asked };
      const [far, near] = [await there.sums(question), await here.sums(question)];
      expect(far.sums).to.have.length(2);
      far.sums.forEach((sums, k) => {
        sums.forEach((sum, place) => {
          expect(sum).to.be.closeTo(near.sums[k]![place]!, 1e-9);
        });
      });
      expect(far.counts.reduce((sum, count) => sum + count, 0)).to.equal(1500);
    });
  });

  it('give the rows of a part in the order of their hashes, and count them by blocks', async () => {
    await within(1500, 5, async (source, columns) => {
      const { there, here } = bothEngines(source, columns, 5, 'linear');
      const part = { from: 1_000_000, to: 9_000_000 };
      const [far, near] = [await there.rowsOf(part), await here.rowsOf(part)];
      expect(far.rows).to.be.within(100, 300);
      expect([...far.target]).to.deep.equal([...near.target]);
      expect(far.columns.map(column => [...column])).to.deep.equal(near.columns.map(column => [...column]));
      const parts = [part, { from: 9_000_000, to: 60_000_000 }];
      expect(await there.counts(parts, 3)).to.deep.equal(await here.counts(parts, 3));
    });
  });
});
