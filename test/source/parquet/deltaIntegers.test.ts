import { expect } from 'chai';
import fc from 'fast-check';
import { deltaIntegers } from '../../../src/source/parquet/deltaIntegers.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const varint = (value: bigint): number[] =>
  value < 128n ? [Number(value)] : [Number(value & 127n) + 128, ...varint(value >> 7n)];

const zigzag = (value: bigint): number[] => varint(value < 0n ? -2n * value - 1n : 2n * value);

/** The encoding as its description has it, in numbers without bounds. */
function encode(values: readonly bigint[], block: number, miniblocks: number): number[] {
  const length = block / miniblocks;
  const differences = values.slice(1).map((value, i) => BigInt.asIntN(64, value - values[i]!));
  const bytes = [...varint(BigInt(block)), ...varint(BigInt(miniblocks)), ...varint(BigInt(values.length))];
  bytes.push(...zigzag(values[0] ?? 0n));
  for (let start = 0; start < differences.length; start += block) {
    const here = differences.slice(start, start + block);
    const least = sorted(here)[0]!;
    const parts = Array.from({ length: miniblocks }, (_, k) => here.slice(k * length, (k + 1) * length));
    const excesses = parts.map(part => part.map(difference => BigInt.asUintN(64, difference - least)));
    // A miniblock that is not needed may have any width.
    const widths = excesses.map(part => (part.length === 0 ? 77 : bitsOf(sorted(part).at(-1)!)));
    bytes.push(...zigzag(least), ...widths);
    excesses.forEach((part, k) => {
      if (part.length === 0) return;
      const packed = part.reduce((sum, excess, i) => sum | (excess << BigInt(i * widths[k]!)), 0n);
      for (let i = 0; i < (length * widths[k]!) / 8; i++) bytes.push(Number((packed >> BigInt(8 * i)) & 255n));
    });
  }
  return bytes;
}

const sorted = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => Number(a > b) - Number(a < b));

const bitsOf = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const values = fc.oneof(
  fc.array(int64, { maxLength: 300 }),
  fc.array(fc.bigInt({ min: -5n, max: 1000n }), { maxLength: 300 }),
  fc.array(fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n }), { maxLength: 300 }),
);
const shapes = fc.constantFrom([128, 4], [128, 1], [256, 8], [1024, 2]) as fc.Arbitrary<[number, number]>;

const join = (pairs: Int32Array): bigint[] => [...new BigInt64Array(pairs.buffer)].slice(0, pairs.length / 2);

describe('deltaIntegers', () => {
  it('reads what was written, however much is read at a time, and knows where it ends', () => {
    holdsForAll(
      fc.property(values, shapes, fc.integer({ min: 1, max: 300 }), (numbers, [block, miniblocks], size) => {
        const encoded = encode(numbers, block, miniblocks);
        const reader = deltaIntegers(Uint8Array.from([...encoded, 1, 2, 3]));
        expect(reader.count).to.equal(numbers.length);
        const found: bigint[] = [];
        while (found.length < numbers.length) {
          const pairs = new Int32Array(2 * Math.min(size, numbers.length - found.length));
          reader.read(pairs, pairs.length / 2);
          found.push(...join(pairs));
        }
        expect(found).to.deep.equal(numbers);
        expect(reader.end()).to.equal(encoded.length);
        expect(() => reader.read(new Int32Array(2), 1)).to.throw('are needed');
      }),
    );
  });

  it('finds its end without being read', () => {
    const encoded = encode([5n, 7n, -100n, 2n ** 40n], 128, 4);
    expect(deltaIntegers(Uint8Array.from([...encoded, 9])).end()).to.equal(encoded.length);
  });

  it('refuses blocks that are beyond the format, and bytes that end early', () => {
    const start =
      (...header: number[]) =>
      () =>
        deltaIntegers(Uint8Array.from([...header, 0, 0, 0, 0]));
    expect(start(0, 1, 1)).to.throw('blocks of 0 differences in 1 parts');
    expect(start(128, 1, 0, 1)).to.throw('in 0 parts');
    expect(start(128, 1, 3, 1)).to.throw('in 3 parts');
    expect(start(...Array(11).fill(255))).to.throw('a variable-length number is not terminated');
    const whole = Uint8Array.from(encode([1n, 2n, 4n, 9n], 128, 4));
    for (let length = 0; length < 12; length++) {
      expect(() => deltaIntegers(whole.subarray(0, length)).read(new Int32Array(8), 4)).to.throw();
    }
    const wide = Uint8Array.from([128, 1, 1, 2, 0, 0, 65]);
    expect(() => deltaIntegers(wide).read(new Int32Array(4), 2)).to.throw('differences of 65 bits');
  });
});
