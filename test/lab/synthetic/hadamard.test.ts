import { expect } from 'chai';
import fc from 'fast-check';
import { hadamard } from '../../../src/lab/synthetic/lowerBoundData.ts';

describe('hadamard', () => {
  it('doubles as Sylvester says: H, H over H, -H', () => {
    const order = fc.integer({ min: 0, max: 30 }).map(power => 2 ** power);
    const entry = order.chain(m => fc.tuple(fc.constant(m), fc.nat(m - 1), fc.nat(m - 1)));
    fc.assert(
      fc.property(entry, ([m, i, j]) => {
        const corner = hadamard(i, j);
        expect([hadamard(i, m + j), hadamard(m + i, j), hadamard(m + i, m + j)]).to.deep.equal([
          corner,
          corner,
          -corner,
        ]);
      }),
    );
    expect(hadamard(0, 0)).to.equal(1);
  });
});
