import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { requireRule, ruleOf } from '../../src/fit/ruleOf.ts';
import type { ConstrainedPilot } from '../../src/inference/pilot/constrainedPilot.ts';
import type { Pilot } from '../../src/inference/pilot/studyPilot.ts';
import { allButLast } from '../../src/method/constraint/allButLast.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import type { UpdateRule } from '../../src/method/rule/updateRule.ts';
import type { StepSettings } from '../../src/plan/stepSettings.ts';

/**
 * A risk of curvature A = (4, 2; 2, 5) around its minimum. P = (1/2, -1/4; 0, 1/2), by hand, has P'AP = I.
 */
const minimum = [3, -1] as const;
const gradientAt = (theta: ArrayLike<number>, centre: ArrayLike<number> = minimum): Float64Array => {
  const [a, b] = [theta[0]! - centre[0]!, theta[1]! - centre[1]!];
  return Float64Array.of(4 * a + 2 * b, 2 * a + 5 * b);
};
const coordinates = {
  size: 2,
  rank: 2,
  toTheta: (phi: Float64Array) => Float64Array.of(phi[0]! / 2 - phi[1]! / 4, phi[1]! / 2),
  ofGradient: (g: Float64Array) => Float64Array.of(g[0]! / 2, -g[0]! / 4 + g[1]! / 2),
};

/** As much of a pilot of 50 rows as rules need. */
const pilotOf = (estimate: Partial<Pilot['estimate']> = {}): Pilot =>
  ({
    rows: { count: 50 },
    estimate: { coordinates, noise: 1e6, isMinimum: true, blend: null, ...estimate },
  }) as unknown as Pilot;

const fresh = (chunks: readonly number[], blocks = 1): StepSettings['layout'] =>
  ({
    pilotRows: 50,
    rows: chunks.reduce((sum, rows) => sum + rows, 0),
    sharesPilot: false,
    mode: 'fresh',
    steps: chunks.length,
    blocks,
    schedule: { chunks },
  }) as unknown as StepSettings['layout'];

const full = (rows: number, steps: number, blocks: number, sharesPilot = false): StepSettings['layout'] =>
  ({ pilotRows: 50, rows, sharesPilot, mode: 'full', steps, blocks, schedule: null }) as const;

const settingsOf = (given: Partial<StepSettings> = {}): StepSettings => ({
  layout: full(1000, 2, 1),
  intercept: false,
  method: 'auto',
  aggregate: 'auto',
  ...given,
});

/** The estimate after each step, and the rows behind the last; gradients are those of the risk around each centre. */
function walk(
  rule: UpdateRule,
  start: readonly number[],
  gradients: readonly ((at: ArrayLike<number>) => Float64Array)[],
) {
  let state = rule.init(Float64Array.from(start));
  const estimates = gradients.map(gradient => {
    state = rule.step(state, { values: gradient(rule.query(state)), privacy: 'raw' });
    return [...rule.iterate(state)];
  });
  return { estimates, rows: rule.rowsBehind?.(state) };
}

const expectClose = (found: ArrayLike<number>, expected: readonly number[]): void => {
  expect(found).to.have.length(expected.length);
  expected.forEach((value, j) => {
    expect(found[j]).to.be.closeTo(value, 1e-12 * Math.max(1, Math.abs(value)), `coordinate ${j}`);
  });
};

describe('ruleOf', () => {
  it('steps by a given size down the gradient, over all of R^p', () => {
    const rule = ruleOf(settingsOf({ stepSize: 0.1 }), null, null);
    const { estimates } = walk(rule, [1, 1], [gradientAt, gradientAt]);
    // By hand: theta - 0.1 A (theta - minimum).
    expectClose(estimates[0]!, [1 - 0.1 * (4 * -2 + 2 * 2), 1 - 0.1 * (2 * -2 + 5 * 2)]);
    expectClose(estimates[1]!, [1.4 - 0.1 * (4 * -1.6 + 2 * 1.4), 0.4 - 0.1 * (2 * -1.6 + 5 * 1.4)]);
  });

  it('holds slopes to a set, and leaves the intercept free', () => {
    const settings = settingsOf({ stepSize: 1, intercept: true, constraint: l2Ball(5) });
    const { estimates } = walk(ruleOf(settings, null, null), [0, 0, 0], [() => Float64Array.of(-6, 8, -100)]);
    expectClose(estimates[0]!, [3, -4, 100]);
    const bare = ruleOf({ ...settings, intercept: false, constraint: l2Ball(1) }, null, null);
    expectClose(walk(bare, [0, 0], [() => Float64Array.of(-6, 8)]).estimates[0]!, [0.6, -0.8]);
  });

  it("is Newton's method in a pilot's coordinates: one step to the minimum, from anywhere", () => {
    for (const method of ['auto', 'gradient'] as const) {
      const rule = ruleOf(settingsOf({ method, layout: full(1000, 1, 1) }), pilotOf({ isMinimum: false }), null);
      const { estimates, rows } = walk(rule, [-70, 40], [gradientAt]);
      expectClose(estimates[0]!, [...minimum]);
      expect(rows).to.equal(1000);
    }
  });

  it('weighs the start and the estimates of fresh chunks by their rows that fill blocks', () => {
    const centres = [
      [1, 0],
      [0, 2],
    ];
    const rule = ruleOf(settingsOf({ layout: fresh([103, 307], 10) }), pilotOf(), null);
    const { estimates, rows } = walk(
      rule,
      [4, 4],
      centres.map(centre => at => gradientAt(at, centre)),
    );
    // 50, 100 and 300 rows.
    expectClose(estimates[0]!, [(50 * 4 + 100 * 1) / 150, (50 * 4 + 0) / 150]);
    expectClose(estimates[1]!, [(50 * 4 + 100 * 1) / 450, (50 * 4 + 300 * 2) / 450]);
    expect(rows).to.equal(450);
  });

  it("does not weigh a start that is no minimum of the pilot's rows, was given, or shares them", () => {
    const centre = [1, 0];
    const ended = (settings: Partial<StepSettings>, pilot: Pilot) =>
      walk(
        ruleOf(settingsOf({ layout: fresh([100]), ...settings }), pilot, null),
        [4, 4],
        [at => gradientAt(at, centre)],
      );
    for (const { estimates, rows } of [
      ended({}, pilotOf({ isMinimum: false })),
      ended({ start: Float64Array.of(4, 4) }, pilotOf()),
      ended({ layout: full(100, 1, 1, true) }, pilotOf()),
    ]) {
      expectClose(estimates[0]!, centre);
      expect(rows).to.equal(100);
    }
  });

  it('counts the last of steps over all rows only, and rows that fill no block where a mean adds them', () => {
    const centres = [
      [9, 9],
      [1, 0],
    ];
    const steps = centres.map(centre => (at: ArrayLike<number>) => gradientAt(at, centre));
    const ended = (aggregate: StepSettings['aggregate']) =>
      walk(ruleOf(settingsOf({ layout: full(1003, 2, 10), aggregate }), pilotOf(), null), [4, 4], steps);
    const byMedian = ended('median-of-means');
    expectClose(byMedian.estimates[0]!, [4, 4]);
    expectClose(byMedian.estimates[1]!, [(50 * 4 + 1000 * 1) / 1050, (50 * 4) / 1050]);
    const byMean = ended('auto');
    expect([byMedian.rows, byMean.rows]).to.deep.equal([1050, 1053]);
  });

  it('starts the average anew where a step ends far beyond the noise', () => {
    const rule = ruleOf(settingsOf({ layout: fresh([100]) }), pilotOf({ noise: 1e-6 }), null);
    expectClose(walk(rule, [4, 4], [gradientAt]).estimates[0]!, [...minimum]);
  });

  it('goes over a set to its nearest point in the norm of the curvature there, in centred features', () => {
    // Slope and intercept of a feature centred at 10, with curvature (4, 0; 0, 1); the slope is at most 1.
    const constrained: ConstrainedPilot = {
      pilot: pilotOf(),
      curvature: Float64Array.of(4, 0, 0, 1),
      centres: Float64Array.of(10),
      constraint: allButLast(l2Ball(1)),
    };
    const settings = settingsOf({ intercept: true, layout: full(1000, 1, 1, true) });
    const rule = ruleOf(settings, constrained.pilot, constrained);
    // With u = theta_1 + 10 theta_0: risk 2 (theta_0 - 3)^2 + (u - 7)^2/2, whose minimum over the set is theta_0 = 1, u = 7.
    const { estimates } = walk(
      rule,
      [0, 0],
      [
        at => {
          const [ofSlope, ofCentre] = [4 * (at[0]! - 3), at[1]! + 10 * at[0]! - 7];
          return Float64Array.of(ofSlope + 10 * ofCentre, ofCentre);
        },
      ],
    );
    expectClose(estimates[0]!, [1, 7 - 10]);
  });

  it('refuses what no pilot could mend before any row is read, and a missing step size without a pilot', () => {
    const refused: [Partial<StepSettings>, string][] = [
      [{ momentum: 0.5 }, 'momentum is a part of method nesterov'],
      [{ method: 'frank-wolfe' }, 'needs a bounded constraint'],
      [{ method: 'frank-wolfe', constraint: l2Ball(1), intercept: true }, 'no free coordinate'],
      [{ method: 'accelerated-frank-wolfe', constraint: l2Ball(1) }, 'constant stepSize'],
      [{ method: 'nesterov', constraint: l2Ball(1) }, 'all of R^p'],
    ];
    for (const [given, message] of refused)
      expect(() => requireRule(settingsOf(given))).to.throw(ArgumentError, message);
    expect(requireRule(settingsOf())).to.equal(null);
    expect(() => ruleOf(settingsOf(), null, null)).to.throw(ArgumentError, 'stepSize');
  });
});
