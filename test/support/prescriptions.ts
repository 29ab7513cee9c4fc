import { expect } from 'chai';
import type { Condition, Prescription } from '../../src/plan/theorem/prescription.ts';
import { expectClose } from './close.ts';

/** Asserts what a prescription says of the given keys: every number to 12 digits, everything else exactly. */
export function expectPrescription(actual: Prescription, expected: Partial<Prescription>): void {
  for (const [key, value] of Object.entries(expected)) {
    expectAlike(actual[key as keyof Prescription], value, `${actual.theorem}.${key}`);
  }
}

export const needs = (statement: string, met: boolean, numbers: Record<string, number>): Condition => ({
  statement,
  met,
  numbers,
  kind: 'required',
});

export const claims = (statement: string, met: boolean, numbers: Record<string, number>): Condition => ({
  ...needs(statement, met, numbers),
  kind: 'claim',
});

/** b(zeta) of alg:HTGE, by hand. */
export function blocksFor(zeta: number): number {
  const psi = (11 / 18) * Math.log(11 / 18 / 0.9) + (7 / 18) * Math.log(7 / 18 / 0.1);
  return Math.floor(Math.log(1 / zeta) / psi) + 1;
}

function expectAlike(actual: unknown, expected: unknown, where: string): void {
  if (typeof expected === 'number' && Number.isFinite(expected)) {
    expect(actual, where).to.be.a('number');
    expectClose(actual as number, expected);
  } else if (typeof expected === 'object' && expected !== null) {
    expect(actual, where).to.be.an(Array.isArray(expected) ? 'array' : 'object');
    expect(Object.keys(actual as object), where).to.have.members(Object.keys(expected));
    for (const [key, value] of Object.entries(expected)) {
      expectAlike((actual as Record<string, unknown>)[key], value, `${where}.${key}`);
    }
  } else {
    expect(actual, where).to.equal(expected);
  }
}
