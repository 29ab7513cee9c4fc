import { expect } from 'chai';
import fc from 'fast-check';
import { shownAlone, toDecimalsOf } from '../../../src/cli/render/numberTable.ts';

describe('numbers in a table', () => {
  it('are shown beside an estimate of any size', () => {
    // The largest numbers would be rounded to ones that are none.
    const number = fc.double({ noNaN: true, min: -1e307, max: 1e307 });
    fc.assert(
      fc.property(number, number.map(Math.abs), number, (estimate, error, value) => {
        for (const text of [toDecimalsOf(estimate, error)(value), shownAlone(value)])
          expect(Math.abs(Number(text) - value)).to.be.at.most(Math.max(Math.abs(value), 1));
      }),
    );
  });

  it('are powers of ten where estimates are tiny, and a zero among them is short', () => {
    const text = toDecimalsOf(1.25e-200, 3e-202);
    expect([1.25e-200, -3e-202, 0].map(text)).to.deep.equal(['1.2500e-200', '-3.00e-202', '0.000000']);
    expect(toDecimalsOf(0, 1e-200)(0)).to.equal('0.000000');
  });
});
