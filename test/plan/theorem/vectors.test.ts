import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { logistic } from '../../../src/method/loss/logistic.ts';
import * as lemmas from '../../../src/plan/theorem/lemmas/index.ts';
import type { Prescription } from '../../../src/plan/theorem/prescription.ts';
import * as theorems from '../../../src/plan/theorem/theorems.ts';
import { expectClose } from '../../support/close.ts';

interface Vector {
  readonly function?: string;
  readonly lemma?: string;
  readonly given: Readonly<Record<string, number | readonly number[]>>;
  readonly bound?: number;
  readonly radius?: number;
  readonly gradientFloor?: number;
  readonly stepSize?: number;
  /** The bounds of conditions by their statements. */
  readonly conditions?: Readonly<Record<string, number>>;
  readonly value?: number | Readonly<Record<string, number>>;
}

/** Made from the paper's formulas by test/vectors/theorems.py, without the library. */
const vectors: readonly Vector[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../vectors/theorems.json'), 'utf8'),
);

const withVectors = (given: Vector['given']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value !== 'number' && name !== 'errors' ? Float64Array.from(value) : value,
    ]),
  );

const prescribers = Object.fromEntries(Object.entries(theorems)) as unknown as Record<
  string,
  (given: object) => Prescription
>;

describe('claims as numbers', () => {
  for (const { function: name, given, bound, conditions = {}, ...others } of vectors) {
    if (name === undefined) continue;
    it(`${name} claims what the paper's formula gives for ${JSON.stringify(given)}`, () => {
      const isGlm = 'targetBound' in given;
      const made = prescribers[name]!({ ...withVectors(given), ...(isGlm && { loss: logistic() }) });
      expectClose(made.bound.value, bound!, 1e-9);
      for (const [key, value] of Object.entries(others)) {
        expectClose(made[key as 'radius'] as number, value as number, 1e-9);
      }
      for (const [statement, value] of Object.entries(conditions)) {
        const found = made.conditions.find(condition => condition.statement === statement);
        expectClose(found?.numbers.bound ?? Number.NaN, value, 1e-9);
      }
    });
  }
});

const functions = Object.fromEntries(Object.entries(lemmas)) as unknown as Record<string, (given: object) => unknown>;

describe('lemmas as numbers', () => {
  for (const { lemma, given, value } of vectors) {
    if (lemma === undefined) continue;
    it(`${lemma} says what the paper's formula gives`, () => {
      const { at, ...rest } = withVectors(given);
      const result = functions[lemma]!(rest);
      const said = at === undefined ? result : (result as lemmas.DescentBound).distanceAfter(at as number);
      const pairs =
        typeof value === 'number'
          ? [[said, value]]
          : Object.entries(value!).map(([name, number]) => [(said as Record<string, number>)[name], number]);
      for (const [found, expected] of pairs) expectClose(found as number, expected as number, 1e-9);
    });
  }

  it('covers every theorem but those whose claim a lemma is, and every lemma with one formula', () => {
    const claimed = new Set(vectors.map(({ function: name }) => name));
    const byLemma = ['glmHtGd', 'htAgd', 'huEpsPgd', 'huEpsNester'];
    const names = Object.keys(theorems).filter(name => !name.endsWith('Geometry'));
    expect(names.filter(name => !claimed.has(name))).to.have.members(byLemma);
    const said = new Set(vectors.map(({ lemma }) => lemma));
    expect(Object.keys(lemmas).filter(name => !said.has(name))).to.have.members([
      'glmCurvature',
      'gradientRatioModel',
      'nesterovLag',
    ]);
  });
});
