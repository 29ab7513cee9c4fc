/**
 * What each theorem of the paper prescribes for its numbers, and plans that follow one.
 *
 * @module sluice/theorems
 */
export type { About } from './about.ts';
export type { Bound } from './bound.ts';
export { type Argument, catalogue, type Theorem, theoremNamed } from './catalogue.ts';
export { boundMoves, type Moves } from './boundMoves.ts';
export type { ConvexSet } from './convexSet.ts';
export { type GlmConstants, glmConstants } from './glmHypotheses.ts';
export { planTheorem, type TheoremOptions } from './planTheorem.ts';
export { type Condition, isFeasible, type Prescription } from './prescription.ts';
export * from './theorems.ts';
/** The paper's lemmas and general statements, which prescribe no run. */
export * as lemmas from './lemmas/index.ts';
