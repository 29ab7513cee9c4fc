import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onSpark } from '../../src/engine/spark/onSpark.ts';
import { sparkDialect } from '../../src/engine/spark/sparkDialect.ts';
import { estimate } from '../../src/fit/estimate.ts';
import { predictTable } from '../../src/fit/remote/predictTable.ts';
import { engineRows, writeRows } from '../support/engineRows.ts';
import { type Cuttable, cuttable } from './support/cuttable.ts';
import { sparkServer } from './support/servers.ts';

describe('faults of Spark', () => {
  let folder: string;
  let path: string;
  let server: Awaited<ReturnType<typeof sparkServer>> | undefined;
  let way: Cuttable | undefined;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'));
    path = join(folder, 'rows.parquet');
    await writeRows(path, engineRows(24_000, 3));
    server = await sparkServer();
    way = await cuttable(server.port);
  });
  after(async () => {
    await way?.close();
    await server?.remove();
    rmSync(folder, { recursive: true });
  });
  const asked = { target: 'linear', features: ['x0', 'x1', 'x2'], mode: 'fresh', steps: 3 } as const;
  const rows = () => onSpark({ url: `sc://127.0.0.1:${way!.port}`, path, id: 'id' });
  const near = () => estimate(path, { ...asked, id: 'id' });
  const expectSame = (one: Awaited<ReturnType<typeof near>>, other: Awaited<ReturnType<typeof near>>): void => {
    for (const [column, { estimate: value }] of Object.entries(one.coefficients))
      expect(value).to.be.closeTo(other.coefficients[column]!.estimate, 1e-12 * Math.max(1, Math.abs(value)));
  };

  it('a connection that is cut again and again changes nothing', async () => {
    let isOver = false;
    let cuts = 0;
    const cutting = (async () => {
      for (let k = 0; k < 100 && !isOver; k++) {
        // Long enough for a query to be answered now and then.
        await pause(2500);
        cuts += way!.cut();
      }
    })();
    const far = await estimate(rows(), asked).finally(() => {
      isOver = true;
    });
    await cutting;
    expect(cuts).to.be.above(0);
    expectSame(far, await near());
  });

  it('a killed executor is replaced by Spark, and the sums are the same', async () => {
    const before = server!.executors();
    expect(before).to.have.length(2);
    const far = await estimate(rows(), {
      ...asked,
      onIterate: ({ step }) => step === 1 && process.kill(before[0]!, 'SIGKILL'),
    });
    expectSame(far, await near());
  });

  it('a query is cancelled on the server by the signal', async () => {
    const source = await rows().connect();
    const stop = new AbortController();
    // A product of a million times a million rows, which would take hours.
    const endless = 'SELECT sum(a.id * b.id) AS s FROM range(1000000) a CROSS JOIN range(1000000) b';
    const running = source.session.query(endless, { signal: stop.signal }).then(
      () => expect.fail('it ended'),
      error => error,
    );
    await pause(3000);
    stop.abort(new Error('enough'));
    expect((await running).message).to.equal('enough');
    // Both cores are free again, or this would wait for them.
    expect(
      (await source.session.query('SELECT CAST(count(*) AS DOUBLE) AS n FROM range(100000)')).numbers('n')[0],
    ).to.equal(100_000);
    await source.session.close();
  });

  it('a killed server is told of, and the fit goes on from its checkpoint once there is one', async () => {
    const checkpoint = join(folder, 'kept');
    const stopped = await estimate(rows(), {
      ...asked,
      checkpoint,
      onIterate: ({ step }) => {
        if (step === 2) void server!.end('SIGKILL');
      },
    }).then(
      () => null,
      error => error,
    );
    expect(stopped?.message).to.match(/cannot be reached.*checkpoint/);
    await server!.start();
    const far = await estimate(rows(), { ...asked, checkpoint });
    expectSame(far, await near());
  });

  it('names of columns and tables are only names', async () => {
    const source = await rows().connect();
    const { quote, text } = sparkDialect;
    const hostile = '`; DROP TABLE x; -- "\'';
    const said = 'it\'s \\ "quoted" \\\' `';
    const found = await source.session.query(`SELECT ${text(said)} AS ${quote(hostile)}`);
    expect(found.texts(hostile)).to.deep.equal([said]);
    await source.session.close();
    const { model } = await near();
    const made = await predictTable(model, rows(), { into: 'default.`scored_rows`', keep: ['id'] });
    expect(made).to.deep.equal({ rows: 24_000, invalid: 0 });
  });

  it('a server that is none is told of without the token', async () => {
    const silent = createServer(socket => socket.end('no')).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    try {
      const refused = await estimate(
        onSpark({ url: `sc://127.0.0.1:${port}`, table: 't', token: 'secret-token' }),
        asked,
      ).then(
        () => expect.fail('it ran'),
        error => error,
      );
      expect(`${refused.message} ${JSON.stringify(refused.detail)}`)
        .to.match(/cannot be reached|answered/)
        .and.not.include('secret-token');
    } finally {
      silent.close();
    }
  });
});
