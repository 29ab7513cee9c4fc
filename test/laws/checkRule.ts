import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { fromText, toText } from '../../src/math/plainData.ts';
import { distance, norm, scaled, type Vector, zeros } from '../../src/math/vector.ts';
import type { UpdateRule } from '../../src/method/rule/updateRule.ts';
import type { Gradient } from '../../src/sample/gradientSums.ts';
import { holdsForAll, uniform } from './holdsForAll.ts';

/** What every rule on R^features owes. A rule with a constraint says which iterates are feasible. */
export function checkRule<State>(
  name: string,
  makeRule: () => UpdateRule<State>,
  features: number,
  { feasible = everything, keepsStill = false, mostSteps = 12 }: RuleOptions = {},
): void {
  const rule = makeRule();
  const vectors = fc
    .tuple(fc.array(uniform(-1, 1), { minLength: features, maxLength: features }), uniform(-6, 6))
    .map(([array, exponent]) => scaled(Float64Array.from(array), 10 ** exponent));
  const starts = fc
    .array(uniform(-2, 2), { minLength: features, maxLength: features })
    .map(array => Float64Array.from(array));
  const runs = fc.tuple(starts, fc.array(vectors, { minLength: 1, maxLength: mostSteps }));
  const statesOf = (of: UpdateRule<State>, start: Vector, gradients: readonly Vector[]): State[] => {
    const states = [of.init(start)];
    for (const values of gradients) states.push(of.step(states.at(-1)!, raw(values)));
    return states;
  };

  const isPoint = (point: Vector): boolean =>
    point instanceof Float64Array && point.length === features && point.every(Number.isFinite);

  describe(`${name} as a rule`, () => {
    it('is a frozen record, the same each time it is made', () => {
      expect(rule).to.be.frozen;
      expect(makeRule().name).to.equal(rule.name);
    });

    it('starts from the start where that is feasible, and from a feasible point in any case', () => {
      holdsForAll(
        fc.property(starts, start => {
          const first = rule.iterate(rule.init(start));
          if (feasible(start)) expect(distance(first, start)).to.be.at.most(1e-14 * norm(start));
          else expect(feasible(first)).to.equal(true);
          const again = rule.iterate(rule.init(first));
          expect(distance(again, first)).to.be.at.most(1e-14 * norm(first));
        }),
      );
    });

    it('answers with finite points of R^p, feasible after every step whatever the gradients', () => {
      holdsForAll(
        fc.property(runs, ([start, gradients]) => {
          const states = statesOf(rule, start, gradients);
          expect(states.map(rule.query).every(isPoint)).to.equal(true);
          expect(states.map(rule.iterate).every(isPoint)).to.equal(true);
          expect(states.map(rule.iterate).every(feasible)).to.equal(true);
        }),
      );
    });

    it('gives the same states for the same gradients, also when made anew', () => {
      holdsForAll(
        fc.property(runs, ([start, gradients]) => {
          const states = statesOf(rule, start, gradients);
          expect(statesOf(rule, start, gradients)).to.deep.equal(states);
          expect(statesOf(makeRule(), start, gradients)).to.deep.equal(states);
        }),
      );
    });

    it('writes to no start, state or gradient', () => {
      holdsForAll(
        fc.property(runs, ([start, gradients]) => {
          const given = structuredClone([start, ...gradients]);
          const states = [rule.init(start)];
          for (const values of gradients) {
            const state = deepFreeze(states.at(-1)!);
            const before = structuredClone(state);
            rule.query(state);
            rule.iterate(state);
            states.push(rule.step(state, deepFreeze(raw(values))));
            expect(state).to.deep.equal(before);
          }
          expect([start, ...gradients]).to.deep.equal(given);
        }),
      );
    });

    it('keeps no hold on the start or the gradient, which may be used again', () => {
      holdsForAll(
        fc.property(starts, vectors, (start, values) => {
          const [lentStart, lentValues] = [start.slice(), values.slice()];
          const first = rule.init(lentStart);
          const second = rule.step(first, raw(lentValues));
          const kept = structuredClone([first, second]);
          lentStart.fill(7);
          lentValues.fill(7);
          expect([first, second]).to.deep.equal(kept);
        }),
      );
    });

    it('goes on to the same bits from a clone of any state, and from its text', () => {
      holdsForAll(
        fc.property(runs, ([start, gradients]) => {
          let states = [rule.init(start), rule.init(start), rule.init(start)];
          for (const values of gradients) {
            states = [states[0]!, structuredClone(states[1]!), fromText(toText(states[2])) as State].map(state =>
              rule.step(state, raw(values)),
            );
            expect(states[1]).to.deep.equal(states[0]);
            expect(toText(states[2])).to.equal(toText(states[0]));
          }
        }),
      );
    });

    it('treats a raw and a released gradient alike', () => {
      holdsForAll(
        fc.property(starts, vectors, (start, values) => {
          const state = rule.init(start);
          expect(rule.step(state, { values, privacy: 'released' })).to.deep.equal(rule.step(state, raw(values)));
        }),
      );
    });

    it('refuses starts and gradients that are empty, of another length or not finite, by name', () => {
      const start = zeros(features).fill(0.1);
      const state = rule.init(start);
      for (const bad of [NaN, Infinity, -Infinity]) {
        const broken = zeros(features).fill(bad, features - 1);
        const message = `[${features - 1}] must be a finite number, got ${bad}`;
        expect(() => rule.init(broken)).to.throw(ArgumentError, `start${message}`);
        expect(() => rule.step(state, raw(broken))).to.throw(ArgumentError, `gradient${message}`);
      }
      expect(() => rule.init(zeros(0))).to.throw(ArgumentError, 'start must have at least one coordinate');
      for (const length of [features - 1, features + 1]) {
        expect(() => rule.step(state, raw(new Float64Array(length)))).to.throw(ArgumentError, /gradient/);
      }
    });

    if (keepsStill) {
      it('stays where it is while the gradient is 0', () => {
        holdsForAll(
          fc.property(starts, start => {
            const state = rule.init(start);
            expect(rule.step(state, raw(zeros(features)))).to.deep.equal(state);
          }),
        );
      });
    }
  });
}

export interface RuleOptions {
  /** Whether an iterate is allowed, up to rounding. */
  readonly feasible?: (theta: Vector) => boolean;
  /** Whether a zero gradient changes nothing; a rule with momentum or a step toward a vertex moves all the same. */
  readonly keepsStill?: boolean;
  /** Of one run; 12 unless given. */
  readonly mostSteps?: number;
}

const everything = (): boolean => true;

const raw = (values: Vector): Gradient<'raw'> => ({ values, privacy: 'raw' });

/** Freezes records; the elements of a typed array cannot be frozen, and are compared instead. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
