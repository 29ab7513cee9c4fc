import { expect } from 'chai';
import { decodeBoolean } from '../../../src/source/text/decode.ts';

describe('decodeBoolean', () => {
  const decoded = (text: string) => {
    const out = new Float64Array(1);
    return decodeBoolean(Buffer.from(text), 0, text.length, out, 0) ? out[0] : undefined;
  };

  it('reads true and false as JavaScript, Python and R write them', () => {
    expect(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'].map(decoded)).to.deep.equal([1, 1, 1, 0, 0, 0]);
  });

  it('refuses anything else', () => {
    expect(['', '1', 'yes', 'tRUE', 'truex', 'true '].map(decoded)).to.deep.equal(Array(6).fill(undefined));
  });
});
