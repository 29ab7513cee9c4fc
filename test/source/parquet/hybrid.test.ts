import { expect } from 'chai';
import fc from 'fast-check';
import { hybrid } from '../../../src/source/parquet/hybrid.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';
import { varint } from './support/writeThrift.ts';

/** Runs as they are written: a number and how often it comes, or numbers to be packed, eight by eight. */
type Run = { readonly value: number; readonly times: number } | { readonly packed: readonly number[] };

const widths = fc.integer({ min: 0, max: 32 });

const runs = (width: number): fc.Arbitrary<Run[]> => {
  const value = fc.integer({ min: 0, max: 2 ** width - 1 });
  const repeated = fc.record({ value, times: fc.oneof(fc.nat(20), fc.nat(3000)) });
  const packed = fc
    .tuple(fc.nat(40), fc.infiniteStream(value))
    .map(([groups, stream]) => ({ packed: [...stream.take(8 * groups)] }));
  return fc.array(fc.oneof(repeated, packed), { maxLength: 8 });
};

const numbersOf = (run: Run): readonly number[] => ('packed' in run ? run.packed : Array(run.times).fill(run.value));

function encode(all: readonly Run[], width: number): Uint8Array {
  const bytes = all.flatMap(run => {
    if ('packed' in run) return [...varint(2 * (run.packed.length / 8) + 1), ...pack(run.packed, width)];
    const value = Array.from({ length: Math.ceil(width / 8) }, (_, k) => Math.floor(run.value / 2 ** (8 * k)) % 256);
    return [...varint(2 * run.times), ...value];
  });
  return Uint8Array.from(bytes);
}

function pack(values: readonly number[], width: number): number[] {
  const bytes = Array<number>((values.length * width) / 8).fill(0);
  values.forEach((value, i) => {
    for (let k = 0; k < width; k++) {
      const bit = i * width + k;
      if (Math.floor(value / 2 ** k) % 2 === 1) bytes[bit >> 3]! |= 1 << (bit & 7);
    }
  });
  return bytes;
}

const encoded = widths.chain(width => runs(width).map(all => ({ width, all, bytes: encode(all, width) })));
/** How many numbers to read at a time. */
const steps = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 });

describe('hybrid', () => {
  it('reads what was written, however much is read at a time', () => {
    holdsForAll(
      fc.property(encoded, steps, ({ width, all, bytes }, sizes) => {
        const numbers = all.flatMap(numbersOf);
        const reader = hybrid(bytes, width);
        for (let done = 0, k = 0; done < numbers.length; k++) {
          const count = Math.min(sizes[k % sizes.length]!, numbers.length - done);
          const into = new Uint32Array(count);
          reader.read(into, count);
          expect([...into]).to.deep.equal(numbers.slice(done, done + count));
          done += count;
        }
        expect(() => reader.read(new Uint32Array(1), 1)).to.throw(RangeError);
      }),
    );
  });

  it('looks numbers up in a table, and refuses those that are not in it', () => {
    const small = fc.integer({ min: 0, max: 9 }).chain(width => runs(width).map(all => ({ width, all })));
    holdsForAll(
      fc.property(small, steps, fc.nat(600), ({ width, all }, sizes, entries) => {
        const numbers = all.flatMap(numbersOf);
        const table = Float64Array.from({ length: entries }, (_, i) => i / 2);
        const values = hybrid(encode(all, width), width).entries(table);
        const out = new Float64Array(numbers.length);
        const read = (): void => {
          for (let done = 0, k = 0; done < numbers.length; k++) {
            const count = Math.min(sizes[k % sizes.length]!, numbers.length - done);
            values(out, done, count);
            done += count;
          }
        };
        if (numbers.every(number => number < entries)) {
          read();
          expect([...out]).to.deep.equal(numbers.map(number => number / 2));
        } else expect(read).to.throw(/entry \d+ of a dictionary of/);
      }),
    );
  });

  it('counts a number', () => {
    const narrow = fc.integer({ min: 1, max: 3 }).chain(width => runs(width).map(all => ({ width, all })));
    holdsForAll(
      fc.property(narrow, fc.nat(7), fc.nat(1000), ({ width, all }, value, cut) => {
        const numbers = all.flatMap(numbersOf);
        const total = Math.max(0, numbers.length - cut);
        const expected = numbers.slice(0, total).filter(number => number === value).length;
        expect(hybrid(encode(all, width), width).count(value, total)).to.equal(expected);
      }),
    );
  });

  it('sees a run that is long enough', () => {
    const bytes = encode(
      [
        { value: 1, times: 0 },
        { value: 1, times: 5 },
        { value: 0, times: 2 },
      ],
      1,
    );
    expect([0, 4, 5, 6].map(count => hybrid(bytes, 1).repeats(1, count))).to.deep.equal([true, true, true, false]);
    expect(hybrid(bytes, 1).repeats(0, 1)).to.equal(false);
    expect(hybrid(encode([{ packed: Array(8).fill(1) }], 1), 1).repeats(1, 8)).to.equal(false);
  });

  it('reads the last numbers of a packed run that was cut behind them', () => {
    const bytes = encode([{ packed: [1, 2, 3, 0, 0, 0, 0, 0] }], 2).subarray(0, 2);
    const into = new Uint32Array(4);
    hybrid(bytes, 2).read(into, 4);
    expect([...into]).to.deep.equal([1, 2, 3, 0]);
    expect(() => hybrid(bytes, 2).read(new Uint32Array(5), 5)).to.throw(RangeError);
  });
});
