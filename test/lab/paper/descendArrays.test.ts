import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { descendArrays } from '../../../src/lab/paper/descendArrays.ts';
import { cholesky } from '../../../src/math/cholesky.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { type Random, uniform as uniformDraw } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { addScaled, distance, dot, maxNorm, norm, type Vector } from '../../../src/math/vector.ts';
import { box } from '../../../src/method/constraint/box.ts';
import type { Constraint } from '../../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import type { Loss } from '../../../src/method/loss/loss.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { frankWolfe } from '../../../src/method/rule/frankWolfe.ts';
import { preconditioned } from '../../../src/method/rule/inCoordinates.ts';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import type { UpdateRule } from '../../../src/method/rule/updateRule.ts';
import { type FitOptions, planFit } from '../../../src/plan/planFit.ts';
import { geometricChunks } from '../../../src/plan/schedule.ts';
import { simulatedGaussian } from '../../../src/privacy/simulatedGaussian.ts';
import { type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { casesOf, holdsForAll } from '../../laws/holdsForAll.ts';
import { flat, type Rows, solveBy } from '../../support/linearAlgebra.ts';

const FEATURES = 4;

/** Correlated rows, and targets by the given response to their score. */
function rowsOf(rows: number, seed: number, response: (random: Random, score: number) => number): SampleBatch {
  const random = seeded(seed, 'descent');
  const truth = [1, -0.5, 0.25, 0.8];
  const columns = Array.from({ length: FEATURES }, () => new Float64Array(rows));
  const target = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const common = normal(random);
    columns.forEach((column, j) => {
      column[i] = 0.4 * common + (0.5 + 0.1 * j) * normal(random);
    });
    target[i] = response(
      random,
      columns.reduce((sum, column, j) => sum + truth[j]! * column[i]!, 0),
    );
  }
  return sampleBatch(columns, target);
}

const linearRows = (rows: number, seed = 1) => rowsOf(rows, seed, (random, score) => score + normal(random));

/** X'X/n. */
const gram = ({ columns, rows }: SampleBatch): Rows =>
  columns.map(a => Float64Array.from(columns, b => dot(a, b) / rows));

/** (X'X/n + gamma I)^-1 X'y/n. */
function normalEquations(data: SampleBatch, gamma = 0): Vector {
  const matrix = gram(data).map((row, i) => row.map((value, j) => value + (i === j ? gamma : 0)));
  return solveBy(
    matrix,
    Float64Array.from(data.columns, column => dot(column, data.target) / data.rows),
  );
}

/** The gradient of the mean loss, row by row. */
function fullGradient({ columns, target, rows }: SampleBatch, loss: Loss, theta: Vector): Vector {
  const gradient = new Float64Array(theta.length);
  for (let i = 0; i < rows; i++) {
    const score = columns.reduce((sum, column, j) => sum + column[i]! * theta[j]!, 0);
    const slope = loss.slope(score, target[i]!);
    columns.forEach((column, j) => {
      gradient[j]! += (slope * column[i]!) / rows;
    });
  }
  return addScaled(gradient, loss.penalty, theta);
}

/** Runs without noise, every step a plain mean over all rows. */
const descendFully = (data: SampleBatch, loss: Loss, rule: UpdateRule, steps: number): Vector =>
  descendArrays(
    data,
    planFit({ rows: data.rows, features: FEATURES, loss, rule, steps, mode: 'full', aggregate: 'mean' }),
  ).at(-1)!.theta;

describe('descendArrays, on all rows and without noise', () => {
  const data = linearRows(80);
  // The trace bounds the largest eigenvalue.
  const trace = gram(data).reduce((sum, row, j) => sum + row[j]!, 0);
  const rules: readonly [name: string, (smoothness: number) => UpdateRule, steps: number][] = [
    ['projected gradient', smoothness => projectedGradient({ stepSize: 1 / smoothness }), 1500],
    ['Nesterov with a constant momentum', smoothness => nesterov({ stepSize: 1 / smoothness, momentum: 0.7 }), 500],
    [
      'Nesterov with an increasing momentum',
      smoothness => nesterov({ stepSize: 1 / smoothness, momentum: 'increasing' }),
      3000,
    ],
  ];

  for (const [name, rule, steps] of rules) {
    it(`solves least squares by ${name}`, () => {
      const solution = normalEquations(data);
      expect(norm(solution)).to.be.above(0.5);
      expect(distance(descendFully(data, squared(), rule(trace), steps), solution)).to.be.below(1e-8);
    });

    it(`solves ridge regression by ${name}`, () => {
      const solution = normalEquations(data, 0.3);
      expect(distance(solution, normalEquations(data))).to.be.above(0.1);
      const found = descendFully(data, ridge(squared(), 0.3), rule(trace + 0.3), steps);
      expect(distance(found, solution)).to.be.below(1e-8);
    });
  }

  it('solves both in a single step that is preconditioned by their Hessian', () => {
    for (const gamma of [0, 0.3]) {
      const hessian = gram(data).map((row, i) => row.map((value, j) => value + (i === j ? gamma : 0)));
      const rule = preconditioned(projectedGradient({ stepSize: 1 }), cholesky(flat(hessian), FEATURES)!);
      const found = descendFully(data, ridge(squared(), gamma), rule as UpdateRule, 1);
      expect(distance(found, normalEquations(data, gamma))).to.be.below(1e-12);
    }
  });

  it('fits an intercept as it fits a feature of ones, and leaves it out of the penalty', () => {
    const shifted = sampleBatch(
      data.columns,
      data.target.map(y => y + 3),
    );
    const ones = [...data.columns, new Float64Array(data.rows).fill(1)];
    for (const gamma of [0, 0.3]) {
      const hessian = gram({ ...shifted, columns: ones }).map((row, i) =>
        row.map((value, j) => value + (i === j && i < FEATURES ? gamma : 0)),
      );
      const moment = Float64Array.from(ones, column => dot(column, shifted.target) / data.rows);
      const plan = planFit({
        rows: data.rows,
        features: FEATURES,
        intercept: true,
        loss: ridge(squared(), gamma),
        rule: nesterov({ stepSize: 1 / (trace + 1.3), momentum: 0.7 }) as UpdateRule,
        steps: 800,
        mode: 'full',
        aggregate: 'mean',
      });
      const found = descendArrays(shifted, plan).at(-1)!.theta;
      expect(found).to.have.length(FEATURES + 1);
      expect(distance(found, solveBy(hessian, moment))).to.be.below(1e-8);
      expect(found[FEATURES]).to.be.above(2);
    }
  });

  const losses: readonly [loss: Loss, curvature: number, data: SampleBatch][] = [
    [logistic(), 1 / 4, rowsOf(80, 2, (random, score) => Number(uniformDraw(random) < 1 / (1 + Math.exp(-score))))],
    [poisson(), 8, rowsOf(80, 3, (random, score) => Math.floor(Math.exp(score / 2) + uniformDraw(random)))],
    [pseudoHuber(0.2), 1, linearRows(80, 4)],
    [ridge(logistic(), 0.1), 1 / 4, rowsOf(80, 5, random => Number(uniformDraw(random) < 0.3))],
  ];
  for (const [loss, curvature, rows] of losses) {
    for (const [name, rule, steps] of rules) {
      it(`reaches a point where the gradient of ${loss.name} vanishes, by ${name}`, () => {
        const start = norm(fullGradient(rows, loss, new Float64Array(FEATURES)));
        const bound = curvature * gram(rows).reduce((sum, row, j) => sum + row[j]!, 0) + loss.penalty;
        const found = descendFully(rows, loss, rule(bound), 6 * steps);
        expect(start).to.be.above(1e-2);
        expect(norm(fullGradient(rows, loss, found))).to.be.below(1e-8);
      });
    }
  }

  /** For each set, max over its members z of g.(theta - z), written out. */
  const sets: readonly [Constraint, gap: (gradient: Vector, theta: Vector) => number][] = [
    [l2Ball(0.5), (g, theta) => dot(g, theta) + 0.5 * norm(g)],
    [l1Ball(0.7), (g, theta) => dot(g, theta) + 0.7 * maxNorm(g)],
    [
      box(Float64Array.of(-0.2, -0.2, 0.1, -1), Float64Array.of(0.2, 0.2, 0.3, 1)),
      (g, theta) =>
        dot(g, theta) +
        g.reduce(
          (sum, slope, j) => sum - Math.min(slope * [-0.2, -0.2, 0.1, -1][j]!, slope * [0.2, 0.2, 0.3, 1][j]!),
          0,
        ),
    ],
  ];
  for (const [constraint, gapAt] of sets) {
    it(`finds the best point of ${constraint.name}: gradient.(z - theta) >= 0 for every z in it`, () => {
      const rule = projectedGradient({ stepSize: 1 / trace, constraint });
      const found = descendFully(data, squared(), rule, 1500);
      expect(constraint.contains(normalEquations(data))).to.equal(false);
      expect(constraint.contains(found)).to.equal(true);
      expect(gapAt(fullGradient(data, squared(), found), found)).to.be.within(-1e-12, 1e-8);
    });

    it(`closes in on the best point of ${constraint.name} by Frank-Wolfe, with an excess of at most 2 L diameter^2/(T + 2)`, () => {
      const rule = projectedGradient({ stepSize: 1 / trace, constraint });
      const best = descendFully(data, squared(), rule, 1500);
      const risk = (theta: Vector) => {
        const scores = data.target.map((_, i) =>
          data.columns.reduce((sum, column, j) => sum + column[i]! * theta[j]!, 0),
        );
        return scores.reduce((sum, score, i) => sum + (score - data.target[i]!) ** 2 / 2 / data.rows, 0);
      };
      for (const steps of [10, 100, 1000]) {
        const found = descendFully(data, squared(), frankWolfe({ constraint }) as UpdateRule, steps);
        const bound = (2 * trace * constraint.diameter ** 2) / (steps + 2);
        expect(risk(found) - risk(best)).to.be.within(-1e-12, bound);
      }
    });
  }
});

/**
 * A squared loss whose targets are row numbers, each noted when it is used; the rule opens a new page for every step.
 */
function noted(rows: number): { data: SampleBatch; loss: Loss; rule: UpdateRule; pages: number[][] } {
  const pages: number[][] = [];
  const inner = projectedGradient({ stepSize: 1e-6 }) as UpdateRule;
  return {
    data: sampleBatch(
      [new Float64Array(rows).fill(1), Float64Array.from({ length: rows }, (_, i) => Math.sin(i))],
      Float64Array.from({ length: rows }, (_, i) => i),
    ),
    loss: {
      ...squared(),
      name: 'noted',
      slope(score, target) {
        pages.at(-1)!.push(target);
        return score - target;
      },
    },
    rule: {
      ...inner,
      query(state) {
        pages.push([]);
        return inner.query(state);
      },
    },
    pages,
  };
}

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('the rows of descendArrays', () => {
  const settings = fc.record({
    steps: fc.integer({ min: 1, max: 8 }),
    blocks: fc.integer({ min: 1, max: 6 }),
    more: fc.integer({ min: 0, max: 300 }),
    ratio: fc.constantFrom(1, 0.8, 0.4),
    aggregate: fc.constantFrom('mean', 'median-of-means', 'huber'),
  });

  it('enter one step at most in fresh mode: its own chunk, in order, but for rows that fill no block', () => {
    let noneLeft = 0;
    holdsForAll(
      fc.property(settings, ({ steps, blocks, more, ratio, aggregate }) => {
        const rows = 2 * blocks * steps + more;
        const schedule = geometricChunks({ rows: rows - (more % 3), steps, ratio, least: 2 * blocks });
        const { data, loss, rule, pages } = noted(rows);
        const plan = planFit({
          rows,
          features: 2,
          loss,
          rule,
          steps,
          schedule,
          blocks,
          aggregate: aggregate === 'huber' ? { huber: 0.1 } : (aggregate as 'mean'),
        });
        const iterates = descendArrays(data, plan);
        let offset = 0;
        schedule.chunks.forEach((size, t) => {
          const used = iterates[t + 1]!.rows;
          expect(ascending(pages[t]!)).to.deep.equal(range(offset, offset + used));
          expect(used).to.be.within(size - blocks + 1, size);
          offset += size;
        });
        expect(pages).to.have.length(steps);
        expect(new Set(pages.flat()).size).to.equal(pages.flat().length);
        const counted = iterates.reduce((sum, iterate) => sum + iterate.rows, 0);
        expect(counted + plan.leftOver).to.equal(rows);
        expect(counted).to.equal(pages.flat().length);
        if (plan.leftOver === 0) noneLeft++;
      }),
    );
    expect(noneLeft).to.be.within(casesOf(50), casesOf(450));
  });

  it('enter every step in full mode, all but those that fill no block', () => {
    const { data, loss, rule, pages } = noted(103);
    const plan = planFit({ rows: 103, features: 2, loss, rule, steps: 5, mode: 'full', blocks: 10 });
    const iterates = descendArrays(data, plan);
    expect(pages.map(ascending)).to.deep.equal(Array(5).fill(range(0, 100)));
    expect(iterates.map(({ rows }) => rows)).to.deep.equal([0, 100, 100, 100, 100, 100]);
    expect(plan.leftOver).to.equal(3);
  });

  it('are seen by no step before their own: changing a chunk changes nothing that came earlier', () => {
    const plan = planFit({
      rows: 240,
      features: FEATURES,
      loss: squared(),
      rule: projectedGradient({ stepSize: 0.1 }),
      steps: 6,
      blocks: 5,
    });
    const data = linearRows(240);
    const before = descendArrays(data, plan);
    for (let changed = 0; changed < 6; changed++) {
      const target = data.target.slice();
      target.fill(1e6, 40 * changed, 40 * changed + 40);
      const after = descendArrays(sampleBatch(data.columns, target), plan);
      for (let t = 0; t <= 6; t++) {
        const same = distance(after[t]!.theta, before[t]!.theta) === 0;
        expect(same, `step ${t} after a change of chunk ${changed}`).to.equal(t <= changed);
      }
    }
  });
});

describe('descendArrays', () => {
  const data = linearRows(300);
  const common: FitOptions = {
    rows: 300,
    features: FEATURES,
    loss: squared(),
    rule: nesterov({ stepSize: 0.5, momentum: 'increasing' }) as UpdateRule,
    steps: 6,
    failureProbability: 0.3,
  };

  it('gives the same bits for the same rows, plan and seed, and others for another seed', () => {
    const plan = planFit({ ...common, privacy: { epsilon: 1, delta: 1e-3, lipschitz: 1 } });
    const run = (seed: number) =>
      descendArrays(data, plan, simulatedGaussian(seeded(seed, 'noise'))).map(({ theta }) => theta);
    expect(run(1)).to.deep.equal(run(1));
    expect(run(2)).not.to.deep.equal(run(1));
  });

  it('adds gamma theta to the gradient at the point where that is taken, after the estimate', () => {
    const loss = ridge(squared(), 0.7);
    const inner = common.rule;
    const explicit: UpdateRule = {
      ...inner,
      step: (state, { values, privacy }) =>
        inner.step(state, { values: addScaled(values, 0.7, inner.query(state)), privacy }),
    };
    for (const aggregate of ['mean', 'median-of-means', { huber: 0.05 }] as const) {
      const penalized = descendArrays(data, planFit({ ...common, loss, aggregate }));
      const byHand = descendArrays(data, planFit({ ...common, rule: explicit, aggregate }));
      const without = descendArrays(data, planFit({ ...common, aggregate }));
      expect(penalized.map(({ theta }) => theta)).to.deep.equal(byHand.map(({ theta }) => theta));
      expect(penalized.at(-1)!.theta).not.to.deep.equal(without.at(-1)!.theta);
    }
  });

  it('takes the median of one block for its mean', () => {
    const byMean = descendArrays(data, planFit({ ...common, aggregate: 'mean' }));
    const byMedian = descendArrays(data, planFit({ ...common, aggregate: 'median-of-means', blocks: 1 }));
    byMean.forEach(({ theta }, t) => {
      expect(distance(theta, byMedian[t]!.theta)).to.be.below(1e-14);
    });
    const byBlocks = descendArrays(data, planFit({ ...common, blocks: 5 }));
    expect(distance(byBlocks.at(-1)!.theta, byMean.at(-1)!.theta)).to.be.above(1e-4);
  });

  it('adds noise of the planned deviation to the mean of every block', () => {
    // One step of length 1 from 0, with rows of 0: the iterate is minus the noise alone.
    const rows = 40;
    const silent = sampleBatch(
      Array.from({ length: 5000 }, () => new Float64Array(rows)),
      new Float64Array(rows),
    );
    const plan = planFit({
      rows,
      features: 5000,
      loss: squared(),
      rule: projectedGradient({ stepSize: 1 }),
      steps: 1,
      mode: 'full',
      aggregate: 'mean',
      privacy: { epsilon: 1, delta: 1e-3, lipschitz: 3 },
    });
    const [, { theta } = { theta: new Float64Array() }] = descendArrays(
      silent,
      plan,
      simulatedGaussian(seeded(1, 'noise')),
    );
    const { sigma } = plan.steps[0]!.release!;
    // chi^2 of 5,000 degrees within 0.2 of 1, ten of its deviations: a false alarm rate below 1e-20.
    expect(dot(theta, theta) / 5000 / sigma ** 2).to.be.within(0.8, 1.2);
  });

  it('charges every release before it is made: the ledger of iterate t holds the first t', () => {
    const releases: number[] = [];
    const inner = simulatedGaussian(seeded(1, 'noise'));
    const plan = planFit({ ...common, privacy: { epsilon: 1, delta: 1e-3, lipschitz: 1 } });
    const iterates = descendArrays(data, plan, {
      ...inner,
      event(release) {
        releases.push(release.chunk as number);
        return inner.event(release);
      },
      perturb(sums, release) {
        expect(releases.at(-1)).to.equal(release.chunk);
        return inner.perturb(sums, release);
      },
    });
    expect(releases).to.deep.equal(range(0, 6));
    iterates.forEach(({ step, ledger }, t) => {
      expect(step).to.equal(t);
      expect(ledger.entries.map(({ chunk }) => chunk)).to.deep.equal(range(0, t));
    });
  });

  it('is not private without noise, or with noise that is only simulated', () => {
    const without = descendArrays(data, planFit(common));
    const plan = planFit({ ...common, privacy: { epsilon: 1, delta: 1e-3, lipschitz: 1 } });
    const simulated = descendArrays(data, plan, simulatedGaussian(seeded(1, 'noise')));
    expect(without.at(-1)!.ledger.entries.at(-1)).to.deep.equal({
      kind: 'nonPrivate',
      chunk: 5,
      reason: 'no noise',
    });
    for (const iterates of [without, simulated]) {
      expect(iterates[0]!.ledger.isPrivate).to.equal(true);
      for (const { ledger } of iterates.slice(1)) expect(ledger.isPrivate).to.equal(false);
    }
  });

  it('writes to no row and not to the plan', () => {
    const rows = linearRows(300);
    const plan = planFit({ ...common, start: Float64Array.of(1, 2, 3, 4) });
    descendArrays(rows, plan);
    expect(rows).to.deep.equal(linearRows(300));
    expect(plan.start).to.deep.equal(Float64Array.of(1, 2, 3, 4));
  });

  it("refuses rows and features other than the plan's, and a private plan without a mechanism", () => {
    for (const rows of [299, 301]) {
      expect(() => descendArrays(linearRows(rows), planFit(common))).to.throw(
        ArgumentError,
        `data must have the plan's 300 rows, got ${rows}`,
      );
    }
    const narrow = sampleBatch(data.columns.slice(1), data.target);
    expect(() => descendArrays(narrow, planFit(common))).to.throw(
      ArgumentError,
      'the length of data.columns must be 4, got 3',
    );
    const plan = planFit({ ...common, privacy: { epsilon: 1, delta: 1e-3, lipschitz: 1 } });
    expect(() => descendArrays(data, plan)).to.throw(ArgumentError, 'needs a mechanism, got none');
  });
});
