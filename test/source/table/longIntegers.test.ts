import { expect } from 'chai';
import fc from 'fast-check';
import { longIntegers, type NumberType } from '../../../src/source/table/numberType.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const int64 = longIntegers(Int32Array);
const uint64 = longIntegers(Uint32Array);

const limit = 2n ** 53n;
const near = fc.bigInt(-3n, 3n);
const places = [0n, limit, -limit, 2n ** 32n, -(2n ** 32n), 2n ** 63n - 4n, -(2n ** 63n) + 4n];
const value = fc.oneof(
  fc.tuple(fc.constantFrom(...places), near).map(([place, step]) => place + step),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
);

const read = (widen: NumberType['widen'], bytes: ArrayBufferLike): number[] => {
  const out = new Float64Array(bytes.slice(0));
  widen(new Uint8Array(out.buffer), out);
  return [...out];
};

/** The nearest doubles as JavaScript's own conversion gives them, and together with the rest every digit. */
function checkReading(type: NumberType, values: readonly bigint[], stored: ArrayBufferLike): void {
  const nearest = read(type.widen, stored);
  const rest = read(type.rest!, stored);
  expect(nearest).to.deep.equal(values.map(Number));
  expect(nearest.map((double, i) => BigInt(double) + BigInt(rest[i]!))).to.deep.equal(values);
}

describe('longIntegers', () => {
  it('gives the nearest double to every signed integer, and what it lacks', () => {
    holdsForAll(
      fc.property(fc.array(value, { maxLength: 20 }), values =>
        checkReading(int64, values, BigInt64Array.from(values).buffer),
      ),
    );
  });

  it('reads unsigned integers as unsigned', () => {
    holdsForAll(
      fc.property(fc.array(value, { maxLength: 20 }), values => {
        const unsigned = values.map(v => BigInt.asUintN(64, v));
        checkReading(uint64, unsigned, BigUint64Array.from(unsigned).buffer);
      }),
    );
  });
});
