import { expect } from 'chai';
import fc from 'fast-check';
import { readStruct } from '../../../src/source/parquet/thrift.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';
import { type ThriftRecord, writeThrift } from './support/writeThrift.ts';

const inner = { 1: ['name', 'text'], 2: ['flag', 'boolean'] } as const;
const outer = {
  1: ['count', 'integer'],
  3: ['names', ['text']],
  4: ['inners', [inner]],
  70: ['one', inner],
} as const;

const bytesOf = (bytes: Uint8Array) => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0,
});
const read = (bytes: Uint8Array) => readStruct(outer, bytesOf(bytes));

describe('a Thrift struct', () => {
  it('is read as it was written', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 9 });
    const record = fc.record({ name, flag: fc.boolean() });
    const whole = fc.record({
      count: fc.maxSafeInteger(),
      names: fc.array(name, { maxLength: 20 }),
      inners: fc.array(record, { maxLength: 3 }),
      one: record,
    });
    const flat = ({ name: a, flag }: { name: string; flag: boolean }): ThriftRecord => ({ 1: a, 2: flag });
    holdsForAll(
      fc.property(whole, value => {
        // Zigzag doubles a number: only half of the safe ones stay exact.
        const count = Math.floor(value.count / 2);
        const bytes = writeThrift({
          1: count,
          3: value.names,
          4: value.inners.map(flat),
          70: flat(value.one),
        });
        const source = bytesOf(bytes);
        expect(readStruct(outer, source)).to.deep.equal({ ...value, count });
        expect(source.offset).to.equal(bytes.length);
      }),
    );
  });

  it('leaves out what is not there, and steps over what it does not know', () => {
    const strange = {
      2: [1, 2, 3],
      5: { 1: 'a', 2: [{ 1: [true, false] }] },
      6: true,
      8: 'text',
      9: -77,
      10: [],
    };
    expect(read(writeThrift({ 1: 5, ...strange }))).to.deep.equal({ count: 5 });
    expect(read(writeThrift({}))).to.deep.equal({});
    // A byte, a double and a set, which the format does not use yet.
    expect(read(Uint8Array.from([0x23, 7, 0x37, 1, 2, 3, 4, 5, 6, 7, 8, 0x1a, 0x23, 1, 2, 0]))).to.deep.equal({});
  });

  it('refuses a field of another type', () => {
    expect(() => read(writeThrift({ 1: 'one' }))).to.throw('a field has type 8 instead of');
    expect(() => read(writeThrift({ 3: [1] }))).to.throw('a field has type 6 instead of 8');
    expect(() => read(Uint8Array.from([0x2b, 0]))).to.throw('a field has the unknown type 11');
  });

  it('refuses lengths beyond its end, numbers that do not end and nesting without end', () => {
    const whole = writeThrift({
      1: 300,
      3: ['a', 'bc'],
      4: [{ 1: 'd' }],
      5: { 1: 'e' },
      70: { 1: 'f', 2: true },
    });
    for (let length = 0; length < whole.length; length++) expect(() => read(whole.subarray(0, length))).to.throw();
    expect(() => read(Uint8Array.from([0x39, 0xf8, 255, 255, 255, 255, 15, 0]))).to.throw('a list of 4294967295');
    expect(() => read(Uint8Array.from([0x16, ...Array(20).fill(255)]))).to.throw(
      'a variable-length number is not terminated',
    );
    expect(() => read(Uint8Array.from([0x28, 255, 255, 255, 127, 0]))).to.throw(
      '268435455 bytes extend beyond the end',
    );
    expect(() => read(Uint8Array.from(Array(500).fill(0x2c)))).to.throw('nested too deeply');
    expect(() => read(Uint8Array.from([0x29, ...Array(500).fill(0x19)]))).to.throw('nested too deeply');
  });
});
