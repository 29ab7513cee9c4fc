import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBConnection } from '@duckdb/node-api';
import { Int64, tableFromArrays, tableToIPC, vectorFromArray } from 'apache-arrow';
import { fixtures, pathOf } from '../../test/source/parquet/support/fixtures.ts';
import { contenders, type Format, type Read } from './contenders.ts';

type Cell = number | string | null | readonly Cell[];

interface Difficulty {
  readonly name: string;
  readonly format: Format;
  readonly path: string;
  readonly column: string;
  readonly expected: readonly Cell[];
  /** A row without a right answer: it must be refused with its place, or left without a number beside the others. */
  readonly bad?: number;
  /** Whether the file is `a` and `x`, of numbers, so that Sluice can read it as a fit does; false by default. */
  readonly isFit?: boolean;
}

const ROWS = 1000;
const BAD = 500;
const cellsOf = (cell: (i: number) => Cell): readonly Cell[] => Array.from({ length: ROWS }, (_, i) => cell(i));

/**
 * What each reader makes of difficult files, printed as two tables: the fixtures of the tests, whose values pyarrow,
 * DuckDB and others attest, column by column; and files that are made here, each with one difficulty.
 */
export async function judgeAll(dist: string): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-difficult-'));
  try {
    // DuckDB has been judged apart from these.
    const readers = contenders(dist).filter(({ name }) => !/threads?$/.test(name));
    const loaded = await Promise.all(readers.map(async reader => ({ ...reader, read: await reader.load() })));
    const known = [...parquetFixtures(), ...arrowFixtures()];
    const verdicts: ({ reader: string; format: Format } & Awaited<ReturnType<typeof tally>>)[] = [];
    for (const { name, format, read } of loaded) {
      const cases = known.filter(each => each.format === format);
      if (cases.length > 0) verdicts.push({ reader: name, format, ...(await tally(read, cases)) });
    }
    console.table(verdicts.map(({ failures: _, ...counts }) => counts));
    for (const { reader, format, failures } of verdicts) console.log(reader, format, failures);
    const difficulties = [
      ...(await parquetDifficulties(folder)),
      ...arrowDifficulties(folder),
      ...csvDifficulties(folder),
    ];
    const outcomes: Record<string, Record<string, string>> = {};
    for (const difficulty of difficulties) {
      const { name, format, isFit = false } = difficulty;
      const found: Record<string, string> = {};
      for (const reader of loaded.filter(each => each.format === format)) {
        const isOwn = isFit && reader.name === 'Sluice';
        found[reader.name] = await outcomeOf(isOwn ? await sluiceFit(dist, false) : reader.read, difficulty);
      }
      if (isFit) found['Sluice, private'] = await outcomeOf(await sluiceFit(dist, true), difficulty);
      console.log(`\n${format}: ${name}`);
      for (const [reader, outcome] of Object.entries(found)) console.log(`  ${reader}: ${outcome}`);
      outcomes[`${format}: ${name}`] = found;
    }
    return { fixtures: verdicts.map(({ failures: _, ...counts }) => counts), outcomes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As a fit reads: `a` and `x` by name. In a private run, a row that cannot be used has no value. */
async function sluiceFit(dist: string, forPrivate: boolean): Promise<Read> {
  const { openRows } = (await import(dist)) as typeof import('../../src/source/index.ts');
  return async (path, { column }) => {
    const samples = await openRows(path, { target: 'x', features: ['a'], forPrivate });
    try {
      for await (const { rows, target, weights } of samples.batches()) {
        const missing = Uint8Array.from({ length: rows }, (_, i) => (weights?.[i] === 0 ? 1 : 0));
        column('x', target.subarray(0, rows), missing);
      }
    } finally {
      await samples.close();
    }
  };
}

async function tally(read: Read, cases: readonly Difficulty[]) {
  const outcomes: (readonly [name: string, outcome: string])[] = [];
  for (const each of cases) outcomes.push([each.name, await outcomeOf(read, each)]);
  const count = (pattern: RegExp): number => outcomes.filter(([, outcome]) => pattern.test(outcome)).length;
  return {
    right: count(/^right/),
    wrong: count(/^wrong/),
    refused: count(/^refuses/),
    failures: outcomes.filter(([, outcome]) => outcome !== 'right').map(each => each.join(': ')),
  };
}

async function outcomeOf(read: Read, { path, column: wanted, expected, bad }: Difficulty): Promise<string> {
  const cells: unknown[] = [];
  const column = (name: string, values: ArrayLike<unknown>, missing?: Uint8Array): void => {
    if (name !== wanted) return;
    for (let i = 0; i < values.length; i++) cells.push(missing?.[i] ? null : values[i]);
  };
  let crash: (error: unknown) => void = () => undefined;
  try {
    // A panic in WebAssembly does not reject the promise of a reading, but ends the process.
    const crashed = new Promise<never>((_, reject) => {
      crash = error => reject(new Error(`ends the process: ${error}`));
    });
    process.once('uncaughtException', crash);
    await Promise.race([read(path, { wanted: [wanted], column }), crashed]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const says = [
      message.includes(path) && 'file',
      new RegExp(`column "?${wanted}\\b`).test(message) && 'column',
      bad !== undefined && new RegExp(`\\b(row|line)s? (${bad}|${bad + 1}|${bad + 2})\\b`).test(message) && 'row',
    ].filter(Boolean);
    const place = says.length === 0 ? 'no place' : says.join(', ');
    return `refuses, naming ${place}: ${message.replace(path, 'FILE').slice(0, 160)}`;
  } finally {
    process.off('uncaughtException', crash);
  }
  if (cells.length !== expected.length) return `wrong: ${cells.length} rows instead of ${expected.length}`;
  const wrong = firstWrong(cells, expected, bad);
  if (wrong !== undefined) return `wrong: row ${wrong} is ${shown(cells[wrong])}, not ${shown(expected[wrong])}`;
  if (bad === undefined) return 'right';
  return typeof cells[bad] === 'number' && Number.isFinite(cells[bad])
    ? `wrong: row ${bad} is ${cells[bad]}`
    : `right, with ${shown(cells[bad])} in row ${bad}`;
}

const shown = (cell: unknown): string =>
  typeof cell === 'bigint' || typeof cell === 'number' ? String(cell) : String(JSON.stringify(cell)).slice(0, 40);

/** The first row that differs, whatever unit of time the reader counts in. */
function firstWrong(cells: readonly unknown[], expected: readonly Cell[], bad: number | undefined) {
  const differs = (factor: number) =>
    cells.findIndex((cell, i) => i !== bad && !isSame(plain(cell), expected[i]!, factor));
  for (const factor of [1e3, 1e6, 1e9]) if (differs(factor) === -1) return undefined;
  const row = differs(1);
  return row === -1 ? undefined : row;
}

function isSame(cell: unknown, expected: Cell, factor: number): boolean {
  // Neither a vector that lacks a number nor NaN can be used.
  const isMissing = expected === null || (Array.isArray(expected) && expected.includes(null));
  if (isMissing && (cell === null || Number.isNaN(cell))) return true;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(cell) &&
      cell.length === expected.length &&
      expected.every((each, i) => isSame(plain(cell[i]), each, factor))
    );
  }
  if (typeof cell === 'number' && typeof expected === 'number') {
    if (factor === 1) return Object.is(cell + 0, expected + 0);
    return Math.abs(cell - expected * factor) <= Number.EPSILON * Math.abs(cell);
  }
  return cell === expected;
}

/** Numbers in whatever clothes. */
function plain(cell: unknown): unknown {
  if (cell === undefined) return null;
  if (typeof cell === 'bigint' || typeof cell === 'boolean') return Number(cell);
  if (cell instanceof Date) return cell.getTime() / 1000;
  if (ArrayBuffer.isView(cell)) return [...(cell as unknown as Iterable<unknown>)];
  if (typeof cell === 'object' && cell !== null && Symbol.iterator in cell) return [...(cell as Iterable<unknown>)];
  return cell;
}

const parquetFixtures = (): readonly Difficulty[] =>
  fixtures.flatMap(({ file, columns }) =>
    Object.entries(columns).map(([column, expected]) => ({
      name: `${file}, ${column}`,
      format: 'parquet' as const,
      path: pathOf(file),
      column,
      expected,
    })),
  );

function arrowFixtures(): readonly Difficulty[] {
  const folder = fileURLToPath(new URL('../../test/source/arrow/fixtures/', import.meta.url));
  return (
    readdirSync(folder)
      // others.v4.arrows holds fewer rows than are recorded.
      .filter(file => /\.arrows?$/.test(file) && file !== 'others.v4.arrows')
      .flatMap(file => {
        const path = join(folder, `${file.split('.')[0]}.expected`);
        const { columns } = JSON.parse(readFileSync(path, 'utf8'), (_, value) =>
          ['NaN', 'Infinity', '-Infinity'].includes(value) ? Number(value) : value,
        ) as { columns: Readonly<Record<string, readonly Cell[] | null>> };
        return Object.entries(columns).flatMap(([column, expected]) =>
          expected === null
            ? []
            : [
                {
                  name: `${file}, ${column}`,
                  format: 'arrow' as const,
                  path: join(folder, file),
                  column,
                  expected,
                },
              ],
        );
      })
  );
}

async function parquetDifficulties(folder: string): Promise<readonly Difficulty[]> {
  const connection = await DuckDBConnection.create();
  const make = async (
    name: string,
    cell: string,
    expected: readonly Cell[],
    { bad, how = '', change }: { bad?: number; how?: string; change?: (bytes: Buffer) => Buffer } = {},
  ): Promise<Difficulty> => {
    const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.parquet`);
    await connection.run(
      `COPY (SELECT i::DOUBLE AS a, ${cell} AS x FROM range(${ROWS}) t(i)) TO '${path}' (FORMAT parquet${how})`,
    );
    if (change !== undefined) writeFileSync(path, change(readFileSync(path)));
    const isFit = expected.every(cell => typeof cell === 'number');
    return { name, format: 'parquet', path, column: 'x', expected, isFit, ...(bad !== undefined && { bad }) };
  };
  const [whole, roots] = [cellsOf(i => i), cellsOf(Math.sqrt)];
  const made = [
    await make(
      'nulls',
      'CASE WHEN i % 3 = 1 THEN NULL ELSE i / 4 END::DOUBLE',
      cellsOf(i => (i % 3 === 1 ? null : i / 4)),
    ),
    await make(
      'dictionary pages',
      '(i % 7) / 10',
      cellsOf(i => (i % 7) / 10),
    ),
    await make('2^53 + 1 as int64', `CASE WHEN i = ${BAD} THEN 9007199254740993 ELSE i END`, whole, {
      bad: BAD,
    }),
    await make(
      'decimal(9, 2)',
      '(i::DECIMAL(18, 2) / 100)::DECIMAL(9, 2)',
      cellsOf(i => i / 100),
    ),
    await make(
      'decimal(38, 10)',
      "(i || '.0000000001')::DECIMAL(38, 10)",
      cellsOf(i => Number(`${i}.0000000001`)),
    ),
    await make(
      'timestamps of microseconds',
      'make_timestamp(1621254896789012 + 1001 * i)',
      cellsOf(i => (1621254896789012 + 1001 * i) / 1e6),
    ),
    await make(
      'timestamps of nanoseconds',
      'make_timestamp_ns(1621254896789012345 + 1001 * i)',
      cellsOf(i => Number(1621254896789012345n + 1001n * BigInt(i)) / 1e9),
    ),
    await make(
      'dates',
      "DATE '2021-05-17' + i::INTEGER",
      cellsOf(i => 86400 * (Date.UTC(2021, 4, 17) / 864e5 + i)),
    ),
    await make(
      'invalid UTF-8',
      `CASE WHEN i = ${BAD} THEN 'qqqq' ELSE 'level' || i % 3 END`,
      cellsOf(i => `level${i % 3}`),
      { bad: BAD, how: ', COMPRESSION uncompressed', change: bytes => replaced(bytes, 'qqqq', 0xff) },
    ),
    await make('a damaged snappy page', 'sqrt(i)', roots, { change: overwritten(0.6) }),
    await make('a damaged zstd page', 'sqrt(i)', roots, {
      how: ', COMPRESSION zstd',
      change: overwritten(0.6),
    }),
    await make('a file cut in half', 'sqrt(i)', roots, {
      change: bytes => bytes.subarray(0, bytes.length / 2),
    }),
  ];
  connection.closeSync();
  const summed = fixtures.find(({ file }) => file === 'checksums-v1.parquet')!;
  const [column, expected] = Object.entries(summed.columns)[0]!;
  const path = join(folder, 'checksum.parquet');
  writeFileSync(path, overwritten(0.1)(readFileSync(pathOf(summed.file))));
  const spoilt: Difficulty = {
    name: 'a damaged page with a checksum',
    format: 'parquet',
    path,
    column,
    expected,
  };
  return [...made, spoilt];
}

/** Every occurrence of an ASCII text, in bytes of `value`. */
function replaced(bytes: Buffer, text: string, value: number): Buffer {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) bytes.fill(value, at, at + text.length);
  return bytes;
}

/** Sixteen bytes at a share of the file. */
const overwritten =
  (share: number) =>
  (bytes: Buffer): Buffer => {
    const at = Math.floor(share * bytes.length);
    return bytes.fill(0xa5, at, at + 16);
  };

function arrowDifficulties(folder: string): readonly Difficulty[] {
  const make = (
    name: string,
    x: Parameters<typeof tableFromArrays>[0][string],
    expected: readonly Cell[],
    { bad, change = bytes => bytes }: { bad?: number; change?: (bytes: Buffer) => Buffer } = {},
  ): Difficulty => {
    const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.arrow`);
    const a = Float64Array.from({ length: ROWS }, (_, i) => i);
    writeFileSync(path, change(Buffer.from(tableToIPC(tableFromArrays({ a, x }), 'file'))));
    const isFit = expected.every(cell => typeof cell === 'number');
    return { name, format: 'arrow', path, column: 'x', expected, isFit, ...(bad !== undefined && { bad }) };
  };
  const whole = cellsOf(i => i);
  const large = Array.from({ length: ROWS }, (_, i) => (i === BAD ? 9007199254740993n : BigInt(i)));
  const roots = Float64Array.from({ length: ROWS }, (_, i) => Math.sqrt(i));
  const of = (fixture: string, column: string, name: string): Difficulty => ({
    ...arrowFixtures().find(each => each.name === `${fixture}, ${column}`)!,
    name,
  });
  return [
    of('times.arrow', 'timestamp us, holes', 'timestamps of microseconds, nulls'),
    of('times.zstd.arrows', 'timestamp ns, holes', 'timestamps of nanoseconds, zstd'),
    of('texts.lz4.arrow', 'utf8, holes', 'text, lz4'),
    of('texts.zstd.arrows', 'utf8 view, holes', 'string views, zstd'),
    of('growing.arrow', 'names', 'delta dictionaries'),
    of('changing.arrows', 'names', 'a dictionary that is replaced'),
    of('numbers.arrow', 'float64', 'doubles beside a decimal of negative scale'),
    of('others.arrow', 'last', 'numbers beside runs, unions and views'),
    of('legacy.arrows', 'x', 'a stream of 2019, without continuation marks'),
    make('2^53 + 1 as int64', vectorFromArray(large, new Int64()) as never, whole, { bad: BAD }),
    make(
      'invalid UTF-8',
      cellsOf(i => (i === BAD ? 'qqqq' : `level${i % 3}`)) as never,
      cellsOf(i => `level${i % 3}`),
      { bad: BAD, change: bytes => replaced(bytes, 'qqqq', 0xff) },
    ),
    make('a damaged footer', roots, [...roots], {
      change: bytes => overwritten(1 - 100 / bytes.length)(bytes),
    }),
    make('a file cut in half', roots, [...roots], {
      change: bytes => bytes.subarray(0, bytes.length / 2),
    }),
  ];
}

function csvDifficulties(folder: string): readonly Difficulty[] {
  const make = (
    name: string,
    line: (i: number) => string,
    expected: readonly Cell[],
    { bad, header = 'a,x', end = '\n' }: { bad?: number; header?: string; end?: string } = {},
  ): Difficulty => {
    const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.csv`);
    const lines = [header, ...expected.map((_, i) => line(i))];
    writeFileSync(path, Buffer.from(lines.map(each => each + end).join(''), 'latin1'));
    const isFit = expected.every(cell => typeof cell === 'number');
    return { name, format: 'csv', path, column: 'x', expected, isFit, ...(bad !== undefined && { bad }) };
  };
  const instead = (text: string, at = BAD) => ({ line: (i: number) => (i === at ? text : `${i},${i}`) });
  const whole = cellsOf(i => i);
  const late = 80_000;
  const many = Array.from({ length: 100_000 }, (_, i) => i);
  return [
    make('quoted newlines', i => `${i},"two\nlines, ""${i}""",${i}`, whole, { header: 'a,t,x' }),
    make('CRLF and a byte-order mark', i => `${i},${i}`, whole, { header: '\xef\xbb\xbfa,x', end: '\r\n' }),
    make(
      'empty cells',
      i => (i % 3 === 1 ? `${i},` : `${i},${i}`),
      cellsOf(i => (i % 3 === 1 ? null : i)),
    ),
    make(
      'NA for null',
      i => (i % 3 === 1 ? `${i},NA` : `${i},${i}`),
      cellsOf(i => (i % 3 === 1 ? null : i)),
    ),
    make('a bad cell in the middle', instead(`${BAD},oops`).line, whole, { bad: BAD }),
    make('a bad cell in row 80,000', instead(`${late},oops`, late).line, many, { bad: late }),
    make('a hexadecimal number', instead(`${BAD},0x1F`).line, whole, { bad: BAD }),
    make('a number beyond doubles', instead(`${BAD},1e999`).line, whole, { bad: BAD }),
    make('a short row', instead(`${BAD}`).line, whole, { bad: BAD }),
    make('a long row', instead(`${BAD},oops,7`).line, whole, { bad: BAD }),
    make('an unclosed quote', instead(`${BAD},"oops`).line, whole, { bad: BAD }),
    make('text after a quote', instead(`${BAD},"oops"x`).line, whole, { bad: BAD }),
    make('invalid UTF-8 in another column', i => `${i},${i === BAD ? 'caf\xe9' : 'tea'},${i}`, whole, {
      header: 'a,t,x',
    }),
  ];
}
