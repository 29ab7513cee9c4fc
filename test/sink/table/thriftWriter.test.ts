import { expect } from 'chai';
import fc from 'fast-check';
import { i32, i64, list, struct, text } from '../../../src/sink/table/thriftWriter.ts';

describe('thrift values', () => {
  it('write whole numbers as zigzag varints', () => {
    expect(i32(0).bytes).to.deep.equal([0]);
    expect(i32(-1).bytes).to.deep.equal([1]);
    expect(i32(1).bytes).to.deep.equal([2]);
    expect(i32(-64).bytes).to.deep.equal([127]);
    expect(i32(64).bytes).to.deep.equal([0x80, 1]);
    expect(i64(2 ** 40).bytes).to.deep.equal([0x80, 0x80, 0x80, 0x80, 0x80, 0x40]);
    expect(i64(2 ** 52).bytes).to.deep.equal([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]);
  });

  it('write numbers that the rule of varints reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 52), max: 2 ** 52 }), value => {
        const zigzag = i64(value).bytes.reduceRight((high, byte) => high * 128n + BigInt(byte & 127), 0n);
        expect(zigzag % 2n === 0n ? zigzag / 2n : -(zigzag + 1n) / 2n).to.equal(BigInt(value));
      }),
      { seed: 1 },
    );
  });

  it('write texts by their length in UTF-8', () => {
    expect(text('é').bytes).to.deep.equal([2, 0xc3, 0xa9]);
    expect(text('').bytes).to.deep.equal([0]);
  });

  it('write fields by their distance from the one before, and a stop', () => {
    expect(struct({ 1: i32(1), 5: i64(-1) }).bytes).to.deep.equal([0x15, 2, 0x46, 1, 0]);
    expect(struct({}).bytes).to.deep.equal([0]);
  });

  it('write lists with their length beside the type, or behind it from 15 on', () => {
    expect(list([i32(1), i32(2)]).bytes).to.deep.equal([0x25, 2, 4]);
    expect(list(Array.from({ length: 15 }, () => i32(0))).bytes.slice(0, 3)).to.deep.equal([0xf5, 15, 0]);
    expect(list([]).bytes).to.deep.equal([0x0c]);
  });
});
