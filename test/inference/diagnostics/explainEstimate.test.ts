import { expect } from 'chai';
import { type FitRowsOptions, fitRows } from '../../../src/fit/fitRows.ts';
import { explainEstimate } from '../../../src/inference/diagnostics/explainEstimate.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';

const rows = 12_000;
const random = seeded('explain', 'rows');
const a = Float64Array.from({ length: rows }, () => normal(random));
const b = Float64Array.from({ length: rows }, () => normal(random));
const y = a.map((x, i) => 3 + x - 2 * b[i]! + normal(random));

async function explained(columns: readonly Float64Array[], target: Float64Array, options: FitRowsOptions = {}) {
  const found = await fitRows(samplesOf(sampleBatch(columns, target)), options);
  const order = options.order ?? 'shuffle';
  const { choices, notes } = explainEstimate(found, {
    names: ['a', 'b', 'c'],
    order,
  });
  return { choices: choices.join('\n'), notes: notes.join('\n') };
}

describe('explainEstimate', () => {
  it('says of clean rows what was chosen, and nothing else', async () => {
    const { choices, notes } = await explained([a, b], y);
    expect(notes).to.equal('');
    expect(choices).to.match(
      /^loss pseudo-huber\(1\.\d+\): residuals have a scale of (0\.9\d*|1(\.0\d*)?), and q is 1\.345 scales; the estimate is the mean of this fit and of a bisquare fit with c 3\.\d+, which gives rows beyond it no weight and counts 0(\.\d+)?$/m,
    );
    expect(choices).to.include('a pilot of all 12000 rows, which the steps use again');
    expect(choices).to.include('intervals from the influence of each row on the estimate');
    const fresh = await explained([a, b], y, { mode: 'fresh' });
    expect(fresh.notes).to.equal('');
    expect(fresh.choices).to.include('a pilot of 600 rows, which no step uses again');
    expect(fresh.choices).to.match(/steps \(newton\) on fresh chunks of \d+, \d+/);
  });

  it('names columns that are constant or made up of others', async () => {
    const flat = await explained([a, b, new Float64Array(rows).fill(7)], y);
    expect(flat.notes).to.match(/^"c" has one value in all 12000 pilot rows: its coefficient is 0$/);
    const sum = await explained([a, b, a.map((x, i) => x + b[i]!)], y);
    expect(sum.notes).to.include('"c" is a linear combination of other columns');
    expect(sum.notes).to.include('`penalty`');
  });

  it('names constant columns under a penalty too, which leaves none out', async () => {
    const { notes } = await explained([a, b, new Float64Array(rows).fill(7)], y, { penalty: 0.01 });
    expect(notes).to.include('"c" has one value in all 12000 pilot rows: only the penalty determines its coefficient');
    expect((await explained([a, b], y, { penalty: 0.01 })).notes).not.to.include('one value');
  });

  it('says that huber rejects the most informative rows of classes and counts', async () => {
    const head = (column: Float64Array): Float64Array => column.slice(0, 1000);
    const classes = head(a).map(x => (uniform(random) < 1 / (1 + Math.exp(-x)) ? 1 : 0));
    const aggregate = { huber: 0.05 };
    for (const loss of ['logistic', 'poisson'] as const) {
      const { notes } = await explained([head(a)], classes, { loss: lossByName(loss), aggregate });
      expect(notes, loss).to.include(`the huber aggregate rejects the most informative rows of a ${loss} fit`);
    }
    const { notes } = await explained([head(a)], head(y), { loss: lossByName('squared'), aggregate });
    expect(notes).not.to.include('informative');
  });

  it('names ten of many dropped columns, and gives the number of the others', async () => {
    const copies = Array.from({ length: 13 }, () => a);
    const { notes } = await explained([a, ...copies], y);
    expect(notes).to.equal(
      '"b", "c", "3", "4", "5", "6", "7", "8", "9", "10" and 3 more are linear combinations of other columns in the pilot rows: their coefficients are 0; remove them, or add `penalty`',
    );
    const flat = Array.from({ length: 2 }, () => new Float64Array(rows).fill(7));
    expect((await explained([a, ...flat], y)).notes).to.equal(
      '"b" and "c" have one value each in all 12000 pilot rows: their coefficients are 0',
    );
  });

  it('names text columns that nobody asked for', async () => {
    const found = await fitRows(samplesOf(sampleBatch([a], y)));
    const told = (passedOver: readonly string[], strayRow?: number): readonly string[] =>
      explainEstimate(found, {
        names: ['a'],
        order: 'shuffle',
        passedOver: passedOver.map(name => ({ name, ...(strayRow !== undefined && { strayRow }) })),
      }).notes;
    expect(told(['age'], 7)).to.deep.equal([
      '"age" (row 7) was left out: most values are numbers, but not in the row given (from 0); fix the values, or declare levels with `categorical`',
    ]);
    expect(told([])).to.deep.equal([]);
    expect(told(['town'])).to.deep.equal([
      "\"town\" is text and was left out; `categorical: { town: ['A', 'B'] }` makes features of its levels, which `inspect` lists. Numbers need a decimal point",
    ]);
    expect(told(['town', 'job'])[0]).to.match(/^"town" and "job" are text and were left out/);
    const onlyIn = { table: 'b.csv', not: 'a.csv' };
    const later = (names: readonly string[]): readonly string[] =>
      explainEstimate(found, {
        names: ['a'],
        order: 'shuffle',
        passedOver: names.map(name => ({ name, onlyIn })),
      }).notes;
    expect(later(['c'])).to.deep.equal([
      '"c" was left out: b.csv has it, but a.csv, the first file, does not; add it to every file to make it a feature, or name the columns you want in `features`',
    ]);
    expect(later(['c', 'd'])[0]).to.include(
      '"c" and "d" were left out: b.csv has them, but a.csv, the first file, does not; add them to every file to make them features',
    );
    const passedOver = ['l', 'bin'].map(name => ({ name, kind: 'unsupported', type: `T${name}` }) as const);
    expect(explainEstimate(found, { names: ['a'], order: 'shuffle', passedOver }).notes).to.deep.equal([
      '"l" and "bin" were left out: their types (Tl, Tbin) have no numeric value; `fromSql` can convert them',
    ]);
    expect(told(['__index_level_0__', 'town'])[0]).to.equal(
      '"__index_level_0__" is pandas\' row index and was left out; name it in `features` to use it',
    );
    expect(told(['__index_level_0__', '__index_level_1__'])).to.deep.equal([
      '"__index_level_0__" and "__index_level_1__" are pandas\' row indices and were left out; name them in `features` to use them',
    ]);
  });

  it('tells of high-leverage rows that disagree with the others', async () => {
    const classes = a.map(x => (uniform(random) < 1 / (1 + Math.exp(-2 * x)) ? 1 : 0));
    const counts = a.map(x => Math.floor(Math.exp(0.5 * x) + uniform(random)));
    const isOut = (i: number): boolean => i % 50 === 0;
    const out = a.map((x, i) => (isOut(i) ? 30 + x / 100 : x));
    const zeros = (target: Float64Array): Float64Array => target.map((value, i) => (isOut(i) ? 0 : value));
    const logistic = (await explained([out, b], zeros(classes))).notes;
    expect(logistic).to.match(
      /^[12](\.\d+)? % of the pilot rows have high leverage, beyond 4\.41 scales, and disagree with the others by more than chance, most about "a"; fix or remove those that are errors$/m,
    );
    for (const name of ['poisson', 'pseudo-huber'] as const) {
      const { notes } = await explained([out, b], zeros(counts), { loss: lossByName(name) });
      expect(notes, name).to.include('disagree with the others by more than chance, most about "a"');
      expect(notes.endsWith("try `loss: 'auto'`"), name).to.equal(name === 'pseudo-huber');
    }
    expect((await explained([a, b], classes)).notes).to.equal('');
  });

  it('advises on levels where columns of 0 and 1 add up, and on extreme features where numbers do', async () => {
    const head = a.slice(0, 300);
    // But for two rows, b is a, give or take a little.
    const wide = head.map((x, i) => x + 0.03 * b[i]! + (i < 2 ? 5 : 0));
    const { notes } = await explained([head, wide], y.slice(0, 300), { loss: lossByName('squared') });
    expect(notes).to.match(
      /about \d of 300 rows in the pilot determine "a" and "b": only these have extreme enough features\. .*; use ranks of the features, or drop a column/,
    );
    expect(notes).not.to.include('undeclared');
  });

  it('says that a target has one value, and that one row alone tells of a column', async () => {
    const head = a.slice(0, 500);
    const flat = await explained([head], new Float64Array(500).fill(7));
    expect(flat.notes).to.match(/^the target is 7 in all 500 pilot rows: slopes are 0/);
    const none = await explained([head], new Float64Array(500));
    expect(none.notes).to.include('the target is 0 in every pilot row');
    const rare = head.map((_, i) => (i === 3 ? 1 : 0));
    const { notes } = await explained([head, rare], y.slice(0, 500));
    expect(notes).to.include('"b" differs from its usual value in only 1 row: its coefficient rests on');
  });

  it('says that rows are copies of others', async () => {
    const twice = (values: Float64Array): Float64Array =>
      Float64Array.from([...values.slice(0, 300), ...values.slice(0, 300)]);
    expect((await explained([twice(a), twice(b)], twice(y))).notes).to.include(
      '50 % of the pilot rows duplicate others in target and features',
    );
  });

  it('tells what a wild count does to a Poisson fit', async () => {
    const x = a.slice(0, 1000);
    const counts = x.map((_, i) => (i === 0 ? 50_000 : i % 4));
    const { notes } = await explained([x], counts, { loss: lossByName('poisson') });
    expect(notes).to.match(/^1 of 1000 rows in the pilot has an extreme count \(up to 50000\), 97/);
    const tame = await explained(
      [x],
      counts.map(count => count % 4),
      { loss: lossByName('poisson') },
    );
    expect(tame.notes).to.equal('');
  });

  it('says that a few rows decide where features have no variance', async () => {
    const wild = a.map(() => studentT(random, 1));
    const target = wild.map((x, i) => x + b[i]!);
    const open = (await explained([wild], target)).notes;
    expect(open).to.match(/a few rows have such extreme features that they determine the estimate/);
    // A row that is rejected for a small error of the slope would tell of it most.
    expect(open).to.include("the error may be several times that of `loss: 'squared'`");
    const huber = (await explained([wild], target, { loss: lossByName('pseudo-huber') })).notes;
    expect(huber).not.to.include("`loss: 'squared'`");
    const squared = (await explained([wild], target, { loss: lossByName('squared') })).notes;
    expect(squared).to.include('intervals are too narrow if noise grows with them; use logarithms');
  });

  it('says nothing of intervals that there are none of, nor that few of three rows decide', async () => {
    const three = await explained([Float64Array.of(1, 2, 3)], Float64Array.of(2, 4.1, 5.9));
    expect(three.notes).to.equal('');
    const far = a.slice(0, 25).with(0, 1e4);
    const target = far.map((x, i) => x + b[i]!);
    const { notes } = await explained([far], target, { aggregate: { huber: 0.05 } });
    expect(notes)
      .to.match(/determine the estimate; use logarithms/)
      .and.not.include('intervals');
  });

  it('says of a target that is made of the features that nothing tells of noise', async () => {
    const made = a.map((x, i) => 2 * x - b[i]!);
    expect((await explained([a, b], made)).notes).to.match(/^the fit matches all rows up to rounding/);
    expect((await explained([a, b], made.with(7, 1e3))).notes).to.include('the fit matches most rows');
    expect(
      (
        await explained(
          [a, b],
          made.map((value, i) => value + 1e-6 * y[i]!),
        )
      ).notes,
    ).to.equal('');
  });

  it('says nothing of residuals that rounding makes', async () => {
    const random = seeded('explain', 'exact');
    const parts = [a, b].map(() =>
      Float64Array.from({ length: rows }, () => (uniform(random) < 0.02 ? uniform(random) * 1e4 : 0)),
    );
    const total = parts[0]!.map((value, i) => value + parts[1]![i]!);
    for (const loss of ['auto', lossByName('squared'), lossByName('pseudo-huber')] as const) {
      const { notes } = await explained(parts, total, { loss });
      const about = notes.split('\n').filter(note => !note.startsWith('a few rows have such extreme'));
      // Where no row differs at all, there are no intervals.
      expect(about.map(note => note.replace(', and intervals reflect rounding only', ''))).to.deep.equal([
        'the fit matches all rows up to rounding: the target is computed from the features. To explain it by other features, remove those it is computed from',
      ]);
    }
  });

  it('says how much one row has of the weight, and what that makes of the estimate', async () => {
    const told = async (weight: number): Promise<string> => {
      const weights = new Float64Array(500).fill(1);
      weights[5] = weight;
      const head = sampleBatch([a.slice(0, 500), b.slice(0, 500)], y.slice(0, 500));
      const found = await fitRows(samplesOf({ ...head, weights }));
      return explainEstimate(found, { names: ['a', 'b'], order: 'shuffle' }).notes.join();
    };
    expect(await told(1e9)).to.include(
      'one row has 100 % of the weight of all 500 pilot rows: it determines most of the estimate, and',
    );
    expect(await told(88)).to.include(
      'one row has 15 % of the weight of all 500 pilot rows, as much as 75 average rows: if it is an outlier, no interval shows the error',
    );
  });

  it('names nearly collinear columns though none is dropped', async () => {
    const copy = a.map(x => x + 0.005 * normal(random));
    const { notes } = await explained([a, b, copy], y);
    expect(notes).to.match(
      /^"a" and "c" are nearly collinear \(variance inflation \d+\): only their joint effect is well determined, and single coefficients are erratic with wide intervals\. Remove one, .* or add `penalty`$/,
    );
    const sum = a.map((x, i) => x + b[i]! + 1e-4 * normal(random));
    expect((await explained([a, b, sum], y)).notes).to.match(
      /^"a", "b" and "c" are nearly collinear \(variance inflation over a million\): only their joint effect/,
    );
  });

  it('says that a few whole targets may be codes of classes, unless they count something', async () => {
    const codes = a.map((x, i) => (x + b[i]! < -0.6 ? 0 : x + b[i]! < 0.6 ? 1 : 2));
    const told =
      'the target has 3 values, 0, 1 and 2, about equally often: if they are class codes, a linear fit is meaningless; fit one 0/1 target per class instead';
    expect((await explained([a, b], codes)).notes).to.include(told);
    const counted = await explained([a, b], codes, { loss: lossByName('poisson') });
    expect(counted.notes).not.to.include('class codes');
  });

  it('tells rows of the rarer class from what they are worth', async () => {
    const told = async (classes: Float64Array): Promise<string> => {
      const target = classes.subarray(0, 60);
      return (await explained([a.subarray(0, 60), b.subarray(0, 60)], target)).notes;
    };
    expect(await told(a.map((_, i) => (i % 10 === 0 ? 1 : 0)))).to.match(
      /^only 6 of 60 rows are of the rarer class, for 3 coefficients: coefficients are rough/,
    );
    expect(await told(a.map((x, i) => (x + 0.3 * b[(i + 1) % rows]! > 0 ? 1 : 0)))).to.match(
      /^[23]\d of 60 rows are of the rarer class, but most are predicted well and only about \d are effective, for 3 coefficients: coefficients are rough/,
    );
  });

  it('says that intervals under a penalty are about penalised coefficients', async () => {
    const { notes } = await explained([a, b], y, { penalty: 0.5 });
    expect(notes).to.match(/^`penalty: 0\.5` shrinks coefficients towards 0; the intervals are about the penalised/);
  });

  it('warns of a column that is nearly always the same, where steps see fresh rows', async () => {
    const rare = a.map((_, i) => (i % 200 === 0 ? 1 : 0));
    const { notes } = await explained([a, b, rare], y, { mode: 'fresh' });
    expect(notes).to.match(
      /^"c" differs from its usual value in only \d of 600 pilot rows: its coefficient is imprecise, and its interval too narrow; use `mode: 'full'`$/,
    );
    for (const mode of ['full', 'auto'] as const)
      expect((await explained([a, b, rare], y, { mode })).notes, mode).to.equal('');
  });

  it('says that classes are separated, or all the same, and that there are more coefficients than rows', async () => {
    const classes = a.map(value => (value > 0 ? 1 : 0));
    expect((await explained([a, b], classes)).notes).to.match(/^the classes of the pilot rows are perfectly separated/);
    expect((await explained([a, b], new Float64Array(rows))).notes).to.include('there is no finite estimate');
    const rarely = a.map(value => (value > 2.5 && Math.abs(value * 1000) % 1 < 0.3 ? 1 : 0));
    expect((await explained([a, b], rarely)).notes).to.equal('');
    const two = [a, b].map(column => column.subarray(0, 2));
    expect((await explained(two, y.subarray(0, 2))).notes).to.include('3 coefficients for 2 rows');
  });

  it('gives the share of rows with large residuals, and what the loss does with them', async () => {
    const spoilt = y.map((value, i) => (i % 20 === 0 ? value + 100 : value));
    const open = await explained([a, b], spoilt);
    expect(open.notes).not.to.include('a different model');
    const third = y.map((value, i) => (i % 4 === 0 ? value + 100 : value));
    expect((await explained([a, b], third)).notes).to.include('they may follow a different model');
    expect(open.notes).to.match(/^[3-7](\.\d+)? % of the pilot rows have no weight in the bisquare fit, which counts/m);
    const asked = await explained([a, b], spoilt, { loss: lossByName('squared') });
    expect(open.choices).to.match(
      /^loss pseudo-huber\([\d.]+\): .*; the estimate is the mean of this fit and of a bisquare/,
    );
    expect(asked.notes).to.include('scales and pull the estimate, even with a median of means');
    expect(asked.notes).to.include("`loss: 'auto'` bounds their influence, but does not estimate means");
    expect(asked.choices).not.to.include('loss ');
  });

  it('says that a robust fit is not the mean where errors are skewed, and only there', async () => {
    const size = a.map(x => Math.exp(4.4 + 0.4 * x));
    const price = size.map((x, i) => 2500 * x * Math.exp(0.5 * b[i]!));
    const skewed =
      /^errors are skewed upward: the fit describes typical rows, and predictions are on average below the targets; /m;
    const { notes } = await explained([size], price);
    expect(notes).to.match(skewed);
    expect(notes).to.include(
      "use `loss: 'squared'` for means if large residuals are genuine, or fit the logarithm of the target",
    );
    const sunk = await explained(
      [size],
      price.map(value => value - 2e5),
    );
    expect(sunk.notes).to.include('skewed upward').and.not.include('logarithm');
    const below = await explained(
      [size],
      price.map(value => -value),
    );
    expect(below.notes).to.match(
      /^errors are skewed downward: .* predictions are on average above the targets; use `loss: 'squared'` for means if large residuals are genuine$/m,
    );
    const asked = await explained([size], price, { loss: lossByName('pseudo-huber', { parameter: 1e4 }) });
    expect(asked.notes).to.include('skewed upward');
    const mean = await explained([size], price, { loss: lossByName('squared') });
    const logarithm = await explained([a], price.map(Math.log));
    for (const { notes } of [mean, logarithm]) expect(notes).not.to.include('errors are skewed');
  });

  it('says where the mean has other slopes than typical rows though errors are not skewed', async () => {
    const responding = a.map((x, i) => x + (i % 10 === 0 && b[i]! > 0 ? 3 : 0) + 0.8 * normal(random));
    const treated = b.map(x => (x > 0 ? 1 : 0));
    const { notes } = await explained([a, treated], responding);
    expect(notes).to.match(
      /^the mean of the target has other slopes than typical rows, most for "b"; use `loss: 'squared'` for means( if large residuals are genuine)?$/m,
    );
    expect((await explained([a, b], y)).notes).not.to.include('typical rows');
  });

  it('names the loss of counts where skewed targets are whole numbers of 0 or more', async () => {
    const counts = a.map(x => Math.floor(-Math.log(1 - uniform(random)) * Math.exp(1.5 + 0.2 * x)));
    const { notes } = await explained([a], counts);
    expect(notes).to.include('skewed upward').and.include("or `loss: 'poisson'` for counts");
    expect(notes).not.to.include('logarithm');
    const alike = await explained(
      [a],
      a.map(() => -1000 * Math.log(1 - uniform(random))),
    );
    expect(alike.notes).to.include('skewed upward');
    const halves = await explained(
      [a],
      counts.map(count => count + 0.5),
    );
    expect(halves.notes).to.include('logarithm').and.not.include('poisson');
  });

  it('does not take two humps for skewed noise', async () => {
    for (let first = 0; first < rows; first += 1000) {
      const target = a.map(x => x + normal(random) + (uniform(random) < 0.5 ? -3 : 3)).subarray(0, 1000);
      const { notes } = await explained([a.subarray(0, 1000)], target);
      expect(notes, String(first)).not.to.include('errors are skewed');
    }
  });

  it('names the reference level', async () => {
    const levelOf = (k: number): Float64Array => a.map((_, i) => (i % 3 === k ? 1 : 0));
    const levels = [0, 1, 2].map(levelOf);
    const about = {
      names: ['c=red', 'c=green', 'c=blue', 'a', 'copy'],
      order: 'shuffle',
    } as const;
    const told = async (columns: readonly Float64Array[], intercept = true): Promise<string> => {
      const found = await fitRows(samplesOf(sampleBatch(columns, y)), { intercept });
      return explainEstimate(found, { ...about, categorical: { c: ['red', 'green', 'blue'] } }).notes.join('\n');
    };
    expect((await told([...levels, a])).split('\n')[0]).to.equal(
      '"c=blue" is the reference level: its coefficient is 0, and those of the other levels are differences from it',
    );
    expect(await told([...levels, a, a])).to.match(/^"c=blue" is the reference .*\n"copy" is a linear combination of/);
    // The second of two equal levels is left out as well, and then neither is the reference of the others.
    expect(await told([levels[0]!, levels[0]!, levels[0]!, a])).to.include(
      '"c=green" and "c=blue" are linear combinations',
    );
    expect(await told([...levels, a], false)).to.equal('');
  });

  it('does not take outliers for skewed noise, in targets or in features', async () => {
    const raised = y.map((value, i) => (i % 10 === 0 ? value + 30 : value));
    expect((await explained([a, b], raised)).notes).not.to.include('errors are skewed');
    const out = a.map((x, i) => (i % 10 === 0 ? 10 : x));
    expect((await explained([out, b], raised)).notes).not.to.include('errors are skewed');
    const exact = a.map(x => 3 + x / 7);
    for (const options of [{}, { loss: lossByName('pseudo-huber') }])
      expect((await explained([a], exact, options)).notes).not.to.include('errors are skewed');
  });

  it('says that targets were cut off where many are at a bound', async () => {
    const { notes } = await explained(
      [a, b],
      y.map(value => Math.min(value, 6)),
    );
    expect(notes).to.match(
      /1\d(\.\d)? % of the pilot targets are 6, the largest: if targets were cut off there, slopes are biased/,
    );
    const whole = await explained([a, b], y.map(Math.round));
    expect(whole.notes).to.not.include('cut off');
  });

  it('reports heavy tails only from 1 % of the rows on, in one short sentence', async () => {
    const tailed = (share: number) => y.map((value, i) => value + (i % (1 / share) === 0 ? 30 * b[i]! : 0));
    const loss = lossByName('pseudo-huber', { parameter: 1.345 });
    expect((await explained([a], tailed(0.005), { loss })).notes).not.to.include('beyond 6 scales');
    expect((await explained([a], tailed(0.04), { loss })).notes).to.match(
      /^[\d.]+ % of the pilot rows have residuals beyond 6 scales; their influence is bounded$/m,
    );
  });

  it('says nothing of what another analysis would give', async () => {
    const far = a.map((x, i) => (i % 50 === 0 ? 30 + x / 100 : x));
    const target = y.map((value, i) => (i % 50 === 0 ? 0 : value));
    const skewed = a.map((x, i) => x + Math.exp(0.8 * x + b[i]!));
    const heavy = a.map(x => x + studentT(random, 2));
    for (const [column, values, options] of [
      [far, target, {}],
      [far, target, { loss: lossByName('pseudo-huber', { parameter: 1.345 }) }],
      [a, skewed, { loss: lossByName('tukey', { parameter: 4.685 }) }],
      [a, heavy, { loss: lossByName('tukey', { parameter: 4.685 }) }],
    ] as const) {
      const { notes } = await explained([column], values, options);
      expect(notes).not.to.equal('');
      expect(notes).not.to.match(/would (be|change|give)|instead of/);
    }
  });

  it('lists columns without a finite estimate in one note', async () => {
    const levels = [1, 2, 3].map(k => a.map((_, i) => (i % 300 === k ? 1 : 0)));
    const classes = a.map((x, i) => (i % 300 > 3 && uniform(random) < 1 / (1 + Math.exp(-x)) ? 1 : 0));
    const { notes } = await explained([...levels, a], classes);
    expect(notes).to.match(
      /^"a", "b" and "c" have no finite estimate: .* the values shown are where the search stopped\./,
    );
  });

  it('says that rows look sorted where they are taken as they are, and only then', async () => {
    const sorted = Array.from({ length: rows }, (_, i) => i).sort((i, j) => y[i]! - y[j]!);
    const columns = [a, b].map(column => Float64Array.from(sorted, i => column[i]!));
    const target = Float64Array.from(sorted, i => y[i]!);
    const asIs = await explained(columns, target, { order: 'as-is', mode: 'fresh' });
    expect(asIs.notes).to.match(
      /the rows look sorted: .* neither the estimate nor its intervals are valid; use `order: 'shuffle'`/,
    );
    const full = await explained(columns, target, { order: 'as-is', mode: 'full' });
    expect(full.notes).to.match(/as in random order, so the intervals are not valid; use `order: 'shuffle'`/);
    expect((await explained(columns, target)).notes).to.equal('');
    expect((await explained([a, b], y, { order: 'as-is' })).notes).to.equal('');
  });

  it('gives its reasons for a logistic loss', async () => {
    const classes = a.map(x => (uniform(random) < 1 / (1 + Math.exp(-x)) ? 1 : 0));
    expect((await explained([a], classes)).choices).to.include('loss logistic: every target of the pilot is 0 or 1');
    const mostlyZero = a.map((x, i) => (i % 3 === 0 ? 5 + x : 0));
    expect((await explained([a], mostlyZero)).choices).to.include('the estimate is the mean of this fit');
  });

  it('says that a target has two values other than 0 and 1', async () => {
    const classes = a.map(x => (uniform(random) < 1 / (1 + Math.exp(-x)) ? 1 : 0));
    for (const [least, most] of [
      [-1, 1],
      [1, 2],
      [0, 100],
    ] as const) {
      const { choices, notes } = await explained(
        [a],
        classes.map(value => (value === 0 ? least : most)),
      );
      expect(choices).to.match(/^loss pseudo-huber/);
      expect(notes).to.equal(
        `the target has two values, ${least} and ${most}: recode them as 0 and 1 for a logistic fit of probabilities`,
      );
    }
    const asked = await explained([a], classes, { loss: lossByName('squared') });
    for (const { notes } of [asked, await explained([a], classes)]) expect(notes).to.equal('');
  });

  it('says that few rows are all in the pilot', async () => {
    const head = (column: Float64Array): Float64Array => column.slice(0, 300);
    const { choices } = await explained([head(a), head(b)], head(y));
    expect(choices).to.include('a pilot of all 300 rows');
    expect(choices).to.match(/each over all rows$/m);
  });

  it('tells columns apart to a difference of 1e-5, and calls nearer ones nearly combinations', async () => {
    const head = (column: Float64Array): Float64Array => column.slice(0, 2000);
    const [first, other] = [head(a), head(b)];
    const apart = (share: number) => first.map((value, i) => value + share * other[i]!);
    const target = first.map((value, i) => value + other[i]! + a[5000 + i]! / 10);
    const { fit, pilot } = await fitRows(samplesOf(sampleBatch([first, apart(1e-5)], target)));
    expect(pilot!.columns.dropped).to.deep.equal([]);
    expect(fit.theta[1]! * 1e-5).to.be.closeTo(1, 0.02);
    const nearly = await explained([first, apart(1e-6)], target);
    expect(nearly.notes).to.match(/^"b" is nearly a linear combination .* use its difference from them instead/);
    // What nearly collinear columns make up with large coefficients is found all the same.
    const made = await explained([first, apart(1e-5), other], target);
    expect(made.notes).to.match(/^"c" is a linear combination of other columns/);
    for (const offset of [0, 1e3, 1e6, 1e9]) {
      const far = [first, other].map(column => column.map(value => value + offset));
      const sum = await explained([...far, far[0]!.map((value, i) => 3 * value - far[1]![i]! + 5)], target);
      expect(sum.notes, `at ${offset}`).to.match(/^"c" is a linear combination of other columns/);
    }
  });

  it('tells how many rows were passed over and for which columns, with advice where they are many', async () => {
    const found = await fitRows(samplesOf(sampleBatch([a, b], y)));
    const told = (invalid: number, lacking: Readonly<Record<string, number>>): readonly string[] =>
      explainEstimate(found, {
        names: ['a', 'b'],
        order: 'shuffle',
        skipped: {
          read: 12_000,
          invalid,
          columns: Object.entries(lacking).map(([name, rows]) => ({ name, rows })),
        },
      }).notes;
    expect(told(0, {})).to.deep.equal([]);
    expect(told(600, { a: 600 })).to.deep.equal([
      '600 of 12000 rows (5 %) were skipped for missing or unusable values ("a" 5 %)',
    ]);
    expect(told(1, { a: 1 })[0]).to.match(/^1 of 12000 rows \(0.00833 %\) was skipped/);
    expect(told(9000, { a: 3000, b: 8400, y: 12 })).to.deep.equal([
      '9000 of 12000 rows (75 %) were skipped for missing or unusable values ("b" 70 % and "a" 25 %); leave "b" and "a" out of `features` to use more of them. If values are not missing at random, the estimate is biased',
    ]);
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, k) => [`x${k}`, 600 + k]));
    expect(told(4000, many)[0]).to.include('("x12" 5.1 %,').and.include('"x3" 5.03 % and 3 more); leave');
    // A fit cannot do without its target.
    const lacking = { read: 100, invalid: 50, columns: [{ name: 'y', rows: 50 }] };
    expect(
      explainEstimate(found, { names: ['a', 'b'], order: 'shuffle', target: 'y', skipped: lacking }).notes,
    ).to.deep.equal([
      '50 of 100 rows (50 %) were skipped for missing or unusable values ("y" 50 %). If values are not missing at random, the estimate is biased',
    ]);
  });

  it('names a value of a feature that seems to stand for what is missing', async () => {
    const coded = a.map((value, i) => (i % 20 === 0 ? -9 : value));
    const { notes } = await explained([coded, b], y);
    expect(notes).to.include(
      '"a" is -9 in 5 % of the pilot rows, far from all other values. If -9 means "missing", remove these rows (`fromSql` with WHERE "a" <> -9): ',
    );
    expect((await explained([a, b], y)).notes).not.to.include('means "missing"');
    const mean = await explained([coded, b], y, { loss: lossByName('squared') });
    expect(mean.notes).to.include('they distort its coefficient and others');
  });

  it('says of rows with a code nothing else that is said of far rows, and does not advise to count them', async () => {
    const coded = a.map((value, i) => (i % 20 === 0 ? 999 : value));
    const classes = a.map(x => (uniform(random) < 1 / (1 + Math.exp(-2 * x)) ? 1 : 0));
    for (const [target, options] of [
      [y, {}],
      [y, { loss: lossByName('squared') }],
      [y, { loss: lossByName('tukey', { parameter: 4.685 }) }],
      [classes, {}],
    ] as const) {
      const { notes } = await explained([coded, b], target, options);
      expect(notes).to.match(/^"a" is 999 in 5 % of the pilot rows, far from all other values/);
      expect(notes.split('\n')).to.have.length(1);
    }
    const both = await explained(
      [coded, b],
      y.map((value, i) => (i % 20 === 1 ? value + 100 : value)),
    );
    expect(both.notes).to.match(
      /^5(\.\d+)? % of the pilot rows, besides those with codes, have no weight in the bisquare fit/,
    );
  });

  it('says that times were left out, and of those that were not what their unit is', async () => {
    const found = await fitRows(samplesOf(sampleBatch([a, b], y)));
    const about = { names: ['a', 'sold'], order: 'shuffle' } as const;
    const out = explainEstimate(found, { ...about, passedOver: [{ name: 'sold', kind: 'time' }] });
    expect(out.notes).to.deep.equal([
      '"sold" is a date or time and was left out; name it in `features` to use it in seconds since 1970',
    ]);
    expect(explainEstimate(found, { ...about, times: ['sold'] }).notes[0]).to.match(
      /^"sold" is in seconds since 1970: multiply its coefficient by 86400/,
    );
  });

  it('says why a pilot was widened', async () => {
    const many = 400_000;
    const random = seeded('explain', 'widened');
    const [x, flag] = [
      Float64Array.from({ length: many }, () => normal(random)),
      Float64Array.from({ length: many }, () => (uniform(random) < 0.002 ? 1 : 0)),
    ];
    const target = x.map((value, i) => value + flag[i]! + normal(random));
    const { choices } = await explained([x, flag], target);
    expect(choices).to.include('a pilot of all 400000 rows, which the steps use again');
    expect(choices).to.match(/curvature; 20000 rows were not enough: too few determine "b"$/m);
    expect((await explained([a, b], y)).choices).not.to.include('too few');
  });

  it('speaks of one step as one', async () => {
    const full = await explained([a, b], y, { mode: 'full', steps: 1 });
    expect(full.choices).to.match(/^1 step \(newton\) over all other rows$/m);
    const fresh = await explained([a, b], y, { mode: 'fresh', steps: 1 });
    expect(fresh.choices).to.match(/^1 step \(newton\) on a fresh chunk of \d+ rows/m);
  });

  it('says how many rows fill no block where a median of blocks leaves them out', async () => {
    const head = (column: Float64Array): Float64Array => column.slice(0, 1999);
    const { choices } = await explained([head(a)], head(y), { aggregate: 'median-of-means' });
    expect(choices).to.match(/each over all rows except 1 that does not fill a block$/m);
  });
});
