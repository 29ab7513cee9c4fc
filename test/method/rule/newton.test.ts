import { expect } from 'chai';
import fc from 'fast-check';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { addScaled, distance, dot, filled, subtract, type Vector } from '../../../src/math/vector.ts';
import { allButLast } from '../../../src/method/constraint/allButLast.ts';
import { box } from '../../../src/method/constraint/box.ts';
import type { Constraint } from '../../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { newton } from '../../../src/method/rule/newton.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { gradientOf } from '../../support/descentFixtures.ts';

const size = 3;
const identity = Float64Array.of(2, 0.5, 0, 0.5, 1, 0, 0, 0, 4);

checkRule('newton', () => newton({ curvature: identity }), size);
checkRule('newton on a ball', () => newton({ curvature: identity, constraint: l2Ball(2) }), size, {
  feasible: point => l2Ball(2).contains(point, 1e-9),
  // Every turn back adds to the curvature, and what is then ill-conditioned takes the solver thousands of turns.
  mostSteps: 4,
});

/** A random positive definite matrix, of condition up to so much. */
function randomMatrix(seed: number, condition: number): Float64Array {
  const random = seeded(seed, 'matrix');
  const rows = Array.from({ length: size }, () => Float64Array.from({ length: size }, () => normal(random)));
  const A = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      A[i * size + j] = dot(rows[i]!, rows[j]!) + (i === j ? 1 / condition : 0);
    }
  }
  return A;
}
const times = (A: Float64Array, v: Vector): Vector => v.map((_, i) => dot(A.subarray(i * size, (i + 1) * size), v));
const raw = (values: Vector) => ({ values, privacy: 'raw' as const });

describe('newton', () => {
  const seeds = fc.integer({ min: 1, max: 10_000 });
  const truthOf = (seed: number): Vector => {
    const random = seeded(seed, 'truth');
    return Float64Array.from({ length: size }, () => 2 * normal(random));
  };

  it('finds the minimum of a quadratic in one step', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const [A, truth] = [randomMatrix(seed, 100), truthOf(seed)];
        const rule = newton({ curvature: A });
        const state = rule.init(filled(size, 1));
        const after = rule.step(state, raw(times(A, subtract(rule.query(state), truth))));
        expect(distance(rule.iterate(after), truth)).to.be.below(1e-8 * (1 + distance(truth, filled(size, 0))));
      }),
      { seed: 1, numRuns: casesOf(100) },
    );
  });

  const sets: Readonly<Record<string, Constraint>> = {
    'an l2 ball': l2Ball(1),
    'an l1 ball': l1Ball(1),
    'a box': box(filled(size, -0.5), filled(size, 0.5)),
    'a ball for all but the intercept': allButLast(l2Ball(1)),
  };
  for (const [name, constraint] of Object.entries(sets)) {
    it(`finds the minimum over ${name} in one step: no feasible direction leads down from it`, () => {
      fc.assert(
        fc.property(seeds, seed => {
          const [A, truth] = [randomMatrix(seed, 50), truthOf(seed)];
          const rule = newton({ curvature: A, constraint });
          const state = rule.init(filled(size, 0.1));
          const found = rule.iterate(rule.step(state, raw(times(A, subtract(rule.query(state), truth)))));
          expect(constraint.contains(found, 1e-9)).to.equal(true);
          // At the minimum a projected gradient step of any size stays.
          const slope = times(A, subtract(found, truth));
          for (const eta of [0.01, 0.1, 1]) {
            expect(distance(constraint.project(addScaled(found, -eta, slope)), found)).to.be.below(1e-5);
          }
        }),
        { seed: 2, numRuns: casesOf(60) },
      );
    });
  }

  it('finds its way though the curvature it was given is far too small in a direction', () => {
    for (const factor of [3, 10, 100, 1e4]) {
      const truth = Float64Array.of(1, -2, 3);
      const A = Float64Array.of(factor, 0, 0, 0, 1, 0, 0, 0, 1);
      const rule = newton({ curvature: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) });
      let state = rule.init(filled(size, 0));
      let furthest = 0;
      for (let step = 0; step < 40; step++) {
        state = rule.step(state, raw(times(A, subtract(rule.query(state), truth))));
        furthest = Math.max(furthest, distance(rule.iterate(state), truth));
      }
      expect(distance(rule.iterate(state), truth), `factor ${factor}`).to.be.below(1e-4);
      expect(furthest).to.be.below(10 * factor);
    }
  });

  it('keeps to its curvature where steps are uneven by noise alone', () => {
    const random = seeded(3, 'noise');
    const rule = newton({ curvature: identity });
    let state = rule.init(Float64Array.of(5, 5, 5));
    for (let step = 0; step < 3; step++) {
      const noise = Float64Array.from({ length: size }, () => 0.01 * normal(random));
      state = rule.step(state, raw(addScaled(times(identity, rule.query(state)), 1, noise)));
    }
    expect([...state.curvature]).to.deep.equal([...identity]);
  });

  it('does not take a step for too long because the one before was short by chance, where it knows the noise', () => {
    const curvature = Float64Array.of(1);
    const stepped = (noise: number): number => {
      const rule = newton({ curvature, noise });
      const short = rule.step(rule.init(Float64Array.of(0)), gradientOf(0.001));
      return rule.iterate(rule.step(short, gradientOf(-0.3)))[0]!;
    };
    expect(stepped(0.1)).to.be.closeTo(0.299, 1e-12);
    expect(stepped(0)).to.be.below(0.001);
    expect(() => newton({ curvature, noise: -1 })).to.throw('noise must be a finite number of at least 0');
  });

  it('refuses a curvature that is not one', () => {
    expect(() => newton({ curvature: new Float64Array(5) })).to.throw('the length of curvature must be a square');
    expect(() => newton({ curvature: Float64Array.of(1, 2, 0, 1) })).to.throw('curvature');
    const flat = newton({ curvature: Float64Array.of(1, 1, 1, 1) });
    expect(() => flat.step(flat.init(filled(2, 0)), raw(filled(2, 1)))).to.throw('positive definite');
  });
});
