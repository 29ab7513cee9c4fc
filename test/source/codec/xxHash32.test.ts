import { expect } from 'chai';
import { xxHash32 } from '../../../src/source/codec/lz4Frame.ts';

describe('xxHash32', () => {
  it('has the values of the reference implementation', () => {
    const hash = (text: string): number => xxHash32(Buffer.from(text));
    expect(hash('')).to.equal(0x02cc5d05);
    expect(hash('a')).to.equal(0x550d7456);
    expect(hash('abc')).to.equal(0x32d153ff);
    expect(hash('Nobody inspects the spammish repetition')).to.equal(0xe2293b2f);
  });
});
