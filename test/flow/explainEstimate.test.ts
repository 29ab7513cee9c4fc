import { expect } from 'chai';
import { type EstimateOptions, estimate } from '../../src/flow/estimate.ts';
import { explainEstimate } from '../../src/flow/explainEstimate.ts';
import { lossByName } from '../../src/loss/lossByName.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
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
    isLossOpen: options.loss === undefined,
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
    expect(choices).to.include('a pilot of 600 rows, which no step uses again');
    expect(choices).to.match(/steps \(newton\) on fresh chunks of \d+, \d+/);
    expect(choices).to.match(/\d+ blocks a step/);
  });

  it('names columns that are constant or made up of others', async () => {
    const flat = await explained([a, b, new Float64Array(rows).fill(7)], y);
    expect(flat.notes).to.match(/^"c" has one value in all 12000 pilot rows: its coefficient is 0$/);
    const sum = await explained([a, b, a.map((x, i) => x + b[i]!)], y);
    expect(sum.notes).to.include('"c" is a combination of other columns');
    expect(sum.notes).to.include('--ridge');
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
    expect(open.notes).to.match(
      /^[3-7](\.\d+)? % of the pilot rows are further than 6 residual scales from the fit, and hardly count/,
    );
    const asked = await explained([a, b], spoilt, { loss: lossByName('squared') });
    expect(asked.notes).to.include('under the squared loss they pull the estimate');
    expect(asked.notes).to.include('--loss auto leaves them out');
    expect(asked.choices).not.to.include('loss ');
  });

  it('says that rows look sorted where they are taken as they are, and only then', async () => {
    const sorted = Array.from({ length: rows }, (_, i) => i).sort((i, j) => y[i]! - y[j]!);
    const columns = [a, b].map(column => Float64Array.from(sorted, i => column[i]!));
    const target = Float64Array.from(sorted, i => y[i]!);
    const asIs = await explained(columns, target, { order: 'as-is' });
    expect(asIs.notes).to.match(/the rows look sorted: .* use --order shuffle/);
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

  it('says that few rows are all in the pilot', async () => {
    const head = (column: Float64Array): Float64Array => column.slice(0, 300);
    const { choices } = await explained([head(a), head(b)], head(y));
    expect(choices).to.include('a pilot of all 300 rows');
    expect(choices).to.include('each over all rows');
  });
});
