import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { engineRows, writeRows } from '../support/engineRows.ts';
import { runCli } from '../support/runCli.ts';

describe('--engine', () => {
  let folder: string;
  let rows: string;
  let database: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-cli-engine-'));
    rows = join(folder, 'rows.parquet');
    await writeRows(rows, engineRows(2000, 2));
    database = join(folder, 'rows.duckdb');
    const instance = await DuckDBInstance.create(database);
    const connection = await DuckDBConnection.create(instance);
    await connection.run(`CREATE TABLE trips AS SELECT * FROM '${rows}'`);
    connection.closeSync();
    instance.closeSync();
  });
  after(() => rmSync(folder, { recursive: true }));

  it('fits rows of DuckDB to the model of the same rows here, predicts into a table, and evaluates', async () => {
    const [far, near] = ['far.json', 'near.json'].map(name => join(folder, name)) as [string, string];
    const asked = ['--id', 'id', '--target', 'linear', '--features', 'x0,x1', '--quiet'];
    const there = ['--engine', 'duckdb', '--table', 'trips', '--path', database];
    expect(await runCli(['fit', ...there, ...asked, '--out', far])).to.include({ code: 0 });
    expect(await runCli(['fit', rows, ...asked, '--out', near])).to.include({ code: 0 });
    const [one, other] = [far, near].map(path => JSON.parse(readFileSync(path, 'utf8')).coefficients);
    expect(one.x0).to.be.closeTo(other.x0, 1e-12);
    const made = await runCli(['predict', far, ...there, '--into', 'scored', '--keep', 'id', '--json']);
    expect(JSON.parse(made.stdout)).to.include({ table: 'scored', rows: 2000, invalid: 0 });
    const judged = await runCli(['evaluate', far, ...there, '--id', 'id', '--json', '--quiet']);
    expect(JSON.parse(judged.stdout).rows).to.equal(2000);
  });

  it('fits in private, and says what does not go together', async () => {
    const bounds = ['--bounds', 'x0:-3..3,linear:-8..8', '--epsilon', '8', '--delta', '1e-5', '--seed', '1', '--quiet'];
    const done = await runCli(['fit', rows, '--engine', 'duckdb', '--target', 'linear', ...bounds, '--json']);
    expect(JSON.parse(done.stdout).ledger.note).to.match(/NOT PRIVATE/);
    for (const [args, said] of [
      [['--engine', 'oracle'], /must be local, duckdb or sc/],
      [['--engine', 'duckdb'], /takes files, --sql QUERY, or --table/],
      [['--engine', 'duckdb', '--table', 'trips'], /needs --path/],
      [['--engine', 'sc://127.0.0.1:1', rows], /reads rows where it is/],
      [['--engine', 'sc://127.0.0.1:1'], /either --table NAME or --path/],
      [['--table', 'trips'], /is of an engine/],
      [['--engine', 'duckdb', rows, '--threads', '2'], /--threads.*leave it out/],
      [[rows, '--id', 'id', ...bounds.slice(0, 6)], /--id is for rows of an engine in a private run/],
      [['--engine', 'duckdb', '--sql', 'SELECT 1 AS linear'], /--sql.*needs.*--id/],
    ] as const) {
      const refused = await runCli(['fit', '--target', 'linear', ...args]);
      expect(refused.code, args.join(' ')).to.equal(2);
      expect(refused.stderr).to.match(said);
    }
  });
});
