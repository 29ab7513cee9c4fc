import { expect } from 'chai';
import fc from 'fast-check';
import { decimalType, tailOf } from '../../../src/source/table/numberType.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const limit = 2n ** 53n;

/** The little-endian words of an integer, and what becomes of them. */
function widened(unscaled: bigint, bytes: number, scale: number): number {
  const out = new Float64Array(1);
  const source = bytes > 8 ? new Uint8Array(bytes) : tailOf(out, bytes);
  for (let k = 0; k < bytes; k++) source[k] = Number(BigInt.asUintN(8, unscaled >> BigInt(8 * k)));
  decimalType(bytes, scale).widen(source, out);
  return out[0]!;
}

describe('decimalType', () => {
  it('gives the double nearest to the decimal, however long it is', () => {
    const cases = fc.record({
      bytes: fc.constantFrom(4, 8, 16, 32),
      scale: fc.integer({ min: -76, max: 76 }),
      unscaled: fc.oneof(fc.bigInt(-limit - 2n, limit + 2n), fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n)),
    });
    holdsForAll(
      fc.property(cases, ({ bytes, scale, unscaled }) => {
        const stored = BigInt.asIntN(8 * bytes, unscaled);
        expect(widened(stored, bytes, scale)).to.equal(Number(`${stored}e${-scale}`));
      }),
    );
  });

  it('looks at every word', () => {
    for (const bits of [53n, 54n, 63n, 64n, 90n, 127n, 128n, 200n, 254n]) {
      expect(widened(2n ** bits + 1n, 32, 0), `${bits}`).to.equal(Number(2n ** bits + 1n));
      expect(widened(-(2n ** bits) - 1n, 32, 0), `${bits}`).to.equal(-Number(2n ** bits + 1n));
    }
    expect(widened(-1n, 32, 2)).to.equal(-0.01);
    expect(widened(limit, 16, 0)).to.equal(2 ** 53);
    expect(widened(-limit, 16, 0)).to.equal(-(2 ** 53));
  });
});
