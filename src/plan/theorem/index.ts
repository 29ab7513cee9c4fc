/**
 * What each theorem of the paper prescribes for its numbers, and plans that follow one.
 *
 * @module sluice/theorems
 */
export { type Argument, catalogue, type Theorem, theoremNamed } from './catalogue.ts';
export { planTheorem, type TheoremOptions } from './planTheorem.ts';
export { type Condition, isFeasible, type Prescription } from './prescription.ts';
export * from './theorems.ts';
