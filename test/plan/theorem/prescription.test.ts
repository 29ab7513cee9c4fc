import { expect } from 'chai';
import { bound } from '../../../src/plan/theorem/bound.ts';
import { forClaim, isFeasible, prescription, required } from '../../../src/plan/theorem/prescription.ts';

const least = {
  theorem: 'a theorem',
  rule: 'projected-gradient',
  mode: 'fresh',
  steps: 3,
  chunkRows: 10,
  stepSize: 1,
  estimator: { kind: 'mean' },
  claim: { quantity: 'risk', rate: '1/n', exponent: -1 },
  bound: bound({ formula: '1/n', value: 1 }),
  conditions: [],
} as const;

describe('prescription', () => {
  it('has nothing of what a theorem does not speak of', () => {
    expect(prescription(least)).to.deep.equal({
      ...least,
      momentum: null,
      radius: null,
      set: 'l2',
      anySet: false,
      gradientFloor: null,
      contraction: null,
      penalty: 0,
      privacy: null,
    });
  });
});

describe('isFeasible', () => {
  const met = (isMet: boolean, make: typeof required) => make('a < b', isMet, { a: 1, b: 2 });

  it('asks for every required condition, and for no claim', () => {
    const withConditions = (...conditions: ReturnType<typeof required>[]) =>
      isFeasible(prescription({ ...least, conditions }));
    expect(withConditions()).to.equal(true);
    expect(withConditions(met(true, required), met(false, forClaim))).to.equal(true);
    expect(withConditions(met(true, required), met(false, required))).to.equal(false);
    expect(withConditions(met(false, required), met(true, forClaim))).to.equal(false);
  });
});
