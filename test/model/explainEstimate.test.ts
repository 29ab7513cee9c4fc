import { expect } from 'chai';
import { type EstimateOptions, estimate } from '../../src/flow/estimate.ts';
import { lossByName } from '../../src/loss/lossByName.ts';
import { explainEstimate } from '../../src/model/explain/explainEstimate.ts';
import type { Pilot } from '../../src/pilot/pilot.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { studentT } from '../../src/random/studentT.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

const rows = 12_000;
const random = seeded('explain', 'rows');
const a = Float64Array.from({ length: rows }, () => normal(random));
const b = Float64Array.from({ length: rows }, () => normal(random));
const y = a.map((x, i) => 3 + x - 2 * b[i]! + normal(random));

async function explained(
  columns: readonly Float64Array[],
  target: Float64Array,
  options: EstimateOptions = {},
) {
  const found = await estimate(samplesOf(sampleBatch(columns, target)), options);
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
      /^loss (geman-mcclure|tukey)\([\d.]+\): residuals have a scale of (0\.9\d*|1(\.0\d*)?),/,
    );
    expect(choices).to.include('a pilot of all 12000 rows, which the steps see again');
    expect(choices).to.include('intervals from what each row does to the estimate');
    const fresh = await explained([a, b], y, { mode: 'fresh' });
    expect(fresh.notes).to.equal('');
    expect(fresh.choices).to.include('a pilot of 600 rows, which no step uses again');
    expect(fresh.choices).to.match(/steps \(newton\) on fresh chunks of \d+, \d+/);
  });

  it('names columns that are constant or made up of others', async () => {
    const flat = await explained([a, b, new Float64Array(rows).fill(7)], y);
    expect(flat.notes).to.match(/^"c" has one value in all 12000 pilot rows: its coefficient is 0$/);
    const sum = await explained([a, b, a.map((x, i) => x + b[i]!)], y);
    expect(sum.notes).to.include('"c" is a combination of other columns');
    expect(sum.notes).to.include('`penalty`');
  });

  it('names constant columns under a penalty too, which leaves none out', async () => {
    const { notes } = await explained([a, b, new Float64Array(rows).fill(7)], y, { penalty: 0.01 });
    expect(notes).to.include(
      '"c" has one value in all 12000 pilot rows, and nothing but the penalty tells of its coefficient',
    );
    expect((await explained([a, b], y, { penalty: 0.01 })).notes).not.to.include('one value');
  });

  it('says that huber leaves out what classes and counts are told by', async () => {
    const head = (column: Float64Array): Float64Array => column.slice(0, 1000);
    const classes = head(a).map(x => (uniform(random) < 1 / (1 + Math.exp(-x)) ? 1 : 0));
    const aggregate = { huber: 0.05 };
    for (const loss of ['logistic', 'poisson'] as const) {
      const { notes } = await explained([head(a)], classes, { loss: lossByName(loss), aggregate });
      expect(notes, loss).to.include(`under the ${loss} loss, gradients are far from each other by nature`);
    }
    const { notes } = await explained([head(a)], head(y), { loss: lossByName('squared'), aggregate });
    expect(notes).not.to.include('by nature');
  });

  it('says where rows far out in a feature are left out, of which nobody can tell why', async () => {
    const skewed = b.slice(0, 500).map(Math.exp);
    const head = a.subarray(0, 500);
    const growing = skewed.map((x, i) => head[i]! + x + x * normal(random));
    const loss = lossByName('tukey', { parameter: 4.685 });
    const { notes } = await explained([head, skewed], growing, { loss });
    expect(notes).to.match(
      /of the pilot rows far out in "b", \d+(\.\d+)? % as good as do not count, .* if noise grows with this feature, coefficients are rough, and their intervals too narrow;/,
    );
    const even = skewed.map((x, i) => head[i]! + x + normal(random));
    expect((await explained([head, skewed], even, { loss })).notes).not.to.include('far out in');
  });

  it('names a few of many columns that are left out, and counts the others', async () => {
    const copies = Array.from({ length: 8 }, () => a);
    const { notes } = await explained([a, ...copies], y);
    expect(notes).to.equal(
      '"b", "c", "3", "4", "5" and 3 others are combinations of other columns in the pilot rows: their coefficients are 0; leave them out, or add `penalty`',
    );
    const flat = Array.from({ length: 2 }, () => new Float64Array(rows).fill(7));
    expect((await explained([a, ...flat], y)).notes).to.equal(
      '"b" and "c" have one value each in all 12000 pilot rows: their coefficients are 0',
    );
  });

  it('names text columns that nobody asked for', async () => {
    const found = await estimate(samplesOf(sampleBatch([a], y)));
    const told = (passedOver: readonly string[], strayRow?: number): readonly string[] =>
      explainEstimate(found, {
        names: ['a'],
        order: 'shuffle',
        passedOver: passedOver.map(name => ({ name, ...(strayRow !== undefined && { strayRow }) })),
      }).notes;
    expect(told(['age'], 7)).to.deep.equal([
      '"age" was left out: most of its rows are numbers, but row 7, counted from 0, is not; mend it and others like it, or declare levels with `categorical`',
    ]);
    expect(told([])).to.deep.equal([]);
    expect(told(['town'])).to.deep.equal([
      "\"town\" is text and was left out: `categorical: { town: ['A', 'B'] }` makes features of levels, which `inspectTable` lists; numbers have a point for decimals",
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
      '"l" and "bin" were left out, for no numbers can be made of their types (Tl, Tbin): `openSql` can make columns of what they hold',
    ]);
    expect(told(['__index_level_0__', 'town'])[0]).to.equal(
      '"__index_level_0__" is pandas\' index of the rows and was left out: a feature only where `features` names it',
    );
    expect(told(['__index_level_0__', '__index_level_1__'])).to.deep.equal([
      '"__index_level_0__" and "__index_level_1__" are pandas\' indices of the rows and were left out: features only where `features` names them',
    ]);
  });

  it('says what an estimate would be without rows far out in their features that do not follow the others', async () => {
    const classes = a.map(x => (uniform(random) < 1 / (1 + Math.exp(-2 * x)) ? 1 : 0));
    const counts = a.map(x => Math.floor(Math.exp(0.5 * x) + uniform(random)));
    const isOut = (i: number): boolean => i % 50 === 0;
    const out = a.map((x, i) => (isOut(i) ? 30 + x / 100 : x));
    const zeros = (target: Float64Array): Float64Array => target.map((value, i) => (isOut(i) ? 0 : value));
    const logistic = (await explained([out, b], zeros(classes))).notes;
    expect(logistic).to.match(
      /^[12](\.\d+)? % of the pilot rows lie far out in their features, further than 4\.41 scales, and the logistic loss counts them fully: without them "a" would have about (1\.[6-9]\d*|2(\.[0-4]\d*)?) instead of -?0\.0/,
    );
    expect(logistic).to.match(/mend or leave out those that do not belong$/);
    for (const name of ['poisson', 'pseudo-huber'] as const) {
      const { notes } = await explained([out, b], zeros(counts), { loss: lossByName(name) });
      expect(notes, name).to.include(
        `the ${name} loss counts them fully: without them "a" would have about 0`,
      );
      expect(notes.endsWith("`loss: 'auto'` leaves such rows out"), name).to.equal(name === 'pseudo-huber');
    }
    expect((await explained([a, b], classes)).notes).to.equal('');
  });

  it('speaks of levels where columns of 0 and 1 add up, and of rows far out where numbers do', async () => {
    const head = a.slice(0, 300);
    // But for two rows, b is a, give or take a little.
    const wide = head.map((x, i) => x + 0.03 * b[i]! + (i < 2 ? 5 : 0));
    const { notes } = await explained([head, wide], y.slice(0, 300), { loss: lossByName('squared') });
    expect(notes).to.match(
      /about \d of 300 rows in the pilot decide "a" and "b", for so few lie far enough out in "a" and "b" to tell their slopes from the others': .*; take ranks of them, or leave one of the columns out/,
    );
    expect(notes).not.to.include('undeclared');
  });

  it('says of rows far out in their features that they count the less where they do', async () => {
    const far = b.slice(0, 300).map((x, i) => (i < 2 ? 500 * (i + 1) : x));
    const found = await estimate(samplesOf(sampleBatch([far], a.slice(0, 300))), { loss: 'squared' });
    const told = (rowWeights: Pilot['leverage']['rowWeights']): string =>
      explainEstimate(
        { ...found, pilot: { ...found.pilot!, leverage: { ...found.pilot!.leverage, rowWeights } } },
        { names: ['a'], order: 'shuffle' },
      ).notes.join();
    expect(told(null)).to.include('that they decide the estimate');
    const weighed = told(batch => new Float64Array(batch.rows));
    expect(weighed).to.include('they would decide the estimate, and count the less for it');
    expect(weighed).not.to.include('that they decide');
  });

  it('says that a target has one value, and that one row alone tells of a column', async () => {
    const head = a.slice(0, 500);
    const flat = await explained([head], new Float64Array(500).fill(7));
    expect(flat.notes).to.match(/^the target is 7 in all 500 pilot rows, so that slopes are 0/);
    const none = await explained([head], new Float64Array(500));
    expect(none.notes).to.include('the target is 0 in every pilot row');
    const rare = head.map((_, i) => (i === 3 ? 1 : 0));
    const { notes } = await explained([head, rare], y.slice(0, 500));
    expect(notes).to.include(
      '"b" leaves its usual value in only 1 row: its coefficient is what this one says',
    );
  });

  it('says that rows are copies of others', async () => {
    const twice = (values: Float64Array): Float64Array =>
      Float64Array.from([...values.slice(0, 300), ...values.slice(0, 300)]);
    expect((await explained([twice(a), twice(b)], twice(y))).notes).to.include(
      '50 % of the pilot rows are exact copies of others',
    );
  });

  it('tells what a wild count does to a Poisson fit', async () => {
    const x = a.slice(0, 1000);
    const counts = x.map((_, i) => (i === 0 ? 50_000 : i % 4));
    const { notes } = await explained([x], counts, { loss: lossByName('poisson') });
    expect(notes).to.match(
      /^1 of 1000 rows in the pilot has a count far beyond all others, up to 50000, and 97/,
    );
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
    expect(open).to.match(/a few rows lie so far out in their features that they decide the estimate/);
    expect(open).to.include("`loss: 'squared'`");
    const squared = (await explained([wild], target, { loss: lossByName('squared') })).notes;
    expect(squared).to.include('intervals are too narrow if noise grows with them; take logarithms');
  });

  it('says nothing of intervals that there are none of, nor that few of three rows decide', async () => {
    const three = await explained([Float64Array.of(1, 2, 3)], Float64Array.of(2, 4.1, 5.9));
    expect(three.notes).to.equal('');
    const far = a.slice(0, 25).with(0, 1e4);
    const target = far.map((x, i) => x + b[i]!);
    const { notes } = await explained([far], target, { aggregate: { huber: 0.05 } });
    expect(notes)
      .to.match(/decide the estimate: where noise is light/)
      .and.not.include('intervals');
  });

  it('says of a target that is made of the features that nothing tells of noise', async () => {
    const made = a.map((x, i) => 2 * x - b[i]!);
    expect((await explained([a, b], made)).notes).to.match(/^the fit goes through all of the rows/);
    expect((await explained([a, b], made.with(7, 1e3))).notes).to.include('goes through most of the rows');
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
      const about = notes.split('\n').filter(note => !note.startsWith('a few rows lie so far out'));
      expect(about).to.deep.equal([
        'the fit goes through all of the rows, but for rounding: the target is made of the features, so that nothing tells of noise, and intervals tell of no more than that; if others are to explain it, leave out those that it is made of',
      ]);
    }
  });

  it('names a slope that rests on rows far out, though they follow the others', async () => {
    const random = seeded('far', 'rows');
    const x = Float64Array.from({ length: 400 }, (_, i) => normal(random) + (i % 12 === 0 ? 60 : 0));
    const z = x.map(() => normal(random));
    const y = x.map((value, i) => value + z[i]! + 4 * normal(random));
    const found = await estimate(samplesOf(sampleBatch([z, x], y)));
    const { notes } = explainEstimate(found, { names: ['z', 'x'], order: 'shuffle' });
    expect(notes.join('\n')).to.match(
      /of "x", rows far out in their features tell most, .* it would have about [\d.]+ instead of (1|1\.0|0\.9)/,
    );
    expect(notes.join('\n')).not.to.include('of "z"');
  });

  it('says how much one row has of the weight, and what that makes of the estimate', async () => {
    const told = async (weight: number): Promise<string> => {
      const weights = new Float64Array(500).fill(1);
      weights[5] = weight;
      const head = sampleBatch([a.slice(0, 500), b.slice(0, 500)], y.slice(0, 500));
      const found = await estimate(samplesOf({ ...head, weights }));
      return explainEstimate(found, { names: ['a', 'b'], order: 'shuffle' }).notes.join();
    };
    expect(await told(1e9)).to.include(
      'one row has 100 % of the weight of all 500 pilot rows: the estimate is mostly its own, and',
    );
    expect(await told(88)).to.include(
      'one row has 15 % of the weight of all 500 pilot rows: it counts as 75 of them on average do, and no interval tells how far off the estimate is if this row does not belong',
    );
  });

  it('names columns that make each other up though none is left out', async () => {
    const copy = a.map(x => x + 0.005 * normal(random));
    const { notes } = await explained([a, b, copy], y);
    expect(notes).to.match(
      /^"a" and "c" make each other up, all but one part in \d+: rows tell what the two do together, and next to nothing of what each does, .* with intervals to match; leave one of them out, use its difference from the other in its place, or add `penalty`;/,
    );
    const sum = a.map((x, i) => x + b[i]! + 1e-4 * normal(random));
    expect((await explained([a, b, sum], y)).notes).to.match(
      /^"a", "b" and "c" make each other up, "\w" all but less than a millionth: rows tell what they do together/,
    );
  });

  it('says that a few whole targets may be codes of classes, unless they count something', async () => {
    const codes = a.map((x, i) => (x + b[i]! < -0.6 ? 0 : x + b[i]! < 0.6 ? 1 : 2));
    const told =
      'the target has 3 values, 0, 1 and 2, about equally often: if they are codes of classes, a line through them means nothing; fit whether a row is of a class, 1 for yes and 0 for no, for each class by itself';
    expect((await explained([a, b], codes)).notes).to.include(told);
    const counted = await explained([a, b], codes, { loss: lossByName('poisson') });
    expect(counted.notes).not.to.include('codes of classes');
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
      /^[23]\d of 60 rows are of the rarer class, but since the features tell most classes, these are worth about \d for 3 coefficients: coefficients are rough/,
    );
  });

  it('says that intervals under a penalty are about penalised coefficients', async () => {
    const { notes } = await explained([a, b], y, { penalty: 0.5 });
    expect(notes).to.match(
      /^`penalty: 0\.5` draws coefficients towards 0: the intervals are about the penalised/,
    );
  });

  it('warns of a column that is nearly always the same, where steps see fresh rows', async () => {
    const rare = a.map((_, i) => (i % 200 === 0 ? 1 : 0));
    const { notes } = await explained([a, b, rare], y, { mode: 'fresh' });
    expect(notes).to.match(
      /^"c" leaves its usual value in only \d of 600 pilot rows: its coefficient is rough/,
    );
    for (const mode of ['full', 'auto'] as const)
      expect((await explained([a, b, rare], y, { mode })).notes, mode).to.equal('');
  });

  it('says that classes are apart, or all the same, and that there are more coefficients than rows', async () => {
    const classes = a.map(value => (value > 0 ? 1 : 0));
    expect((await explained([a, b], classes)).notes).to.match(
      /^the classes of the pilot rows are told apart/,
    );
    expect((await explained([a, b], new Float64Array(rows))).notes).to.include('there is no finite estimate');
    const rarely = a.map(value => (value > 2.5 && Math.abs(value * 1000) % 1 < 0.3 ? 1 : 0));
    expect((await explained([a, b], rarely)).notes).to.equal('');
    const two = [a, b].map(column => column.subarray(0, 2));
    expect((await explained(two, y.subarray(0, 2))).notes).to.include('3 coefficients for 2 rows');
  });

  it('counts rows far from the fit, and says what the loss makes of them', async () => {
    const spoilt = y.map((value, i) => (i % 20 === 0 ? value + 100 : value));
    const open = await explained([a, b], spoilt);
    expect(open.notes).not.to.include('a law of their own');
    const third = y.map((value, i) => (i % 4 === 0 ? value + 100 : value));
    expect((await explained([a, b], third)).notes).to.include('so many may follow a law of their own');
    expect(open.notes).to.match(
      /^[3-7](\.\d+)? % of the pilot rows are further than 6 residual scales from the fit, and hardly count/,
    );
    const asked = await explained([a, b], spoilt, { loss: lossByName('squared') });
    expect(asked.notes).to.include('under the squared loss they pull the estimate');
    expect(asked.notes).to.include(
      "`loss: 'auto'` leaves them out, but follows the bulk of the rows then and not their mean, which is better only if they do not belong",
    );
    expect(asked.choices).not.to.include('loss ');
  });

  it('says that a robust fit is not the mean where targets scatter further to one side, and only there', async () => {
    const size = a.map(x => Math.exp(4.4 + 0.4 * x));
    const price = size.map((x, i) => 2500 * x * Math.exp(0.5 * b[i]!));
    const skewed =
      /^targets scatter further above the fit than below it: .* slopes too where noise depends on the features, and predicted means and sums are too small/m;
    const { notes } = await explained([size], price);
    expect(notes).to.match(skewed);
    expect(notes).to.include("intervals leave out what the choice of the loss adds; use `loss: 'squared'`");
    expect(notes).to.include(
      'for means, which counts rows far off in full, wrong ones too, or fit the logarithm of the target',
    );
    // One that leaves the long side out is further off the mean, and is told by how much.
    const tukey = await explained([size], price, { loss: lossByName('tukey', { parameter: 3e5 }) });
    expect(tukey.notes).to.match(
      /^targets scatter .* slopes too \(of "a", least squares, rows far off left aside, would make about \d+ instead of \d+\), and predicted means/m,
    );
    const sunk = await explained(
      [size],
      price.map(value => value - 2e5),
    );
    expect(sunk.notes).to.include('scatter further above').and.not.include('logarithm');
    const below = await explained(
      [size],
      price.map(value => -value),
    );
    expect(below.notes).to.match(
      /further below the fit than above it: .* predicted means and sums are too large.*; use `loss: 'squared'` for means, which counts rows far off in full, wrong ones too$/m,
    );
    const asked = await explained([size], price, { loss: lossByName('pseudo-huber', { parameter: 1e4 }) });
    expect(asked.notes).to.include('scatter further above').and.not.include('intervals leave out');
    const mean = await explained([size], price, { loss: lossByName('squared') });
    const logarithm = await explained([a], price.map(Math.log));
    for (const { notes } of [mean, logarithm]) expect(notes).not.to.include('scatter further');
  });

  it('tells where the mean goes another way than the bulk of the rows though it is not skewed', async () => {
    const responding = a.map((x, i) => x + (i % 10 === 0 && b[i]! > 0 ? 3 : 0) + 0.8 * normal(random));
    const treated = b.map(x => (x > 0 ? 1 : 0));
    const { notes } = await explained([a, treated], responding);
    expect(notes).to.match(
      /^the fit follows the bulk of the rows, and their mean goes another way: of "b", least squares(, rows far off left aside,)? would make about 0\.[23]\d* instead of 0\.1\d*, .*; use `loss: 'squared'` for means(, which counts .*)?$/m,
    );
    expect((await explained([a, b], y)).notes).not.to.include('another way');
  });

  it('names the loss of counts where skewed targets are whole numbers of 0 or more', async () => {
    const counts = a.map(x => Math.floor(-Math.log(1 - uniform(random)) * Math.exp(1.5 + 0.2 * x)));
    const { notes } = await explained([a], counts);
    expect(notes)
      .to.include('scatter further above')
      .and.include("or `loss: 'poisson'` if the target counts");
    expect(notes).not.to.include('logarithm');
    const alike = await explained(
      [a],
      a.map(() => -1000 * Math.log(1 - uniform(random))),
    );
    expect(alike.notes).to.include('slopes too where noise depends on the features');
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
      expect(notes, String(first)).not.to.include('scatter further');
    }
  });

  it('calls the level that others are told against the reference level', async () => {
    const levelOf = (k: number): Float64Array => a.map((_, i) => (i % 3 === k ? 1 : 0));
    const levels = [0, 1, 2].map(levelOf);
    const about = {
      names: ['c=red', 'c=green', 'c=blue', 'a', 'copy'],
      order: 'shuffle',
    } as const;
    const told = async (columns: readonly Float64Array[], intercept = true): Promise<string> => {
      const found = await estimate(samplesOf(sampleBatch(columns, y)), { intercept });
      return explainEstimate(found, { ...about, categorical: { c: ['red', 'green', 'blue'] } }).notes.join(
        '\n',
      );
    };
    expect((await told([...levels, a])).split('\n')[0]).to.equal(
      '"c=blue" is the reference level of "c": coefficients of its other levels are differences from it, and its own is 0',
    );
    expect(await told([...levels, a, a])).to.match(
      /^"c=blue" is the reference .*\n"copy" is a combination of/,
    );
    // The second of two equal levels is left out as well, and then neither is what the others are told against.
    expect(await told([levels[0]!, levels[0]!, levels[0]!, a])).to.include(
      '"c=green" and "c=blue" are combinations',
    );
    expect(await told([...levels, a], false)).to.equal('');
  });

  it('does not take outliers for skewed noise, in targets or in features', async () => {
    const raised = y.map((value, i) => (i % 10 === 0 ? value + 30 : value));
    expect((await explained([a, b], raised)).notes).not.to.include('scatter further');
    const out = a.map((x, i) => (i % 10 === 0 ? 10 : x));
    expect((await explained([out, b], raised)).notes).not.to.include('scatter further');
    const exact = a.map(x => 3 + x / 7);
    for (const options of [{}, { loss: lossByName('pseudo-huber') }])
      expect((await explained([a], exact, options)).notes).not.to.include('scatter further');
  });

  it('says that targets were cut off where many are at a bound', async () => {
    const { notes } = await explained(
      [a, b],
      y.map(value => Math.min(value, 6)),
    );
    expect(notes).to.match(
      /1\d(\.\d)? % of the pilot rows have 6 as their target, the largest of all, far more than have values next to it: if targets were cut off there, a line does not bend with them, slopes are too flat/,
    );
    const whole = await explained([a, b], y.map(Math.round));
    expect(whole.notes).to.not.include('cut off');
  });

  it('names a product of features beside noise that differs, for both make residuals larger in some rows', async () => {
    const random = seeded(1, 'product');
    const isNoisy = a.map(() => (uniform(random) < 0.25 ? 1 : 0));
    const bent = a.map((x, i) => x + isNoisy[i]! * (1 + 5 * b[i]!) + normal(random));
    const { choices } = await explained([a, isNoisy], bent);
    expect(choices).to.match(
      /^loss pseudo-huber\([\d.]+\): .* for noise differs or the fit misses a bend or a product of features/,
    );
  });

  it('says that rows look sorted where they are taken as they are, and only then', async () => {
    const sorted = Array.from({ length: rows }, (_, i) => i).sort((i, j) => y[i]! - y[j]!);
    const columns = [a, b].map(column => Float64Array.from(sorted, i => column[i]!));
    const target = Float64Array.from(sorted, i => y[i]!);
    const asIs = await explained(columns, target, { order: 'as-is', mode: 'fresh' });
    expect(asIs.notes).to.match(
      /the rows look sorted: .* neither the estimate nor its intervals hold; use `order: 'shuffle'`/,
    );
    const full = await explained(columns, target, { order: 'as-is', mode: 'full' });
    expect(full.notes).to.match(
      /rows in a random order would, and the intervals do not hold; use `order: 'shuffle'`/,
    );
    expect((await explained(columns, target)).notes).to.equal('');
    expect((await explained([a, b], y, { order: 'as-is' })).notes).to.equal('');
  });

  it('gives its reasons for a logistic and for a squared loss', async () => {
    const classes = a.map(x => (uniform(random) < 1 / (1 + Math.exp(-x)) ? 1 : 0));
    expect((await explained([a], classes)).choices).to.include(
      'loss logistic: every target of the pilot is 0 or 1',
    );
    const mostlyZero = a.map((x, i) => (i % 3 === 0 ? 5 + x : 0));
    expect((await explained([a], mostlyZero)).choices).to.include(
      'loss squared: most rows near a robust fit have one and the same target',
    );
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
      expect(choices).to.match(/^loss squared: the targets of the pilot have two values/);
      expect(notes).to.equal(
        `the target has two values, ${least} and ${most}: with 0 and 1 in their place a logistic fit would tell chances`,
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
    const { fit, pilot } = await estimate(samplesOf(sampleBatch([first, apart(1e-5)], target)));
    expect(pilot!.columns.dropped).to.deep.equal([]);
    expect(fit.theta[1]! * 1e-5).to.be.closeTo(1, 0.02);
    const nearly = await explained([first, apart(1e-6)], target);
    expect(nearly.notes).to.match(
      /^"b" is nearly a combination .* use its difference from them in its place/,
    );
    // What nearly collinear columns make up with large coefficients is found all the same.
    const made = await explained([first, apart(1e-5), other], target);
    expect(made.notes).to.match(/^"c" is a combination of other columns/);
    for (const offset of [0, 1e3, 1e6, 1e9]) {
      const far = [first, other].map(column => column.map(value => value + offset));
      const sum = await explained([...far, far[0]!.map((value, i) => 3 * value - far[1]![i]! + 5)], target);
      expect(sum.notes, `at ${offset}`).to.match(/^"c" is a combination of other columns/);
    }
  });

  it('names the columns that rows were passed over for, where these are many', async () => {
    const found = await estimate(samplesOf(sampleBatch([a, b], y)));
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
    expect(told(600, { a: 600 })).to.deep.equal([]);
    expect(told(9000, { a: 3000, b: 8400, y: 12 })).to.deep.equal([
      '9000 of 12000 rows, 75 %, do not count because a value is missing or cannot be used: "b" in 70 %, "a" in 25 % of the rows; a feature that lacks many is better left out by `features`, and where values are missing for a reason the other rows do not stand for all',
    ]);
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`x${k}`, 600 + k]));
    expect(told(4000, many)[0])
      .to.include('"x7" in 5.06 %,')
      .and.include('"x3" in 5.03 % and 3 more of the rows;');
  });

  it('names a value of a feature that seems to stand for what is missing', async () => {
    const coded = a.map((value, i) => (i % 20 === 0 ? -9 : value));
    const { notes } = await explained([coded, b], y);
    expect(notes).to.include(
      '"a" is -9 in 5 % of the pilot rows, far from its other values: if -9 stands for what is missing, these rows do not belong: this fit hardly counts them, for they are far from it, but other losses or targets would; leave them out, by `openSql` with WHERE "a" <> -9 for instance',
    );
    expect((await explained([a, b], y)).notes).not.to.include('stands for what is missing');
    const mean = await explained([coded, b], y, { loss: lossByName('squared') });
    expect(mean.notes).to.include('its coefficient is mostly made by these rows, and the others are off too');
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
      expect(notes).to.match(/^"a" is 999 in 5 % of the pilot rows, far from its other values/);
      expect(notes.split('\n')).to.have.length(1);
    }
    const both = await explained(
      [coded, b],
      y.map((value, i) => (i % 20 === 1 ? value + 100 : value)),
    );
    expect(both.notes).to.match(/^5 % of the pilot rows, besides those with a code, are further than 6/);
  });

  it('says that times were left out, and of those that were not what their unit is', async () => {
    const found = await estimate(samplesOf(sampleBatch([a, b], y)));
    const about = { names: ['a', 'sold'], order: 'shuffle' } as const;
    const out = explainEstimate(found, { ...about, passedOver: [{ name: 'sold', kind: 'time' }] });
    expect(out.notes).to.deep.equal([
      '"sold" holds dates or times and was left out: named in `features`, it counts as seconds since 1970',
    ]);
    expect(explainEstimate(found, { ...about, times: ['sold'] }).notes[0]).to.match(
      /^"sold" counts in seconds since 1970, so that its coefficient is per second/,
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
    expect(choices).to.include('a pilot of all 400000 rows, which the steps see again');
    expect(choices).to.match(/curvature; of 20000 rows, too few told of "b"$/m);
    expect((await explained([a, b], y)).choices).not.to.include('too few');
  });

  it('says why few rows a coefficient have a loss that hardly leaves any out', async () => {
    const few = (of: Float64Array) => of.subarray(0, 25);
    const { choices } = await explained([few(a), few(b)], few(y));
    expect(choices).to.match(/^loss tukey\(.*; fewer than 10 rows a coefficient are fitted all too well/m);
    expect((await explained([a, b], y)).choices).to.include('promises the least error');
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
    expect(choices).to.match(/each over all rows but 1 that does not fill a block$/m);
  });
});
