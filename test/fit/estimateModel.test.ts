import { expect } from 'chai';
import { estimateModel } from '../../src/fit/estimateModel.ts';
import { fitRows } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { l1Ball } from '../../src/method/constraint/l1Ball.ts';
import { lossByName, type NamedLoss } from '../../src/method/loss/lossByName.ts';
import { parseModel } from '../../src/model/model.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';

const random = seeded('estimateModel', 'rows');
const [a, b] = [0, 1].map(() => Float64Array.from({ length: 5000 }, () => normal(random)));
const rows = samplesOf(
  sampleBatch(
    [a!, b!],
    a!.map((value, i) => 2 * value - b![i]! + 7 + normal(random)),
  ),
);
const about = { target: 'y', names: ['a', 'b'] };

describe('estimateModel', () => {
  it('names coefficients and intervals, and accounts for every row', async () => {
    const found = await fitRows(rows);
    const model = estimateModel(found, about);
    expect(Object.values(model.coefficients)).to.deep.equal([...found.fit.theta.subarray(0, 2)]);
    expect(model.intercept).to.equal(found.fit.theta[2]);
    for (const [j, name] of ['a', 'b', '(intercept)'].entries()) {
      const { lower, upper } = found.uncertainty!;
      expect(model.uncertainty!.intervals[name]).to.deep.equal([lower[j], upper[j]]);
    }
    expect(model.rows).to.include({ read: 5000, used: found.fit.rows.used, invalid: 0 });
    expect(model.rows.leftOver).to.equal(0);
    expect(model.plan).to.include({ pilotRows: found.pilotRows, order: 'shuffle' });
    expect(model.ledger).to.include({ private: false, epsilon: null });
    expect(model.choices![0]).to.match(/^loss pseudo-huber\(/);
  });

  it('names the set that bounds the coefficients, and columns that were left out', async () => {
    const free = estimateModel(await fitRows(rows), about);
    expect(free).not.to.have.property('leftOut');
    expect(free.plan).not.to.have.property('set');
    const set = { kind: 'l1', radius: 1 } as const;
    const bound = estimateModel(await fitRows(rows, { constraint: l1Ball(1) }), { ...about, set });
    expect(bound.plan).to.include({ set: 'l1', radius: 1 });
    const twice = sampleBatch([a!, a!.map(value => 2 * value)], b!);
    const collinear = estimateModel(await fitRows(samplesOf(twice)), about);
    expect(collinear.leftOut).to.deep.equal(['b']);
    expect(collinear.coefficients.b).to.equal(0);
  });

  it('counts as left over what neither a step nor a pilot of its own rows used, nor was held out', async () => {
    const loss = lossByName('squared');
    const heldOut = { rows: 1003, use: async () => {} };
    const fresh = await fitRows(rows, { loss, mode: 'fresh', steps: 2, blocks: 11, heldOut });
    const inSteps = fresh.fit.steps.reduce((sum, step) => sum + step.rows, 0);
    const { used, leftOver } = estimateModel(fresh, { ...about, heldOut: 1003 }).rows;
    expect(used).to.equal(inSteps);
    expect(leftOver)
      .to.equal(5000 - 1003 - fresh.pilotRows - inSteps)
      .and.to.be.above(0);
    for (const [aggregate, over] of [
      ['mean', 0],
      ['median-of-means', 3997 % 11],
    ] as const) {
      const shared = await fitRows(rows, { loss, aggregate, blocks: 11, heldOut });
      expect(shared.layout.sharesPilot).to.equal(true);
      expect(estimateModel(shared, { ...about, heldOut: 1003 }).rows).to.include({
        used: 3997 - over,
        leftOver: over,
      });
    }
  });

  it('makes what a model file holds', async () => {
    const model = estimateModel(await fitRows(rows), about);
    expect(parseModel(JSON.stringify(model), 'it')).to.deep.equal(JSON.parse(JSON.stringify(model)));
  });

  it('tells of the columns that rows were passed over for', async () => {
    const unusable = [{ name: 'b', rows: 1000 }];
    const { notes } = estimateModel(await fitRows(rows), { ...about, invalid: 1000, unusable });
    expect(notes![0]).to.match(/^1000 of 5000 rows \(20 %\) were skipped .* \("b" 20 %\);/);
  });

  it('tells of columns that were left out unseen', async () => {
    const passedOver = [{ name: 'late', isBlank: true }, { name: 'town' }];
    const { notes } = estimateModel(await fitRows(rows), { ...about, passedOver });
    expect(notes).to.include(
      '"late" has no value in the first rows, by which numbers are recognised, and was left out; name it in `features` to use it as a number',
    );
    expect(notes!.join()).to.include('"town" is text and was left out').and.not.include('late" is text');
  });

  it('counts rows that were held out, and says nothing of a loss that was asked for', async () => {
    const heldOut = { rows: 1000, use: async () => {} };
    const loss = lossByName('squared');
    const found = await fitRows(rows, { loss, heldOut, aggregate: { huber: 0.1 }, orderSeed: '3' });
    const model = estimateModel(found, { ...about, heldOut: 1000, orderSeed: '3' });
    expect(model.rows.read).to.equal(5000);
    expect(model.plan).to.deep.include({ heldOut: 1000, orderSeed: '3', aggregate: { huber: 0.1 } });
    expect(model.choices!.join()).not.to.include('loss');
    expect(model.uncertainty).to.equal(undefined);
  });

  it('says why a loss was taken where it was left to the run, and not of one that was named', async () => {
    const counts = samplesOf(
      sampleBatch(
        [a!, b!],
        a!.map((value, i) => Math.floor(Math.exp(0.3 * value + 0.2 * b![i]! + Math.abs(normal(random))))),
      ),
    );
    const classes = samplesOf(
      sampleBatch(
        [a!, b!],
        a!.map(value => (value + normal(random) > 0 ? 1 : 0)),
      ),
    );
    // Heavy tails, whose note depends on the loss.
    const far = samplesOf(
      sampleBatch(
        [a!, b!],
        a!.map((value, i) => value + (i % 50 === 0 ? 40 : 1) * normal(random)),
      ),
    );
    const told = async (samples: Samples, loss: NamedLoss | 'auto') => {
      const { choices = [], notes = [] } = estimateModel(await fitRows(samples, { loss }), about);
      return { choices: choices.filter(choice => choice.startsWith('loss ')), notes: notes.join() };
    };
    for (const [samples, name, parameter] of [
      [rows, 'squared'],
      [rows, 'pseudo-huber', 1],
      [counts, 'poisson'],
      [classes, 'logistic'],
      [far, 'squared'],
      [far, 'pseudo-huber', 1],
    ] as const) {
      const loss = lossByName(name, parameter === undefined ? {} : { parameter });
      expect((await told(samples, loss)).choices, name).to.deep.equal([]);
    }
    expect((await told(rows, 'auto')).choices[0]).to.match(/^loss pseudo-huber\(/);
    expect((await told(classes, 'auto')).choices[0]).to.match(/^loss logistic: /);
    expect((await told(far, lossByName('squared'))).notes).to.include("`loss: 'auto'` bounds their influence");
    const robust = lossByName('pseudo-huber', { parameter: 1 });
    expect((await told(far, robust)).notes).to.match(/beyond 6 scales; their influence is bounded$/);
    expect((await told(far, 'auto')).notes).to.match(
      /^[12](\.\d+)? % of the pilot rows have no weight in the bisquare fit, which counts \S+ in the estimate, and bounded influence on Huber's fit, which counts the rest$/,
    );
  });
});
