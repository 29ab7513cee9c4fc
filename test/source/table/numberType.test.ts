import { util } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { float16, type NumberType, type StoredArray, stored, tailOf } from '../../../src/source/table/numberType.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const ARRAYS = [
  Float64Array,
  Float32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint16Array,
  Uint32Array,
] satisfies readonly StoredArray[];

/** Widens values in place, in memory that threads could share, as readers do. */
function widened(type: NumberType, bytes: Uint8Array): number[] {
  const count = bytes.length / type.bytes;
  const out = new Float64Array(new SharedArrayBuffer(8 * count + 16), 8, count);
  tailOf(out, type.bytes).set(bytes);
  type.widen(tailOf(out, type.bytes), out);
  return [...out];
}

describe('numberType', () => {
  it('widens every value in the place where it was read', () => {
    holdsForAll(
      fc.property(fc.constantFrom(...ARRAYS), fc.nat(70), fc.infiniteStream(fc.nat(255)), (View, count, stream) => {
        const type = stored(View);
        const bytes = Uint8Array.from({ length: type.bytes * count }, () => stream.next().value as number);
        expect(widened(type, bytes)).to.deep.equal(Array.from(new View(bytes.slice().buffer)));
      }),
    );
  });

  it('reads all 65,536 halves as apache-arrow does', () => {
    const halves = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const expected = Array.from(halves, half => {
      const isNumber = (half & 0x7c00) !== 0x7c00 || (half & 0x03ff) === 0;
      return isNumber ? util.uint16ToFloat64(half) : NaN;
    });
    expect(widened(float16, new Uint8Array(halves.buffer))).to.deep.equal(expected);
  });
});
