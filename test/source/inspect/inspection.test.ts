import { expect } from 'chai';
import fc from 'fast-check';
import type { Quantile } from '../../../src/math/quantileSketch.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import type { ColumnInspection } from '../../../src/source/inspect/columnInspector.ts';
import { inspectTable } from '../../../src/source/inspect/inspection.ts';
import { openTable } from '../../../src/source/read/openTable.ts';
import type { FieldKind, Table } from '../../../src/source/table/table.ts';
import { type ArrayColumn, arrayTable } from '../../support/arrayTable.ts';

const RANGES =
  'the ranges and levels printed here come from the data: do not use them as `bounds` or `categorical` of a private fit';
const random = seeded(11, 'inspection');
const many = <T>(rows: number, draw: (row: number) => T): T[] => Array.from({ length: rows }, (_, i) => draw(i));

async function inspectColumn(
  values: ArrayColumn['values'],
  kind: FieldKind = 'float',
): Promise<ColumnInspection & { readonly warnings: readonly string[] }> {
  const { columns, warnings } = await inspectTable(arrayTable([{ name: 'x', kind, values }]));
  return { ...columns[0]!, warnings: warnings.slice(0, -1) };
}

describe('inspectTable', () => {
  it('agrees with what sorting and two passes say, for columns of several kinds and any frames', async () => {
    const draws: Record<string, [FieldKind, () => number]> = {
      normal: ['float', () => normal(random)],
      heavy: ['float', () => studentT(random, 1.5)],
      kelvin: ['float', () => 290 + normal(random)],
      tiny: ['float', () => 1e-300 * Math.exp(20 * normal(random))],
      count: ['integer', () => Math.floor(40 * uniform(random) ** 2)],
      id: ['exact', () => Math.floor(1e15 * uniform(random))],
      flag: ['boolean', () => (uniform(random) < 0.1 ? 1 : 0)],
    };
    for (const sizes of [[Infinity], [1, 1000, 7]]) {
      const table = arrayTable(
        Object.entries(draws).map(([name, [kind, draw]]) => ({
          name,
          kind,
          values: many(3000, i => (i % 7 === 3 ? null : name === 'normal' && i % 100 === 5 ? Infinity : draw())),
        })),
        { sizes },
      );
      const { columns, rows } = await inspectTable(table);
      expect(rows).to.equal(3000);
      for (const [k, { name, kind, nulls, nonFinite, numbers }] of columns.entries()) {
        const all: number[] = [];
        for await (const frame of table.frames([k])) {
          const out = new Float64Array(frame.rows);
          const missing = new Uint8Array(frame.rows);
          frame.fill({ field: k, start: 0, count: frame.rows, out, missing });
          out.forEach((value, i) => {
            if (missing[i] === 0) all.push(value);
          });
        }
        const finite = all.filter(Number.isFinite);
        const sorted = finite.toSorted((a, b) => a - b);
        const count = finite.length;
        const mean = finite.reduce((sum, x) => sum + x / count, 0);
        const deviation = Math.sqrt(finite.reduce((sum, x) => sum + (x - mean) ** 2 / (count - 1), 0));
        expect({ kind, nulls, nonFinite }).to.deep.equal({
          kind: draws[name]![0],
          nulls: 3000 - all.length,
          nonFinite: all.length - count,
        });
        const found = numbers!;
        expect(found).to.include({ values: count, least: sorted[0], most: sorted.at(-1) });
        expect(found.mean).to.be.closeTo(mean, 1e-12 * (Math.abs(mean) + deviation));
        expect(found.deviation).to.be.closeTo(deviation, 1e-12 * deviation);
        const distinct = new Set(finite).size;
        expect(found.distinct).to.equal(distinct > 1000 ? null : distinct);
        const check = ({ value, within }: Quantile, share: number): void => {
          const exact = sorted[Math.ceil(share * count) - 1]!;
          expect(Math.abs(value - exact), name).to.be.at.most(within + 1e-15 * Math.abs(exact));
          expect(within).to.be.at.most(Math.abs(exact) / 128 + 2 ** -1029);
        };
        check(found.p01, 0.01);
        check(found.median, 0.5);
        check(found.p99, 0.99);
        if (name === 'kelvin') expect(found.median.within).to.be.below(0.05);
      }
    }
  });

  it('reads the table once, and of it only what can be read', async () => {
    const table = arrayTable([
      { name: 'a', kind: 'float', values: [1] },
      { name: 'blob', kind: 'unsupported', values: [1] },
      { name: 'b', kind: 'text', values: ['x'] },
    ]);
    const { columns, warnings } = await inspectTable(table);
    expect(table.passes).to.deep.equal([[0, 2]]);
    expect(columns[1]).to.deep.equal({
      name: 'blob',
      type: 'unsupported',
      kind: 'unsupported',
      nulls: null,
      nonFinite: 0,
    });
    expect(warnings[0]).to.equal('"blob" is unsupported, which cannot be used');
  });

  it('says the same whatever the frames', async () => {
    const values = many(2000, i => (i % 11 === 0 ? null : normal(random)));
    const texts = many(2000, i => (i % 13 === 0 ? null : `level ${Math.floor(30 * uniform(random))}`));
    const columns: ArrayColumn[] = [
      { name: 'x', kind: 'float', values },
      { name: 't', kind: 'text', values: texts },
    ];
    const whole = await inspectTable(arrayTable(columns));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }), async sizes => {
        expect(await inspectTable(arrayTable(columns, { sizes }))).to.deep.equal(whole);
      }),
      { seed: 1, numRuns: 10 },
    );
  });

  it('counts the levels of texts, the most frequent first', async () => {
    const texts = [...many(50, i => `level ${i % 3}`), 'level 0', null, 'é', ''];
    const { nulls, texts: found } = await inspectColumn(texts, 'text');
    expect(nulls).to.equal(1);
    expect(found).to.deep.equal({
      values: 53,
      distinct: 5,
      levels: [
        { level: 'level 0', rows: 18 },
        { level: 'level 1', rows: 17 },
        { level: 'level 2', rows: 16 },
        { level: 'é', rows: 1 },
        { level: '', rows: 1 },
      ],
    });
  });

  it('shows 20 levels, and stops counting at 1,000', async () => {
    const levels = (count: number): string[] => many(count, i => `${i}`);
    expect((await inspectColumn(levels(1000), 'text')).texts).to.deep.include({
      values: 1000,
      distinct: 1000,
    });
    const { texts } = await inspectColumn([...levels(1001), '7'], 'text');
    expect(texts!.distinct).to.equal(null);
    expect(texts!.levels).to.have.length(20);
    expect(texts!.levels[0]).to.deep.equal({ level: '7', rows: 2 });
  });

  it('counts no level that a dictionary lists and no row has, and not those too long to be levels', async () => {
    const table = arrayTable([{ name: 'x', kind: 'text', values: ['b', 'b'] }]);
    const withSpare: Table = {
      ...table,
      async *frames(fields) {
        for await (const frame of table.frames(fields)) {
          yield {
            ...frame,
            discoverLevels: request => {
              if (!request.levels.includes('spare')) request.levels.push('spare');
              return frame.discoverLevels(request);
            },
          };
        }
      },
    };
    const { columns } = await inspectTable(withSpare);
    expect(columns[0]!.texts).to.deep.equal({ values: 2, distinct: 1, levels: [{ level: 'b', rows: 2 }] });
    const { texts } = await inspectColumn(['b', 'long '.repeat(100)], 'text');
    expect(texts).to.deep.equal({ values: 2, distinct: null, levels: [{ level: 'b', rows: 1 }] });
  });

  it('shows times as times', async () => {
    const start = Date.UTC(2001, 0, 1) / 1000;
    const { times, numbers, warnings } = await inspectColumn(
      many(1001, i => start + 86_400 * i + (i === 1000 ? 0.25 : 0)),
      'time',
    );
    expect(numbers).to.equal(undefined);
    expect(times).to.include({
      values: 1001,
      least: '2001-01-01T00:00:00Z',
      most: '2003-09-28T00:00:00.250Z',
      distinct: null,
    });
    expect(Math.abs(Date.parse(times!.median) / 1000 - (start + 86_400 * 500))).to.be.at.most(times!.medianWithin);
    expect(times!.medianWithin).to.be.below(4 * 86_400);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/^"x" is sorted \(ascending\): keep the default shuffling/);
    const { times: beyond } = await inspectColumn([1e18], 'time');
    expect(beyond!.least).to.equal('1000000000000000000 s');
  });

  it('takes the elements of a vector as columns', async () => {
    const values = many(10, i => (i === 4 ? null : [i, 20 - i]));
    const { columns } = await inspectTable(arrayTable([{ name: 'v', kind: 'vector', values }]));
    expect(columns.map(({ name }) => name)).to.deep.equal(['v[0]', 'v[1]']);
    expect(columns.map(({ nulls }) => nulls)).to.deep.equal([1, 1]);
    expect(columns.map(({ numbers }) => numbers!.most)).to.deep.equal([9, 20]);
    expect(columns.map(({ numbers }) => numbers!.least)).to.deep.equal([0, 11]);
  });

  it('goes on with the other columns where one cannot be read', async () => {
    const table = arrayTable(
      [
        { name: 'bad', kind: 'exact', values: [1, 2, 'refused', 4] },
        { name: 'good', kind: 'float', values: [1, 2, 3, 4] },
      ],
      { sizes: [2] },
    );
    const { columns, warnings } = await inspectTable(table);
    expect(columns[0]).to.deep.equal({
      name: 'bad',
      type: 'exact',
      kind: 'exact',
      nulls: null,
      nonFinite: 0,
      problem: 'arrays: is not a number',
    });
    expect(columns[1]!.numbers!.values).to.equal(4);
    expect(warnings).to.deep.equal(['"bad" could not be read to the end: arrays: is not a number', RANGES]);
  });

  it('takes one row, no row and no column', async () => {
    const { numbers, warnings } = await inspectColumn([3]);
    const three = { value: 3, within: numbers!.p01.within };
    expect(numbers).to.deep.equal({
      values: 1,
      least: 3,
      most: 3,
      mean: 3,
      deviation: 0,
      p01: three,
      median: { value: 3, within: 0 },
      p99: three,
      distinct: 1,
      tail: null,
      apart: null,
      order: { ascents: 0, descents: 0, likeness: null, sorted: null },
    });
    expect(warnings).to.deep.equal([]);
    expect(await inspectColumn([])).to.deep.equal({
      name: 'x',
      type: 'float',
      kind: 'float',
      nulls: 0,
      nonFinite: 0,
      warnings: [],
    });
    expect((await inspectTable(arrayTable([]))).warnings).to.deep.equal([RANGES]);
  });

  it('has no summary of nulls, nor of numbers that are not finite', async () => {
    expect(await inspectColumn([null, null])).to.deep.equal({
      name: 'x',
      type: 'float',
      kind: 'float',
      nulls: 2,
      nonFinite: 0,
      warnings: ['"x" has no value in any row: leave it out'],
    });
    const infinite = await inspectColumn([Infinity, -Infinity, Number.NaN]);
    expect(infinite).to.include({ nulls: 0, nonFinite: 3 }).and.not.have.property('numbers');
    expect(infinite.warnings).to.deep.equal(['"x" is not a finite number in 3 rows: `nulls: \'skip\'` skips them']);
  });

  it('holds the ends of the doubles', async () => {
    const { numbers } = await inspectColumn([Number.MAX_VALUE, 0, Number.MIN_VALUE, -Number.MIN_VALUE]);
    expect(numbers).to.include({ least: -Number.MIN_VALUE, most: Number.MAX_VALUE, distinct: 4 });
    expect(numbers!.median.value).to.be.closeTo(0, 2 ** -1029);
  });
});

describe('warnings of inspectTable', () => {
  const shuffled = (values: number[]): number[] => {
    const keys = new Map(values.map((_, i) => [i, uniform(random)]));
    return values
      .map((_, i) => i)
      .sort((a, b) => keys.get(a)! - keys.get(b)!)
      .map(i => values[i]!);
  };

  it('always end with the one about ranges', async () => {
    expect((await inspectTable(arrayTable([{ name: 'x', kind: 'float', values: [1, 2] }]))).warnings).to.deep.equal([
      RANGES,
    ]);
  });

  it('name constants, but not a constant that is a single row', async () => {
    expect((await inspectColumn([5, 5, null])).warnings).to.deep.equal([
      '"x" is constant: leave it out, because the intercept already covers it',
    ]);
    expect((await inspectColumn(['a', 'a'], 'text')).warnings[0]).to.include('is constant');
  });

  it('name columns that are mostly null, with the share', async () => {
    const mostly = (present: number): (number | null)[] => many(100, i => (i < present ? i % 7 : null));
    expect((await inspectColumn(mostly(50))).warnings).to.deep.equal([]);
    expect((await inspectColumn(mostly(25))).warnings[0]).to.match(/^"x" has no value in 75 % of the rows/);
  });

  it('name heavy tails and the way to live with them', async () => {
    const { warnings } = await inspectColumn(many(20_000, () => studentT(random, 2)));
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(
      /^"x" has heavy tails \(index [12]\.\d, below 4\): the default loss is robust to them, `loss: 'squared'` is not$/,
    );
    expect((await inspectColumn(many(20_000, () => normal(random)))).warnings).to.deep.equal([]);
  });

  it('name a gap, with the share beyond it', async () => {
    const { warnings } = await inspectColumn(
      many(20_000, i => (i % 100 === 0 ? 37_000 : 37) * (1 + 0.1 * normal(random))),
    );
    expect(warnings).to.deep.equal([
      '"x" has a gap: about 1 % of the values are more than ten times as far from the median as all others: check whether they are errors, other units or codes',
    ]);
  });

  it('name the row index of pandas, and say nothing else of it', async () => {
    const values = many(100, i => i);
    const { warnings } = await inspectTable(arrayTable([{ name: '__index_level_0__', kind: 'exact', values }]));
    expect(warnings).to.deep.equal([
      '"__index_level_0__" is the row index written by pandas: fit leaves it out unless `features` names it',
      RANGES,
    ]);
  });

  it('name whole numbers that look like codes, unless they are two, or many, or seldom repeat', async () => {
    const codes = async (distinct: number, rows: number, kind: FieldKind = 'integer'): Promise<readonly string[]> =>
      (await inspectColumn(shuffled(many(rows, i => 100 + (i % distinct))), kind)).warnings;
    expect(await codes(12, 1200)).to.deep.equal([
      '"x" has 12 different whole numbers: if they are codes rather than quantities, declare its levels with `categorical`',
    ]);
    expect(await codes(12, 1200, 'float')).to.deep.equal([]);
    expect(await codes(2, 1200)).to.deep.equal([]);
    expect(await codes(12, 120)).to.deep.equal([]);
    expect(await codes(200, 9000)).to.deep.equal([]);
  });

  it('name the column that a real file is sorted by, and its heavy tail', async () => {
    const table = await openTable('node_modules/vega-datasets/data/flights-200k.arrow');
    const { rows, columns, warnings } = await inspectTable(table);
    await table.close();
    expect(rows).to.equal(200_000);
    expect(columns.map(({ name, numbers }) => [name, numbers!.order.sorted])).to.deep.equal([
      ['delay', null],
      ['distance', null],
      ['time', 'ascending'],
    ]);
    expect(warnings.map(warning => warning.replace(/ \(.*| cannot.*/, ''))).to.deep.equal([
      '"delay" has heavy tails',
      '"time" is sorted',
      RANGES,
    ]);
  });

  it('name rows that are exact duplicates of others, unless a column was not compared', async () => {
    const numbers = Array.from({ length: 200 }, (_, i) => Math.sin(i));
    const texts = numbers.map((_, i) => (i % 3 === 0 ? 'red' : 'blue'));
    const twice = <T>(values: readonly T[]): readonly T[] => [...values, ...values];
    const table = (kind: 'float' | 'unsupported') =>
      arrayTable([
        { name: 'x', kind: 'float', values: twice(numbers) },
        { name: 'colour', kind: 'text', values: twice(texts) },
        { name: 'z', kind, values: twice(numbers) },
      ]);
    const { duplicates, warnings } = await inspectTable(table('float'));
    expect(duplicates).to.deep.equal({ share: 0.5, sampled: null });
    expect(warnings.at(-2)).to.equal(
      '50 % of the rows are exact duplicates of others, as when a file was written twice: intervals treat each as a new row, and are too narrow if it is not; remove duplicates, for example with `fromSql` and SELECT DISTINCT',
    );
    expect((await inspectTable(table('unsupported'))).duplicates).to.equal(null);
  });
});
