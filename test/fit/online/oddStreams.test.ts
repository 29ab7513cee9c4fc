import { type Table, tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { estimateOnline, type OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../../src/fit/online/onlineEstimate.ts';
import { median } from '../../../src/math/median.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { type Loss, slopeOfSlope } from '../../../src/method/loss/loss.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { allOf, cut } from '../../support/onlineRows.ts';
import { batchFit, lossOf } from '../../support/onlineStream.ts';

type Cell = number | string | null;
type Row = Record<string, Cell>;

interface Odd {
  readonly kind: 'squared' | 'huber' | 'logistic' | 'poisson';
  /** Draws row i of n. */
  readonly draw: (random: Random, i: number, n: number) => Row;
  readonly rows?: number;
  readonly options?: Partial<OnlineOptions>;
  /** The column that rows are sorted by. */
  readonly sorted?: string;
  /** The most that predictions may be away from those of the batch fit, in standard errors; .2 unless given, null for any. */
  readonly away?: number | null;
  /** Rows that the batch fit is made of; all unless given. */
  readonly counts?: (i: number) => boolean;
  /** What a note has to say. */
  readonly says?: string;
}

/** Two normal features a and b, and more or others in their place. */
const ab = (random: Random): { a: number; b: number } => ({ a: normal(random), b: normal(random) });
const line = (random: Random, a: number, b: number): number => 1 + 2 * a - b + normal(random);
const chance = (random: Random, score: number): number => (uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0);
const drawCount = (random: Random, score: number): number => {
  const limit = Math.exp(-Math.exp(Math.min(score, 5)));
  let found = 0;
  for (let product = uniform(random); product > limit; product *= uniform(random)) found++;
  return found;
};
const linear =
  (change: (row: { a: number; b: number; y: number }, random: Random, i: number, n: number) => Row): Odd['draw'] =>
  (random, i, n) => {
    const { a, b } = ab(random);
    return change({ a, b, y: line(random, a, b) }, random, i, n);
  };
const plain = linear(row => row);
const many = (random: Random, strength: number): { row: Row; score: number } => {
  const row: Row = {};
  let score = 0;
  for (let j = 0; j < 60; j++) {
    const x = normal(random);
    row[`f${j}`] = x;
    score += strength * ((j % 5) - 2) * x;
  }
  return { row, score };
};

const STREAMS: Readonly<Record<string, Odd>> = {
  // Orders.
  'sorted by the target, squared': { kind: 'squared', sorted: 'y', draw: plain },
  // Each chunk has targets of one size, to which robust losses of single chunks are blind.
  'sorted by the target': { kind: 'huber', sorted: 'y', draw: plain, away: 15 },
  'sorted by a feature': { kind: 'huber', sorted: 'a', draw: plain },
  'a season of 2.5 chunks in the target': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, y: row.y + 2 * Math.sin((2 * Math.PI * i) / 1250) })),
    away: 1.5,
  },
  'a season in a feature': {
    kind: 'huber',
    draw: (random, i) => {
      const [a, b] = [0.1 * normal(random) + 3 * Math.sin((2 * Math.PI * i) / 3000), normal(random)];
      return { a, b, y: line(random, a, b) };
    },
  },
  'a feature that is the time, in milliseconds since 1970': {
    kind: 'huber',
    draw: (random, i) => {
      const b = normal(random);
      return { a: 1.7e12 + 1000 * i, b, y: 3 + 1e-3 * i - b + normal(random) };
    },
  },
  // Beginnings.
  'a target that is constant at first, squared': {
    kind: 'squared',
    draw: linear((row, _, i) => ({ ...row, y: i < 2000 ? 7 : row.y })),
  },
  'a target that is constant at first': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, y: i < 2000 ? 7 : row.y })),
    counts: i => i >= 2000,
    away: 0.4,
  },
  'a target that is 0 at first': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, y: i < 2000 ? 0 : row.y })),
    counts: i => i >= 2000,
    away: 0.4,
  },
  'no noise, ever': { kind: 'squared', draw: linear(row => ({ ...row, y: 1 + 2 * row.a - row.b })), away: null },
  'a target without values in the first chunk': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, y: i < 500 ? null : row.y })),
  },
  'a column without values in the first chunk': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, a: i < 500 ? null : row.a })),
    says: '"a" (100 %) was left out',
  },
  'the same, whose column was asked for': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, a: i < 500 ? null : row.a })),
    options: { features: ['a', 'b'] },
    says: '500 of 20000 rows',
  },
  'a chunk without values in its middle': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, a: i >= 1000 && i < 1500 ? null : row.a })),
    says: '500 of 20000 rows',
  },
  'columns that are the same at first': {
    kind: 'huber',
    draw: linear((row, random, i) => ({ ...row, c: i < 4000 ? row.a : normal(random) })),
  },
  'classes that are separated at first': {
    kind: 'logistic',
    draw: (random, i) => {
      const { a, b } = ab(random);
      return { a, b, y: i < 3000 ? Number(a > b) : chance(random, a - b) };
    },
    counts: i => i >= 3000,
    away: 1.5,
  },
  'one class in nine tenths of the rows': {
    kind: 'logistic',
    rows: 40_000,
    draw: (random, i, n) => {
      const { a, b } = ab(random);
      return { a, b, y: i < 0.9 * n ? 0 : chance(random, a - b) };
    },
    counts: i => i >= 36_000,
    away: 6,
  },
  // Columns.
  'a binary feature that is 1 in a thousandth': {
    kind: 'huber',
    draw: linear((row, random) => {
      const b = Number(uniform(random) < 0.001);
      return { a: row.a, b, y: line(random, row.a, b) };
    }),
  },
  'features with two moments': {
    kind: 'huber',
    draw: random => {
      const [a, b] = [studentT(random, 2.1), studentT(random, 2.1)];
      return { a, b, y: line(random, a, b) };
    },
  },
  'a feature without a mean': {
    kind: 'huber',
    draw: random => {
      const [a, b] = [studentT(random, 1), normal(random)];
      return { a, b, y: line(random, a, b) };
    },
    away: 1,
  },
  'columns that repeat each other': {
    kind: 'huber',
    draw: linear(row => ({ ...row, c: row.a, d: row.a + row.b })),
    says: 'rows so far do not tell "a", "b", "c" and "d" apart',
  },
  'a constant column': {
    kind: 'huber',
    draw: linear(row => ({ ...row, c: 3 })),
    says: '"c" is constant so far, and has no coefficient until it varies',
  },
  'a feature that becomes constant': {
    kind: 'huber',
    draw: linear((row, random, i, n) => {
      const a = i < n / 4 ? row.a : 5;
      return { a, b: row.b, y: line(random, a, row.b) };
    }),
  },
  'a feature whose unit changes': {
    kind: 'huber',
    draw: linear((row, _, i, n) => ({ ...row, a: i < n / 2 ? row.a : 1000 * row.a })),
    away: 1,
  },
  'a feature about 1e12': { kind: 'huber', draw: linear(row => ({ ...row, a: 1e12 + Math.round(1000 * row.a) })) },
  'a target about 1e12': { kind: 'huber', draw: linear(row => ({ ...row, y: 1e12 + row.y })) },
  'features of 1e150 and 1e-150': {
    kind: 'huber',
    draw: linear(row => ({ ...row, a: 1e150 * row.a, b: 1e-150 * row.b })),
  },
  'values that are no numbers, or without end': {
    kind: 'huber',
    draw: linear((row, random) => {
      const which = Math.floor(100 * uniform(random));
      return { ...row, a: which === 0 ? NaN : which === 1 ? Infinity : row.a, y: which === 2 ? -Infinity : row.y };
    }),
    says: 'were skipped for missing or unusable values',
  },
  'a level that comes late': {
    kind: 'huber',
    draw: (random, i) => {
      const t = i > 5000 && uniform(random) < 0.3 ? 'late' : i % 2 ? 'p' : 'q';
      const a = normal(random);
      return { a, t, y: 1 + 2 * a + { p: 0, q: 1, late: 5 }[t]! + normal(random) };
    },
    away: null,
    says: 'that came after the pilot ("late")',
  },
  'the same, whose level was declared': {
    kind: 'huber',
    draw: (random, i) => {
      const t = i > 5000 && uniform(random) < 0.3 ? 'late' : i % 2 ? 'p' : 'q';
      const a = normal(random);
      return { a, t, y: 1 + 2 * a + { p: 0, q: 1, late: 5 }[t]! + normal(random) };
    },
    options: { categorical: { t: ['q', 'late'] } },
  },
  // Chunks.
  'more coefficients than rows in a chunk': {
    kind: 'huber',
    draw: random => {
      const { row, score } = many(random, 0.2);
      return { ...row, y: score + normal(random) };
    },
    options: { chunk: 30 },
  },
  'the same with classes': {
    kind: 'logistic',
    draw: random => {
      const { row, score } = many(random, 0.1);
      return { ...row, y: chance(random, score) };
    },
    options: { chunk: 30 },
    away: 0.3,
  },
  'chunks of 50 rows': { kind: 'huber', draw: plain, options: { chunk: 50 } },
  'chunks of one row': { kind: 'huber', draw: plain, rows: 3000, options: { chunk: 1 }, away: 0.4 },
  // Targets.
  'wild targets of 1e9, one in each chunk': {
    kind: 'huber',
    draw: linear((row, _, i) => ({ ...row, y: i % 500 === 7 ? 1e9 : row.y })),
  },
  'targets that are whole numbers': { kind: 'huber', draw: linear(row => ({ ...row, y: Math.round(row.y / 4) })) },
  'noise that grows tenfold': {
    kind: 'huber',
    draw: linear((row, random, i, n) => ({ ...row, y: row.y + (i < n / 2 ? 0 : 10 * normal(random)) })),
    // Rows count by the square of their scale, which the batch fit does not know.
    away: 3,
  },
  'sparse counts': {
    kind: 'poisson',
    draw: random => {
      const { a, b } = ab(random);
      return { a, b, y: drawCount(random, -5 + 0.5 * a - 0.5 * b) };
    },
    away: 0.6,
  },
  'overdispersed counts': {
    kind: 'poisson',
    draw: random => {
      const { a, b } = ab(random);
      return { a, b, y: drawCount(random, 0.5 * a - 0.5 * b + 1.2 * normal(random)) };
    },
  },
  'counts of millions': {
    kind: 'poisson',
    draw: random => {
      const { a, b } = ab(random);
      return { a, b, y: Math.round(1e6 * Math.exp(0.5 * a - 0.5 * b + 0.1 * normal(random))) };
    },
  },
  'a class of one row in two thousand': {
    kind: 'logistic',
    draw: random => {
      const { a, b } = ab(random);
      return { a, b, y: chance(random, -8 + a - b) };
    },
    away: 1.5,
  },
  'classes that are separated': {
    kind: 'logistic',
    draw: random => {
      const { a, b } = ab(random);
      return { a, b, y: Number(a > b) };
    },
    away: null,
    says: 'there is no finite estimate, coefficients give a direction only, and have no intervals',
  },
};

describe('estimateOnline on streams that are odd', () => {
  for (const [name, odd] of Object.entries(STREAMS)) {
    it(`${odd.away === null ? 'says what there is to say of' : 'comes to the batch fit of'} ${name}`, async () => {
      const random = seeded(1, name);
      const n = odd.rows ?? 20_000;
      const rows = Array.from({ length: n }, (_, i) => odd.draw(random, i, n));
      if (odd.sorted !== undefined) rows.sort((p, q) => Number(p[odd.sorted!]) - Number(q[odd.sorted!]));
      const loss = lossOf(odd.kind);
      const estimates = await allOf(
        estimateOnline(cut(tableOf(rows), 777), { target: 'y', chunk: 500, loss, ...odd.options }),
      );
      const last = estimates.at(-1)!;
      for (const { estimate } of Object.values(last.coefficients)) expect(estimate).to.satisfy(Number.isFinite);
      if (odd.says !== undefined) expect(last.notes.map(({ text }) => text).join('\n')).to.include(odd.says);
      if (odd.away !== null) {
        const counted = rows.filter((_, i) => odd.counts?.(i) ?? true);
        expect(awayFromBatch(last, counted, odd.kind)).to.be.below(odd.away ?? 0.2);
      }
    });
  }

  it('has no intervals where classes are separated, and none for columns that repeat each other', async () => {
    for (const [name, kind] of [
      ['classes that are separated', 'logistic'],
      ['columns that repeat each other', 'huber'],
    ] as const) {
      const random = seeded(1, name);
      const rows = Array.from({ length: 5000 }, (_, i) => STREAMS[name]!.draw(random, i, 5000));
      const found = await allOf(
        estimateOnline(cut(tableOf(rows), 777), { target: 'y', chunk: 500, loss: lossOf(kind) }),
      );
      for (const { lower, upper, anyTime, error } of [found.at(-1)!.coefficients.a!, found.at(-1)!.coefficients.b!])
        expect([lower, upper, anyTime, error]).to.deep.equal([null, null, null, null]);
    }
  });
});

function tableOf(rows: readonly Row[]): Table {
  const columns = Object.keys(rows[0]!).map(name => {
    const values = rows.map(row => row[name]!);
    return [name, values.every(value => typeof value === 'number') ? Float64Array.from(values) : values] as const;
  });
  return tableFromArrays(Object.fromEntries(columns) as Record<string, Float64Array>) as Table;
}

/**
 * The root mean square of differences between the predictions of an estimate and of the batch fit, over rows that can be
 * used, in standard errors of such predictions: sqrt(k v/n) with v = E psi^2/(E psi')^2.
 */
function awayFromBatch({ coefficients }: OnlineEstimate, all: readonly Row[], kind: Odd['kind']): number {
  const names = Object.keys(coefficients).filter(name => name !== '(intercept)');
  const numberOf = (row: Row, name: string): number => {
    const [column, level] = name.split('=');
    return level === undefined ? (row[name] === null ? NaN : Number(row[name])) : Number(row[column!] === level);
  };
  const rows = all.filter(
    row => row.y !== null && Number.isFinite(row.y) && names.every(name => Number.isFinite(numberOf(row, name))),
  );
  const n = rows.length;
  const middle = kind === 'logistic' || kind === 'poisson' ? 0 : median(Float64Array.from(rows, row => Number(row.y)));
  const target = Float64Array.from(rows, row => Number(row.y) - middle);
  const places = names.map(name => {
    const values = Float64Array.from(rows, row => numberOf(row, name));
    const mean = values.reduce((sum, value) => sum + value / n, 0);
    const spread = values.reduce((most, value) => Math.max(most, Math.abs(value - mean)), 0) || 1;
    const deviation =
      spread * Math.sqrt(values.reduce((sum, value) => sum + ((value - mean) / spread) ** 2 / n, 0)) || 1;
    return { mean, deviation, z: values.map(value => (value - mean) / deviation) };
  });
  const columns = places.map(({ z }) => z);
  const theta = batchFit(kind, { rows: n, columns, target });
  const intercept = names.reduce(
    (sum, name, j) => sum + coefficients[name]!.estimate * places[j]!.mean,
    coefficients['(intercept)']!.estimate - middle,
  );
  const scores = (slope: (j: number) => number, constant: number): Float64Array =>
    Float64Array.from(rows, (_, i) => columns.reduce((sum, z, j) => sum + slope(j) * z[i]!, constant));
  const batch = scores(j => theta[j]!, theta[names.length]!);
  const own = scores(j => coefficients[names[j]!]!.estimate * places[j]!.deviation, intercept);
  const given = lossOf(kind);
  const residuals = target.map((y, i) => Math.abs(y - batch[i]!));
  const loss: Loss = given === 'pseudo-huber' ? pseudoHuber((1.345 * median(residuals)) / 0.6745 || 1) : given;
  let [squares, slopes, bends] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    squares += (own[i]! - batch[i]!) ** 2;
    slopes += loss.slope(batch[i]!, target[i]!) ** 2;
    bends += slopeOfSlope(loss, batch[i]!, target[i]!);
  }
  return Math.sqrt(squares / ((names.length + 1) * slopes)) * (bends / Math.sqrt(n));
}
