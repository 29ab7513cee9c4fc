import { expect } from 'chai';
import { decodeExact, decodeInteger } from '../../../src/source/text/decodeNumber.ts';

const decodedBy = (decode: typeof decodeExact) => (text: string) => {
  const bytes = Buffer.from(text);
  const out = new Float64Array(1);
  return decode(bytes, 0, bytes.length, out, 0) ? out[0] : undefined;
};

describe('decodeExact', () => {
  const exact = decodedBy(decodeExact);

  it('takes whole numbers that a double holds, however long', () => {
    for (const text of ['0', '-7', '+12', '9007199254740991', '9007199254740992', '-9007199254740994', `${2n ** 200n}`])
      expect(exact(text)).to.equal(Number(text));
  });

  it('refuses whole numbers that a double would change', () => {
    for (const text of [
      '9007199254740993',
      '-9007199254740993',
      '123456789012345678',
      `${2n ** 200n + 1n}`,
      '9'.repeat(400),
    ])
      expect(exact(text), text).to.equal(undefined);
  });

  it('lets fractions and exponents be rounded, for they promise no exactness', () => {
    for (const text of ['0.1', '12345678901234567.5', '1e300', '9007199254740993.0'])
      expect(exact(text)).to.equal(Number(text));
    expect(exact('NaN')).to.be.NaN;
  });
});

describe('decodeInteger', () => {
  const integer = decodedBy(decodeInteger);

  it('takes whole values only', () => {
    expect(['12', '-3', '4.0', '5e2'].map(integer)).to.deep.equal([12, -3, 4, 500]);
    expect(['1.5', 'NaN', 'inf', '9007199254740993', 'x'].map(integer)).to.deep.equal(Array(5).fill(undefined));
  });

  it('takes them however they are written, if a double holds what is written', () => {
    for (const text of [
      '9007199254740991.000',
      '-9007199254740992.0',
      '+900719925474099.1e1',
      '0.00012e5',
      '.5E+1',
      '7.',
      '007',
      '1e22',
      '0e999',
      '-0.0',
    ])
      expect(integer(text), text).to.equal(Number(text));
    for (const text of [
      '9007199254740993.0',
      '-900719925474099.3e1',
      '9007199254740991.4',
      '4503599627370497.0000001',
      '1.00000000000000000001',
      '0.99999999999999999999',
      '1e-999',
      '1e23',
      '1e999',
    ])
      expect(integer(text), text).to.equal(undefined);
  });

  it('judges a cell of many zeros in one pass', () => {
    // A million of them took hours where zeros were looked for from every one of them.
    const zeros = '0'.repeat(1_000_000);
    expect(integer(`1.${zeros}1`)).to.equal(undefined);
    expect(integer(`1.${zeros}`)).to.equal(1);
    expect(integer(`1${zeros}`)).to.equal(undefined);
  });
});
