import { expect } from 'chai';
import { fitPrivate } from '../../../src/fit/private/fitPrivate.ts';
import { type PrivateRows, privateFitModel } from '../../../src/fit/private/privateFitModel.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { type Model, parseModel } from '../../../src/model/model.ts';
import { type PrivateOptions, planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { scalingOf } from '../../../src/sample/transform/scaling.ts';

const rows = 4000;
const random = seeded('privateFitModel', 'rows');
const [a, b] = [0, 1].map(() => Float64Array.from({ length: rows }, () => 2 * uniform(random) - 1));
const samples = samplesOf(
  sampleBatch(
    [a!, b!],
    a!.map((value, i) => 2 * value - b![i]! + 0.5 * normal(random)),
  ),
);
const bounds = { a: { least: -1, most: 1 }, b: { least: -1, most: 1 }, y: { least: -5, most: 5 } };
const loss = lossByName('pseudo-huber', { parameter: 1 });
const base: PrivateOptions = {
  rows,
  loss: lossByName('pseudo-huber', { parameter: 0.2 }).loss,
  scaling: scalingOf({
    features: 2,
    bounds: { intervals: [bounds.a, bounds.b] },
    target: bounds.y,
    intercept: true,
    scalesTarget: true,
  }),
  epsilon: 1,
  delta: 1e-6,
};

async function modelBy(
  more: Partial<PrivateOptions> = {},
  about: Partial<PrivateRows> = {},
): Promise<{ readonly model: Model; readonly theta: Float64Array }> {
  const options = { ...base, ...more };
  const plan = planPrivate(options);
  const found = await fitPrivate(samples, plan, { random: seeded('privateFitModel', 'noise') });
  const model = privateFitModel(found, plan, {
    target: 'y',
    names: ['a', 'b'],
    loss,
    asked: options,
    bounds,
    ...about,
  });
  return { model, theta: found.theta };
}

describe('privateFitModel', () => {
  it('names coefficients and intervals, and says what was spent and that a seed undoes it', async () => {
    const { model, theta } = await modelBy();
    expect(Object.values(model.coefficients)).to.deep.equal([...theta.subarray(0, 2)]);
    expect(model.intercept).to.equal(theta[2]);
    expect(model.uncertainty!.intervals).to.have.keys('a', 'b', '(intercept)');
    expect(model.rows).to.include({ read: rows, used: rows, leftOver: 0, invalid: null });
    expect(model.loss).to.deep.equal({ name: 'pseudo-huber', parameter: 1 });
    expect(model.ledger).to.include({ private: false, note: 'NOT PRIVATE (seeded)', unit: 'row' });
    expect(parseModel(JSON.stringify(model), 'it')).to.deep.equal(JSON.parse(JSON.stringify(model)));
  });

  it('tells why a kind of plan was taken, where it was left to the planner', async () => {
    const { model } = await modelBy();
    expect(model.choices).to.have.length(1);
    expect(model.choices![0]).to.match(/^calibration exact.*: predicted error .* against /);
    expect((await modelBy({ mode: 'full', calibration: 'exact' })).model).not.to.have.property('choices');
  });

  it('notes steps that did not converge, or coefficients on the boundary of their set, but not by a theorem', async () => {
    const few = { steps: 2, moments: 'no' } as const;
    const short = (await modelBy(few)).model.notes!;
    expect(short).to.have.length(1);
    expect(short[0]).to.match(/^the steps did not converge: .* because more steps were needed\. Errors are/);
    const set = { constraint: l2Ball(0.01), radius: 0.01 };
    const held = (await modelBy({ ...few, set }, { set: { kind: 'l2', radius: 0.01 } })).model;
    expect(held.notes).to.have.length(1);
    expect(held.notes![0]).to.match(/^coefficients ended on the boundary of their set, .* intervals do not allow/);
    const roomy = { constraint: l2Ball(2), radius: 2 };
    expect((await modelBy({ set: roomy })).model.notes ?? []).not.to.include(held.notes![0]);
    expect(held.plan).to.include({ set: 'l2', radius: 0.01 });
    const theorem = {
      label: 'it',
      given: {},
      claim: { quantity: '', bound: 1, failureProbability: 0.1 },
      conditions: [],
    };
    const told = await modelBy(few, { theorem: theorem as unknown as NonNullable<PrivateRows['theorem']> });
    expect(told.model).not.to.have.property('notes');
  });

  it('notes that a penalty shrinks coefficients, in units of the bounds', async () => {
    const penalised = ridge(base.loss, 0.05);
    const { model } = await modelBy({ loss: penalised });
    expect(model.loss).to.include({ ridge: 0.05 });
    expect(model.notes).to.have.length(1);
    expect(model.notes![0]).to.match(
      /^`penalty: 0\.05` shrinks coefficients towards 0, in units of the declared bounds .*; the intervals are about the penalised/,
    );
    // Of this method no error is predicted, so that there are no intervals.
    const set = { constraint: l2Ball(1), radius: 1 };
    const bare = await modelBy({ loss: penalised, method: 'frank-wolfe', steps: 5, set });
    expect(bare.model).not.to.have.property('uncertainty');
    expect(bare.model.notes![0]).to.match(/^`penalty: 0\.05` .* instead of those of the data$/);
  });

  it('names the features of which noise hides how much they vary', async () => {
    const within = (most: number) => ({ least: -most, most });
    const scalingWith = (ofA: number, ofB: number) =>
      scalingOf({
        features: 2,
        bounds: { intervals: [within(ofA), within(ofB)] },
        target: bounds.y,
        intercept: true,
        scalesTarget: true,
      });
    const one = (await modelBy({ scaling: scalingWith(1, 200), epsilon: 3 })).model;
    expect(one.notes!.join('\n')).to.match(
      /^noise hides how much b varies: its coefficient is shrunk towards 0, and its interval assumes, like the intercept's, no larger effect/m,
    );
    const both = (await modelBy({ scaling: scalingWith(200, 200), epsilon: 3 })).model.notes!;
    expect(both.join(' ')).to.match(/noise hides (how much a and b vary|every slope)/);
    expect((await modelBy({ epsilon: 3 })).model).not.to.have.property('notes');
  });

  it('notes that noise hides all, after what should be told of the request', async () => {
    const { model } = await modelBy({ epsilon: 0.02, moments: 'yes' }, { warnings: ['beware'] });
    expect(model.notes).to.have.length(2);
    expect(model.notes![0]).to.equal('beware');
    expect(model.notes![1]).to.match(/^noise hides every slope/);
  });

  it('refuses the plan of another run, whose epsilon would be the wrong one', async () => {
    const [weak, strong] = [planPrivate({ ...base, epsilon: 8 }), planPrivate(base)];
    const found = await fitPrivate(samples, weak);
    const about = { target: 'y', names: ['a', 'b'], loss, asked: base, bounds };
    expect(() => privateFitModel(found, strong, about)).to.throw('give the plan that the fit was made with');
    const model = privateFitModel(found, weak, about);
    expect(model.ledger.epsilon).to.equal(8);
    expect(model.ledger.mu).to.be.closeTo(weak.noise.mu, 1e-9);
  });

  it('states no epsilon that the noise does not keep, and no unit that the plan does not protect', async () => {
    const plan = planPrivate(base);
    const found = await fitPrivate(samples, plan);
    const about = { target: 'y', names: ['a', 'b'], loss, asked: base, bounds };
    const boasting = { ...plan, plan: { ...plan.plan, privacy: { ...plan.plan.privacy!, epsilon: 0.1 } } };
    expect(() => privateFitModel(found, boasting, about)).to.throw('the ledger.mu must be at most');
    expect(() => privateFitModel(found, plan, { ...about, unit: 'person' })).to.throw(
      '`unit` must be left out where the plan protects single rows, got "person"; plan with `unitRows`',
    );
  });
});
