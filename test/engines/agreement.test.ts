import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { onDuckdb } from '../../src/engine/duckdb/onDuckdb.ts';
import { onSpark } from '../../src/engine/spark/onSpark.ts';
import type { SqlSource } from '../../src/engine/sql/sqlSession.ts';
import { estimate } from '../../src/fit/estimate.ts';
import { estimatePrivately } from '../../src/fit/private/estimatePrivately.ts';
import { compareWholeSums, differenceOfSums } from '../support/engineAgreement.ts';
import { ENGINE_LOSSES, engineRows, writeRows } from '../support/engineRows.ts';
import { type EngineServer, sailServer, sparkServer } from './support/servers.ts';

for (const { name, start } of [
  { name: 'Sail', start: sailServer },
  { name: 'Spark', start: sparkServer },
] as const)
  describe(`rows in ${name}`, () => {
    let folder: string;
    let server: EngineServer | undefined;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-engines-'));
      server = await start();
    });
    after(async () => {
      await server?.remove();
      rmSync(folder, { recursive: true });
    });

    const within = async <T>(
      rows: number,
      features: number,
      use: (source: SqlSource, columns: ReturnType<typeof engineRows>) => Promise<T>,
    ): Promise<T> => {
      const columns = engineRows(rows, features);
      const path = join(folder, `rows${features}.parquet`);
      await writeRows(path, columns);
      const source = await onSpark({ url: server!.url, path, id: 'id' }).connect();
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
      [20, 150, [ENGINE_LOSSES[2]!, ENGINE_LOSSES[5]!]],
      [200, 60, [ENGINE_LOSSES[2]!]],
    ] as const)
      it(`have the whole sums of this machine to the integer, of ${losses.length} losses of ${features} features`, async () => {
        const compared = await within(rows, features, (source, columns) =>
          compareWholeSums(source, columns, features, losses),
        );
        expect(compared).to.be.at.least(80);
      });

    it('are fitted as on this machine, by default and in private', async () => {
      const columns = engineRows(24_000, 3);
      const path = join(folder, 'fit.parquet');
      await writeRows(path, columns);
      const rows = onSpark({ url: server!.url, path, id: 'id' });
      const asked = { target: 'linear', features: ['x0', 'x1', 'x2'], mode: 'fresh' } as const;
      const [far, near] = [await estimate(rows, asked), await estimate(path, { ...asked, id: 'id' })];
      for (const [column, { estimate: value, error }] of Object.entries(far.coefficients)) {
        expect(value).to.be.closeTo(near.coefficients[column]!.estimate, 1e-9);
        expect(error).to.be.closeTo(near.coefficients[column]!.error!, 1e-9);
      }
      const bounds = { x0: [-3, 3], x1: [-3, 3], x2: [-30, 30], linear: [-8, 8] } as const;
      const declared = { target: 'linear', bounds, epsilon: 4, delta: 1e-6, seed: 3, steps: 3 } as const;
      const there = await estimatePrivately(rows, declared);
      const inDuckdb = await estimatePrivately(onDuckdb({ files: path, id: 'id' }), declared);
      expect(there.model.coefficients).to.deep.equal(inDuckdb.model.coefficients);
    });
  });
