import { expect } from 'chai';
import fc from 'fast-check';
import { naturalOrder } from '../../../src/source/table/expandPaths.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

describe('naturalOrder', () => {
  it('compares numbers in names by value', () => {
    const sorted = [
      'a',
      'a0',
      'a01',
      'a1',
      'a2',
      'a2b',
      'a2b3',
      'a10',
      'a10b',
      'a99999999999999999999',
      'a100000000000000000000',
      'b',
      'b-1',
      'é',
    ];
    expect([...sorted].reverse().sort(naturalOrder)).to.deep.equal(sorted);
  });

  it('is a total order: 0 for equal names alone, antisymmetric and transitive', () => {
    const name = fc.string({ unit: fc.constantFrom('0', '1', '2', 'a', 'b', '-'), maxLength: 6 });
    holdsForAll(
      fc.property(name, name, name, (a, b, c) => {
        expect(naturalOrder(a, b) === 0).to.equal(a === b);
        expect(Math.sign(naturalOrder(a, b)) + Math.sign(naturalOrder(b, a))).to.equal(0);
        const [x, y, z] = [a, b, c].sort(naturalOrder) as [string, string, string];
        expect(Math.max(naturalOrder(x, y), naturalOrder(y, z), naturalOrder(x, z))).to.be.at.most(0);
      }),
    );
  });
});
