import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { gather } from '../../../src/sample/gather.ts';
import { type ReadOptions, tableSamples } from '../../../src/source/read/tableSamples.ts';
import { openSql } from '../../../src/source/sql/openSql.ts';
import { discoverColumn } from '../../support/discoverColumn.ts';

async function read(query: string, options: ReadOptions): Promise<{ columns: number[][]; target: number[] }> {
  const samples = await tableSamples([await openSql(query)], options);
  try {
    const { columns, target } = await gather(samples.batches(), samples.rows, samples.features);
    return { columns: columns.map(column => [...column]), target: [...target] };
  } finally {
    await samples.close();
  }
}

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('nothing was refused'),
    error => error,
  );

describe('openSql', () => {
  it('knows the fields and the rows of a query', async () => {
    const table = await openSql(
      "SELECT 1::TINYINT a, 2::BIGINT b, 3.5::DOUBLE c, 1.25::DECIMAL(9,2) d, true e, DATE '2001-01-01' f, 'x' g, [1] h FROM range(7);",
    );
    expect(table.fields.map(({ name, kind }) => `${name} ${kind}`)).to.deep.equal([
      'a integer',
      'b exact',
      'c float',
      'd exact',
      'e boolean',
      'f time',
      'g text',
      'h unsupported',
    ]);
    expect(table.rows).to.equal(7);
    await table.close();
  });

  it('gives numbers, booleans, decimals and times as doubles, and levels as 0 and 1', async () => {
    const { columns, target } = await read(
      `SELECT i AS y, i / 4 AS quarter, i % 2 = 0 AS even, (i / 100)::DECIMAL(9,2) AS cents,
              TIMESTAMP '1970-01-02 00:00:00.5' + INTERVAL (i) HOUR AS time, ['a', 'b'][i % 2 + 1] AS letter
       FROM range(4) AS t(i)`,
      {
        target: 'y',
        features: ['quarter', 'even', 'cents', 'time', 'letter'],
        categorical: { letter: ['b', 'c'] },
      },
    );
    expect(target).to.deep.equal([0, 1, 2, 3]);
    expect(columns).to.deep.equal([
      [0, 0.25, 0.5, 0.75],
      [1, 0, 1, 0],
      [0, 0.01, 0.02, 0.03],
      [86_400.5, 90_000.5, 93_600.5, 97_200.5],
      [0, 1, 0, 1],
      [0, 0, 0, 0],
    ]);
  });

  it('discovers the levels of texts', async () => {
    const table = await openSql(
      "SELECT CASE WHEN i % 5 = 4 THEN NULL ELSE 'level ' || i % 3 END AS t FROM range(5000) AS t(i) ORDER BY i",
    );
    const { texts, levels } = await discoverColumn(table, 't', { size: 100 });
    expect(levels).to.deep.equal(['level 0', 'level 1', 'level 2']);
    expect(texts).to.deep.equal(Array.from({ length: 5000 }, (_, i) => (i % 5 === 4 ? null : `level ${i % 3}`)));
    await table.close();
  });

  it('marks nulls, which the policy then judges', async () => {
    const query = 'SELECT CASE WHEN i = 2 THEN NULL ELSE i END AS x, i AS y FROM range(4) AS t(i)';
    const error = await failure(read(query, { target: 'y', nulls: 'error' }));
    expect(error.message).to.include('the query, column "x", row 2, counted from 0: has no value');
    expect((await read(query, { target: 'y' })).columns).to.deep.equal([[0, 1, 0, 3]]);
  });

  it('gives the nearest double to whole numbers, decimals and times of any length', async () => {
    for (const [value, nearest] of [
      ['9007199254740993::BIGINT', 9007199254740992],
      ['-9007199254740995::BIGINT', -9007199254740996],
      ['18446744073709551615::UBIGINT', 2 ** 64],
      ['(-170141183460469231731687303715884105727)::HUGEINT', -(2 ** 127)],
      ['90071992547409.93::DECIMAL(20,2)', Number('90071992547409.93')],
      ['12345678901234567890.123456789::DECIMAL(38,9)', Number('12345678901234567890.123456789')],
      ["'2023-11-14 22:13:20.123456789'::TIMESTAMP_NS", Number('1700000000.123456789')],
    ] as const) {
      const { columns } = await read(`SELECT ${value} AS x, 1 AS y`, { target: 'y', features: ['x'] });
      expect(columns, value).to.deep.equal([[nearest]]);
    }
  });

  it('reads more rows than a frame holds, in order', async () => {
    const { target } = await read('SELECT i AS y, i AS x FROM range(10000) AS t(i) ORDER BY i', {
      target: 'y',
    });
    expect(target).to.deep.equal(Array.from({ length: 10_000 }, (_, i) => i));
  });

  it('takes a query that ends in a remark, or in a semicolon before one', async () => {
    for (const end of [' -- all of it', '; -- all of it', ';\n-- a; b\n/* c; ** d */ ', ' ;\n', ' /* it */']) {
      const { target } = await read(`SELECT i AS y, i AS x FROM range(3) AS t(i)${end}`, { target: 'y' });
      expect(target, end).to.deep.equal([0, 1, 2]);
    }
  });

  it('passes on what DuckDB says of a query that is wrong, and refuses an empty one', async () => {
    expect((await failure(openSql('SELECT nothing'))).message)
      .to.include('DuckDB rejected it')
      .and.include('nothing');
    expect((await failure(openSql(' ; '))).message).to.include('`sql` must be a query');
  });
});

describe('what a query may do', () => {
  const TABLE = 'x,y\n1,2\n3,4\n';
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sluice's-sql-"));
    mkdirSync(at('parts'));
    for (const name of ['data.csv', 'other.csv', 'parts/1.csv', 'parts/2.csv']) writeFileSync(at(name), TABLE);
    symlinkSync('data.csv', at('link.csv'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const quoted = (name: string): string => `'${at(name).replaceAll("'", "''")}'`;
  const rowsOf = async (query: string): Promise<number | null> => {
    const table = await openSql(query);
    await table.close();
    return table.rows;
  };

  it('reads the files that it names, in full, by a link or by a pattern', async () => {
    const data = quoted('data.csv');
    for (const [query, rows] of [
      [`SELECT * FROM ${data}`, 2],
      [`FROM ${data} WHERE x > 1; ;`, 1],
      [`WITH a AS (FROM ${data}) SELECT * FROM a, a AS b`, 4],
      [`SELECT * FROM read_csv(${data}, header = true)`, 2],
      [`FROM read_csv([${data}, ${quoted('other.csv')}])`, 4],
      [`FROM ${quoted('link.csv')}`, 2],
      [`FROM ${quoted('parts/*.csv')}`, 4],
      [`FROM READ_CSV(${quoted('parts/?.csv')})`, 4],
      [`PIVOT ${data} ON x IN (1, 3) USING sum(y)`, 1],
      [`VALUES ('a; COPY b TO c', 1), ('--', 2), ('/*', 3)`, 3],
      [`SELECT 1 AS "a;b", $$ ; $$ AS b /* ; -- */ -- ; /*`, 1],
      ['SELECT\u00a01 AS x', 1],
      [`FROM (SUMMARIZE ${data})`, 2],
    ] as const) {
      expect(await rowsOf(query), query).to.equal(rows);
    }
  });

  it('is one statement that reads, by whatever way another comes along', async () => {
    const [data, out] = [quoted('data.csv'), quoted('out.csv')];
    const one = '`sql` must be one statement, got "2 statements"';
    const select = '`sql` must be one SELECT statement, because a query only reads';
    const table = '`sql` must not use the function';
    for (const [query, message] of [
      ['SELECT 1; SELECT 2', one],
      [`FROM ${data}; COPY (SELECT 1) TO ${data}`, select],
      [`FROM ${data}/* ; */; --\n COPY (SELECT 1) TO ${out};`, select],
      [`COPY (FROM ${data}) TO ${out}`, select],
      [`EXPORT DATABASE ${quoted('out')}`, select],
      [`ATTACH ${quoted('out.db')}`, select],
      ['PRAGMA version', select],
      [`PRAGMA import_database(${quoted('parts')})`, select],
      ['CALL pragma_version()', select],
      ['SET threads = 1', select],
      ['RESET lock_configuration', select],
      ['INSTALL httpfs', select],
      ['LOAD httpfs', select],
      ['CREATE MACRO f(x) AS x', select],
      ['CREATE TABLE t AS SELECT 1', select],
      ['PREPARE p AS SELECT 1', select],
      ['EXPLAIN ANALYZE SELECT 1', select],
      [`PIVOT ${data} ON x USING sum(y)`, 'name the columns: PIVOT … ON column IN (…)'],
      ['WITH a AS (INSERT INTO t VALUES (1) RETURNING 1) FROM a', 'DuckDB rejected it: '],
      ['SELECT 1) ; (SELECT 2', 'DuckDB rejected it: '],
      ['SELECT 1 /* without an end', 'DuckDB rejected it: '],
      ['SELECT $1', 'DuckDB rejected it: '],
      [' -- nothing', '`sql` must be a query, got an empty text'],
      [`FROM enable_profiling(format = 'json', save_location = ${data})`, `${table} enable_profiling as a table`],
      [`SELECT (SELECT count(*) FROM "Enable_Logging"())`, `${table} enable_logging as a table`],
      [`FROM system.main.enable_logging(storage_path = ${out})`, `${table} enable_logging as a table`],
      [`WITH a AS (FROM query('FROM checkpoint()')) FROM a`, `${table} query as a table`],
      [`FROM read_text(${data})`, `${table} read_text as a table`],
      [`SELECT (SELECT content FROM read_text([${data}]))`, `${table} read_text as a table`],
      [`WITH a AS (FROM read_blob(${data})) FROM a`, `${table} read_blob as a table`],
      [`FROM glob(${quoted('*')})`, `${table} glob as a table`],
      ['FROM duckdb_settings()', `${table} duckdb_settings as a table`],
      ['FROM pg_catalog.pg_settings', '`sql` must not read pg_settings, which is about DuckDB itself'],
      ['SELECT (SELECT count(*) FROM information_schema.tables)', '`sql` must not read tables, which is'],
      ['FROM duckdb_tables', '`sql` must not read duckdb_tables'],
      ["SELECT write_log('x')", '`sql` must not write, as write_log does'],
      [`FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))`, `${table} json_execute_serialized_sql`],
    ] as const) {
      const error = await failure(rowsOf(query));
      expect(error).to.be.instanceOf(ArgumentError);
      expect(error.message, query).to.include(message);
    }
    expect(readdirSync(folder).sort()).to.deep.equal(['data.csv', 'link.csv', 'other.csv', 'parts']);
    expect(readFileSync(at('data.csv'), 'utf8')).to.equal(TABLE);
  });

  it('reads no other file, however it is spelt, and nothing from elsewhere', async () => {
    const halves = `'${at('').replaceAll("'", "''")}' || 'data.csv'`;
    for (const query of [
      `FROM read_csv(${halves})`,
      `FROM read_csv(replace(${quoted('data+csv')}, '+', '.'))`,
      `FROM read_csv(${quoted('parts')} || '/*.csv')`,
      `FROM ${quoted('data.csv')}, read_csv(${halves.replace('data', 'other')})`,
      "FROM 'https://127.0.0.1:9/x.csv'",
      "FROM read_parquet('s3://bucket/x.parquet')",
    ]) {
      const error = await failure(rowsOf(query));
      expect(error.message, query).to.match(
        /DuckDB rejected it: Permission Error[\s\S]*; a query reads only files that it names, in full or by a pattern$/,
      );
    }
  });
});
