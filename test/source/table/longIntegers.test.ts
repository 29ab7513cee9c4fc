import { expect } from 'chai';
import fc from 'fast-check';
import { longIntegers } from '../../../src/source/table/numberType.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const SIGNED = longIntegers(Int32Array);
const UNSIGNED = longIntegers(Uint32Array);

const limit = 2n ** 53n;
const near = fc.bigInt(-3n, 3n);
const places = [0n, limit, -limit, 2n ** 32n, -(2n ** 32n), 2n ** 63n - 4n, -(2n ** 63n) + 4n];
const value = fc.oneof(
  fc.tuple(fc.constantFrom(...places), near).map(([place, step]) => place + step),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
);

describe('longIntegers', () => {
  it('gives every integer from -2^53 to 2^53, and refuses the first one outside', () => {
    holdsForAll(
      fc.property(fc.array(value, { maxLength: 20 }), values => {
        const out = new Float64Array(BigInt64Array.from(values).buffer);
        const outside = values.findIndex(v => v < -limit || v > limit);
        expect(SIGNED.widen(new Uint8Array(out.buffer), out, new Uint8Array(out.length))).to.equal(outside);
        const before = outside < 0 ? values.length : outside;
        expect([...out.subarray(0, before)]).to.deep.equal(values.slice(0, before).map(Number));
      }),
    );
  });

  it('reads unsigned integers as unsigned', () => {
    holdsForAll(
      fc.property(fc.array(value, { maxLength: 20 }), values => {
        const unsigned = values.map(v => BigInt.asUintN(64, v));
        const out = new Float64Array(BigUint64Array.from(unsigned).buffer);
        const outside = unsigned.findIndex(v => v > limit);
        expect(UNSIGNED.widen(new Uint8Array(out.buffer), out, new Uint8Array(out.length))).to.equal(outside);
        const before = outside < 0 ? unsigned.length : outside;
        expect([...out.subarray(0, before)]).to.deep.equal(unsigned.slice(0, before).map(Number));
      }),
    );
  });

  it('does not judge what is missing', () => {
    const out = new Float64Array(BigInt64Array.of(5n, limit + 1n, 7n).buffer);
    expect(SIGNED.widen(new Uint8Array(out.buffer), out, Uint8Array.of(0, 1, 0))).to.equal(-1);
    expect([out[0], out[2]]).to.deep.equal([5, 7]);
  });
});
