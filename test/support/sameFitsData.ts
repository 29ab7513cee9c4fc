/**
 * Small tables for `sameFits`, the same on every machine: seeded, rounded to 6 decimals, and made without the modules
 * that the fits are about. Each has a peculiarity that some finding of a fit is about.
 */
import { writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { Table as WasmTable, writeParquet } from 'parquet-wasm/node';
import seedrandom from 'seedrandom';

type Cell = number | string | null;
type Row = Readonly<Record<string, Cell>>;

/** What a table draws its cells from. */
interface Draw {
  /** Between 0 and 1. */
  readonly uniform: () => number;
  /** Nearly normal: the sum of twelve uniform numbers, which every machine adds up alike. */
  readonly normal: () => number;
  /** Symmetric, with tails like |z|^-index. */
  readonly heavy: (index: 1 | 2 | 4) => number;
  readonly count: (mean: number) => number;
  readonly isTrue: (logit: number) => 0 | 1;
  readonly among: <T>(items: readonly T[]) => T;
}

function drawing(seed: string): Draw {
  const uniform = seedrandom.xor4096(seed);
  const normal = (): number => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6);
  return {
    uniform,
    normal,
    heavy: index => {
      const root = Math.sqrt(1 - uniform());
      return normal() / (index === 1 ? root * root : index === 2 ? root : Math.sqrt(root));
    },
    count: mean => {
      let [count, product] = [0, uniform()];
      for (; product > Math.exp(-mean); count++) product *= uniform();
      return count;
    },
    isTrue: logit => (uniform() < 1 / (1 + Math.exp(-logit)) ? 1 : 0),
    among: items => items[Math.floor(items.length * uniform())]!,
  };
}

interface Recipe {
  readonly rows: number;
  /** Row i of n; `before` is the row above it. */
  readonly row: (draw: Draw, i: number, before: Row | undefined) => Row;
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  line: {
    rows: 200,
    row: ({ normal, uniform }) => {
      const x = 10 * uniform();
      return { x, y: 3 - 2 * x + normal() };
    },
  },
  smooth: {
    rows: 1000,
    row: ({ normal, uniform }) => {
      const [a, b, c, d] = [normal(), 5 + 2 * normal(), 100 * uniform(), normal() + 3];
      return { a, b, c, d, w: 0.5 + uniform(), y: 4 + a - 0.5 * b + 0.03 * c + 2 * normal() };
    },
  },
  wide: {
    rows: 2000,
    row: ({ normal, heavy }) => {
      const common = normal();
      const x = Array.from({ length: 12 }, () => common + normal());
      const signal = x.reduce((sum, value, j) => sum + ((j % 4) - 1) * value, 0);
      return { ...Object.fromEntries(x.map((value, j) => [`x${j + 1}`, value])), y: signal + heavy(4) };
    },
  },
  /** Long tails in the features and in the noise. */
  heavy: {
    rows: 3000,
    row: ({ normal, heavy }) => {
      const [a, b] = [normal(), heavy(2)];
      return { a, b, y: 1 + a + 2 * b + heavy(1) };
    },
  },
  /** Every twelfth row is of another line; two in a hundred have high leverage. */
  spoilt: {
    rows: 2000,
    row: ({ normal }, i) => {
      const [a, b] = [i % 50 === 7 ? 12 + normal() : normal(), normal()];
      if (i % 50 === 7) return { a, b, y: -20 + normal() };
      return { a, b, y: i % 12 === 0 ? 30 + 4 * a + normal() : 1 + 2 * a - b + normal() };
    },
  },
  /** A weight that outweighs hundreds of rows; weights of 0 too. */
  weighed: {
    rows: 600,
    row: ({ normal }, i) => {
      const a = normal();
      return { a, w: i === 17 ? 150 : i % 9 === 0 ? 0 : 1 + (i % 3), y: a + normal() };
    },
  },
  classes: {
    rows: 3000,
    row: ({ normal, isTrue, uniform }) => {
      const [a, b, c] = [normal(), normal(), 40 * uniform()];
      const sick = isTrue(0.5 + a - 0.7 * b - 0.02 * c);
      return { a, b, c, w: 1 + Math.floor(3 * uniform()), sick, answer: sick === 1 ? 'yes' : 'no' };
    },
  },
  /** One class of the two is rare. */
  rare: {
    rows: 1500,
    row: ({ normal, isTrue, uniform }) => {
      const [a, b, c, d] = [normal(), normal(), uniform(), normal()];
      return { a, b, c, d, y: isTrue(-5 + a) };
    },
  },
  /** A feature separates the classes. */
  apart: {
    rows: 300,
    row: ({ normal, uniform }) => {
      const a = uniform() - 0.5;
      return { a, b: normal(), y: a > 0 ? 1 : 0 };
    },
  },
  counts: {
    rows: 2500,
    row: ({ normal, count, uniform }) => {
      const [a, b] = [normal(), uniform()];
      return { a, b, n: count(Math.exp(0.4 + 0.5 * a - b)) };
    },
  },
  /** Counts of which three are far too large. */
  bursts: {
    rows: 1200,
    row: ({ normal, count }, i) => {
      const a = normal();
      return { a, b: normal(), n: i % 400 === 9 ? 900 + i : count(Math.exp(1 + 0.3 * a)) };
    },
  },
  /** Levels of many rows, of few, and one of much noise. */
  towns: {
    rows: 2400,
    row: ({ normal, among, uniform }, i) => {
      const town = i % 300 === 5 ? 'Nowhere' : among(['Bath', 'Lyon', 'Ulm', 'Ulm', 'Ghent']);
      const [x, colour] = [10 * uniform(), among(['red', 'green', 'blue'])];
      const effect = { Bath: 5, Lyon: -1, Ulm: 0, Ghent: 2, Nowhere: 9 }[town]!;
      const noise = town === 'Ghent' ? 15 * normal() : normal();
      return { x, town, colour, y: 2 * x + effect + (colour === 'red' ? 1 : 0) + noise };
    },
  },
  /** A sum of other columns, a constant, and a column that is nearly another. */
  twins: {
    rows: 800,
    row: ({ normal }) => {
      const [a, b] = [normal(), normal()];
      return { a, b, sum: a + b, always: 7, near: a + normal() / 5000, y: a + 2 * b + normal() };
    },
  },
  /** Sorted by a feature, with errors like those of the row above. */
  sorted: {
    rows: 4000,
    row: ({ normal }, i, before) => {
      const error = 0.9 * Number(before?.['error'] ?? 0) + normal();
      const [a, b] = [i / 400, normal()];
      return { a, b, error, y: a + b + (a > 5 ? 4 : 0) + 3 * error };
    },
  },
  /** Cells without a value, and a number that stands for one. */
  gaps: {
    rows: 1500,
    row: ({ normal, uniform }, i) => {
      const [a, b, c] = [normal(), 10 + 3 * normal(), 20 + 10 * uniform()];
      const y = a + b + 0.1 * c + normal();
      return { a: i % 13 === 0 ? null : a, b: i % 31 === 3 ? -999 : b, c, y: i % 41 === 1 ? null : y };
    },
  },
  /** Skewed amounts, cut off at 0 and at 25. */
  cut: {
    rows: 1200,
    row: ({ normal }) => {
      const [a, b] = [normal(), normal()];
      return { a, b, y: Math.min(25, Math.max(0, 4 * Math.exp(0.9 * normal()) + 3 * a - 2)) };
    },
  },
  /** Skewed, and above 0. */
  skewed: {
    rows: 1600,
    row: ({ normal, uniform }) => {
      const a = uniform();
      return { a, b: normal(), y: Math.exp(1 + 2 * a + 0.8 * normal()) };
    },
  },
  /** Noise that grows with a feature of a long tail. */
  growing: {
    rows: 2000,
    row: ({ normal, uniform }) => {
      const a = 1 / (0.02 + uniform());
      return { a, b: normal(), y: 2 * a + a * normal() };
    },
  },
  /** One row in fifty lies far out, on another line. */
  levers: {
    rows: 1000,
    row: ({ normal }, i) => {
      const a = i % 50 === 7 ? 15 + normal() : normal();
      return { a, b: normal(), y: i % 50 === 7 ? normal() : 2 * a + 3 * normal() };
    },
  },
  /** Three rows in a hundred determine the slope, and are like the others. */
  lengths: {
    rows: 700,
    row: ({ normal }, i) => {
      const a = i % 33 === 7 ? 40 + 9 * normal() : normal();
      return { a, b: normal(), y: 0.3 * a + 2 * normal() };
    },
  },
  /** A feature of which few rows have nearly all the sum. */
  scales: {
    rows: 500,
    row: ({ normal }) => {
      const a = Math.exp(2.5 * normal());
      return { a, y: 0.1 * a + normal() };
    },
  },
  /** Every third row is the one before it. */
  copies: {
    rows: 900,
    row: ({ normal }, i, before) => {
      if (i % 3 === 2) return before!;
      const a = normal();
      return { a, b: normal(), y: a + normal() };
    },
  },
  /** Whole numbers without noise; the last feature is the sum of the others. */
  exact: {
    rows: 400,
    row: ({ uniform }) => {
      const [a, b] = [Math.floor(1000 * uniform()), Math.floor(1000 * uniform())];
      return { a, b, both: a + b, y: 3 * a - b + 11 };
    },
  },
  /** Codes of classes as targets; two values; one value; no event. */
  codes: {
    rows: 900,
    row: ({ normal, among }) => ({
      a: normal(),
      class: among([1, 2, 3]),
      two: among([5, 8]),
      same: 4,
      none: 0,
    }),
  },
  /** All rows with the flag are of one class. */
  certain: {
    rows: 600,
    row: ({ normal, isTrue }, i) => {
      const [a, flag] = [normal(), i % 20 === 0 ? 1 : 0];
      return { a, flag, y: flag === 1 ? 1 : isTrue(a) };
    },
  },
  /** As many coefficients as rows. */
  tiny: { rows: 4, row: ({ normal }) => ({ a: normal(), b: normal(), c: normal(), y: normal() }) },
  /** A column that differs from its usual value in three rows. */
  seldom: {
    rows: 1000,
    row: ({ normal }, i) => {
      const [a, flag] = [normal(), i % 333 === 5 ? 1 : 0];
      return { a, flag, y: a + 3 * flag + normal() };
    },
  },
  /** More rows than a pilot takes. */
  long: {
    rows: 12_000,
    row: ({ normal, heavy, uniform }) => {
      const [a, b, c] = [normal(), 3 * uniform(), normal() + 50];
      return { a, b, c, w: 1 + uniform(), y: 2 + a - b + 0.1 * c + heavy(4), yes: uniform() < 0.3 ? 1 : 0 };
    },
  },
  /** As the theorems of heavy tails have it: no intercept, variances 1, 0.8 and 0.7. */
  theory: {
    rows: 6000,
    row: ({ normal, heavy }) => {
      const [a, b, c] = [normal(), Math.sqrt(0.8) * normal(), Math.sqrt(0.7) * normal()];
      return { a, b, c, y: a + b + c + heavy(4) };
    },
  },
  /** Rows in the unit ball. */
  ball: {
    rows: 5000,
    row: ({ uniform }) => {
      const [a, b] = [1.4 * uniform() - 0.7, 1.4 * uniform() - 0.7];
      return { a, b, y: 0.5 * a + 0.3 * b + 0.2 * (uniform() - 0.5) };
    },
  },
  few: {
    rows: 250,
    row: ({ uniform }) => {
      const [a, b] = [1.4 * uniform() - 0.7, 1.4 * uniform() - 0.7];
      return { a, b, y: 0.5 * a + 0.3 * b + 0.2 * (uniform() - 0.5) };
    },
  },
  /** Four rows a person. */
  people: {
    rows: 5000,
    row: ({ normal, uniform, among, count, isTrue }, i) => {
      const [x, z, town] = [10 * uniform(), 100 * uniform(), among(['Bath', 'Lyon', 'Ulm'])];
      const y = 2 * x - 0.1 * z + 7 + (town === 'Bath' ? 4 : 0) + normal();
      return { x, z, town, person: i >> 2, y, n: Math.min(9, count(0.2 * x)), sick: isTrue(0.4 * x - 2) };
    },
  },
};

function rowsOf(name: string): readonly Row[] {
  const { rows, row } = RECIPES[name]!;
  const draw = drawing(`same fits, ${name}`);
  const made: Row[] = [];
  for (let i = 0; i < rows; i++) made.push(row(draw, i, made.at(-1)));
  return made.map(cells => Object.fromEntries(Object.entries(cells).map(([key, cell]) => [key, rounded(cell)])));
}

const rounded = (cell: Cell): Cell => (typeof cell === 'number' ? Math.round(1e6 * cell) / 1e6 : cell);

/** Writes the table that a file is named for, in the format of its extension. */
export function writeTable(path: string): void {
  const format = extname(path);
  const rows = rowsOf(basename(path, format));
  const bytes = FORMATS[format];
  if (bytes === undefined) throw new Error(`no table is written as ${path}`);
  writeFileSync(path, bytes(rows));
}

const FORMATS: Readonly<Record<string, (rows: readonly Row[]) => string | Uint8Array>> = {
  '.csv': rows => {
    const columns = Object.keys(rows[0]!);
    return `${[columns, ...rows.map(row => columns.map(column => row[column]))].join('\n')}\n`;
  },
  '.ndjson': rows => rows.map(row => `${JSON.stringify(row)}\n`).join(''),
  '.arrow': rows => tableToIPC(arrowTable(rows), 'file'),
  '.arrows': rows => tableToIPC(arrowTable(rows), 'stream'),
  '.parquet': rows => writeParquet(WasmTable.fromIPCStream(tableToIPC(arrowTable(rows), 'stream'))),
};

const arrowTable = (rows: readonly Row[]): Table =>
  new Table(
    Object.fromEntries(
      Object.keys(rows[0]!).map(column => {
        const cells = rows.map(row => row[column]!);
        const isText = cells.some(cell => typeof cell === 'string');
        return [column, vectorFromArray(cells, isText ? new Utf8() : new Float64())];
      }),
    ),
  );
