import { requireInteger, requirePositive, requireProbability } from '../../errors.ts';
import type { Momentum } from '../../method/rule/nesterov.ts';
import type { Bound } from './bound.ts';
import type { ConvexSet } from './convexSet.ts';

export type RuleName = 'projected-gradient' | 'nesterov' | 'frank-wolfe' | 'accelerated-frank-wolfe' | 'private-sgd';

/** eta_t: the same at every step, 2/(t + 2), or scale/sqrt(t + 1), with t from 0. */
export type StepSize = number | 'harmonic' | { readonly inverseRoot: number };

export type Estimator =
  | { readonly kind: 'mean' }
  | { readonly kind: 'median-of-means'; readonly blocks: number }
  | { readonly kind: 'huber'; readonly contamination: number; readonly failureProbability: number }
  | { readonly kind: 'single-row' };

/** The guarantee of a private theorem, and the paper's noise for it. */
export interface PaperPrivacy {
  readonly epsilon: number;
  readonly delta: number;
  readonly lipschitz: number;
  /** Per coordinate of the gradient; null where the formula has no proof (eps > 0.9) or no number (no finite T). */
  readonly sigma: number | null;
}

/** What a theorem of the paper prescribes for a problem: every parameter of a run, before any row is read. */
export interface Prescription {
  /** The paper's label. */
  readonly theorem: string;
  readonly rule: RuleName;
  /** `full`: every step over all rows; `fresh`: step t over chunk t of T disjoint ones. */
  readonly mode: 'full' | 'fresh';
  /** T; infinite where the theorem has no answer, and then a required condition is unmet. */
  readonly steps: number;
  /** Rows behind each gradient: n, or n~ = floor(n/T). */
  readonly chunkRows: number;
  readonly stepSize: StepSize;
  readonly momentum: Momentum | null;
  /** Radius of the set C; null for R^p. */
  readonly radius: number | null;
  /** The kind of C where there is a radius: the l2 ball unless the theorem leaves it open. */
  readonly set: ConvexSet;
  /** Whether the theorem holds on every compact convex set, so that another may take its place. */
  readonly anySet: boolean;
  /** r or u, the lower bound on the gradient's norm that acceleration relies on. */
  readonly gradientFloor: number | null;
  /** The geometric rate c of the error, where the theorem has one. */
  readonly contraction: number | null;
  /** gamma of the ridge penalty. */
  readonly penalty: number;
  readonly estimator: Estimator;
  readonly privacy: PaperPrivacy | null;
  /** What the theorem claims, as a power without logarithms, and its exponent of n. */
  readonly claim: {
    /** `solution`: the distance to the ridge solution, rather than to the truth. */
    readonly quantity: 'risk' | 'parameter' | 'solution';
    readonly rate: string;
    readonly exponent: number;
  };
  /** The claim as a number. */
  readonly bound: Bound;
  readonly conditions: readonly Condition[];
}

const defaults = {
  momentum: null,
  radius: null,
  set: 'l2',
  anySet: false,
  gradientFloor: null,
  contraction: null,
  penalty: 0,
  privacy: null,
} as const;

/** A frozen prescription, with its fields in one order; what a theorem does not specify is absent. */
export function prescription(given: Omit<Prescription, keyof typeof defaults> & Partial<Prescription>): Prescription {
  const { theorem, rule, mode, steps, chunkRows, stepSize, estimator, claim, bound, conditions, ...others } = given;
  return Object.freeze({
    ...{ ...defaults, ...others, theorem, rule, mode, steps, chunkRows, stepSize },
    estimator: Object.freeze(estimator),
    claim: Object.freeze(claim),
    bound,
    conditions: Object.freeze(conditions),
  });
}

/** What a theorem is given by these names, which stand for the same in all theorems. */
export type Numbers<Names extends string> = { readonly [Name in Names]: number };

const whole = (name: string, value: number): number => requireInteger(name, value, 1);
const CHECKS: Readonly<Record<string, typeof whole>> = {
  rows: whole,
  features: whole,
  failureProbability: requireProbability,
  delta: requireProbability,
};

/** Refuses numbers that their names do not allow: most are lengths, sizes and constants, and must be above 0. */
export function requireNumbers(given: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(given)) (CHECKS[name] ?? requirePositive)(name, value);
}

/** Whether all required conditions are met. */
export const isFeasible = ({ conditions }: Prescription): boolean =>
  conditions.every(({ kind, met }) => met || kind === 'claim');

/** One hypothesis of a theorem, checked against the numbers at hand. */
export interface Condition {
  /** As the paper writes it, such as 'n~ >= 2b'. */
  readonly statement: string;
  readonly met: boolean;
  /** The numbers that decided it. */
  readonly numbers: Readonly<Record<string, number>>;
  /** `required` conditions make a plan meaningless or unsafe when unmet; `claim` ones only void the claimed rate. */
  readonly kind: 'required' | 'claim';
}

export const required = (statement: string, met: boolean, numbers: Record<string, number>): Condition =>
  Object.freeze({ statement, met, numbers: Object.freeze(numbers), kind: 'required' });

/** That a number is above its bound. */
export const above = (statement: string, symbol: string, value: number, bound: number): Condition =>
  required(statement, value > bound, { [symbol]: value, bound });

export const atMost = (statement: string, symbol: string, value: number, bound: number): Condition =>
  required(statement, value <= bound, { [symbol]: value, bound });

export const forClaim = (statement: string, met: boolean, numbers: Record<string, number>): Condition =>
  Object.freeze({ statement, met, numbers: Object.freeze(numbers), kind: 'claim' });

/**
 * T is a whole number: rounded up, at least 1. A value a few bits above a whole number is that number (1e5 ** 0.2 is
 * not 11 steps).
 */
export const wholeSteps = (value: number): number =>
  Number.isFinite(value) ? Math.max(1, Math.ceil(value * (1 - 1e-12))) : Infinity;

/** log_{1/c}(x): steps after which a contraction c has shrunk an error x-fold; infinite where c does not contract. */
export const stepsToShrink = (contraction: number, x: number): number =>
  contraction > 0 && contraction < 1 ? wholeSteps(Math.log(x) / -Math.log(contraction)) : Infinity;
