import { expect } from 'chai';
import { toDigits } from '../../src/words.ts';

describe('toDigits', () => {
  it('rounds to significant digits, and leaves out zeros that say nothing', () => {
    expect(toDigits(1234.56, 3)).to.equal('1230');
    expect(toDigits(0.000123456, 4)).to.equal('0.0001235');
    expect(toDigits(2.5000001, 6)).to.equal('2.5');
    expect(toDigits(1e21, 3)).to.equal('1e+21');
  });
});
