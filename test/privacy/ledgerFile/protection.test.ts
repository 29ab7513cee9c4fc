import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import {
  commonProtection,
  type Protection,
  protectionText,
  requireProtection,
  requireSameProtection,
} from '../../../src/privacy/ledgerFile/protection.ts';

const person = { unit: 'person', maxPerUnit: 20 };
const others: readonly Protection[] = ['row', { unit: 'person', maxPerUnit: 5 }, { unit: 'house', maxPerUnit: 20 }];

describe('protection', () => {
  it('is in words what a run protects', () => {
    expect(protectionText('row')).to.equal('one row');
    expect(protectionText(person)).to.equal('all rows of one person, of which at most 20 are used');
    expect(protectionText({ unit: 'person', maxPerUnit: 1 })).to.equal(
      'all rows of one person, of which at most 1 is used',
    );
  });

  it('of runs that say the same is what they say', () => {
    expect(commonProtection([])).to.equal(null);
    expect(commonProtection(['row', 'row'])).to.equal('row');
    expect(commonProtection([person, { ...person }])).to.deep.equal(person);
  });

  it('of runs that differ or do not say is one row, the least that each of them protects', () => {
    expect(commonProtection([null])).to.equal('row');
    expect(commonProtection([person, null])).to.equal('row');
    expect(commonProtection([null, person])).to.equal('row');
    for (const other of others) expect(commonProtection([person, other])).to.equal('row');
  });

  it('lets the first run be for anybody, and later ones for the same', () => {
    for (const protects of [person, ...others]) {
      expect(() => requireSameProtection('people', null, protects)).to.not.throw();
      expect(() => requireSameProtection('people', structuredClone(protects), protects)).to.not.throw();
    }
  });

  it('refuses a run for somebody else, naming both and the ways out', () => {
    for (const other of others) {
      expect(() => requireSameProtection('people', person, other)).to.throw(
        ArgumentError,
        `the account of data set "people" protects ${protectionText(person)}, but the run would protect ${protectionText(other)}, and costs for different units do not add up; give \`unit: 'person', maxPerUnit: 20\``,
      );
    }
    expect(() => requireSameProtection('people', 'row', person)).to.throw('leave out `unit` and `maxPerUnit`');
    // One row of a person is not any row: somebody who has two is protected by the one and not by the other.
    expect(() => requireSameProtection('people', 'row', { unit: 'person', maxPerUnit: 1 })).to.throw(ArgumentError);
  });

  it('refuses what is neither a row nor a unit', () => {
    for (const bad of [undefined, null, 'person', {}, { unit: '', maxPerUnit: 1 }, { unit: 3, maxPerUnit: 1 }])
      expect(() => requireProtection(bad as Protection)).to.throw(ArgumentError, 'protects must be "row"');
    for (const maxPerUnit of [0, -1, 1.5, Number.NaN, Infinity])
      expect(() => requireProtection({ unit: 'person', maxPerUnit })).to.throw(
        ArgumentError,
        'protects.maxPerUnit must',
      );
  });
});
