import { expect } from 'chai';
import { countOf, decimal, decimalsFor, numeral, powerOfTen } from '../../../src/sink/page/numerals.ts';

describe('numeral', () => {
  it('rounds to significant digits, with commas and a true minus', () => {
    const cases: readonly (readonly [number, string])[] = [
      [0, '0'],
      [-0, '0'],
      [1, '1'],
      [-1.25, '−1.25'],
      [1234.567, '1,235'],
      [0.000123456, '0.0001235'],
      [123456789, '123,500,000'],
      [0.99996, '1'],
    ];
    for (const [value, text] of cases) expect(numeral(value), String(value)).to.equal(text);
    expect(numeral(0.123456789, 6)).to.equal('0.123457');
  });

  it('takes powers of ten where zeros would be many', () => {
    expect(numeral(1e-6)).to.equal('10⁻⁶');
    expect(numeral(-1.25e-11)).to.equal('−1.25\u00a0×\u00a010⁻¹¹');
    expect(numeral(3e12)).to.equal('3\u00a0×\u00a010¹²');
    expect(numeral(0.000099999)).to.equal('0.0001');
    expect(powerOfTen(0)).to.equal('10⁰');
  });

  it('says nothing of what is no number', () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) expect(numeral(value)).to.equal('–');
  });
});

describe('decimal', () => {
  it('shows an error with two digits, and its estimate as finely', () => {
    expect(decimalsFor(0.0312)).to.equal(3);
    expect(decimal(2.92962, decimalsFor(0.0312))).to.equal('2.930');
    expect(decimal(-0.1007121, decimalsFor(0.00053))).to.equal('−0.10071');
    expect(decimal(-12345.6, decimalsFor(3000))).to.equal('−12,346');
  });

  it('shows no number as 0 that is not', () => {
    expect(decimal(-0.000216, decimalsFor(0.0122))).to.equal('−0.0002');
    expect(decimal(0.392, decimalsFor(15.3))).to.equal('0.4');
    expect(decimal(0, decimalsFor(0.2))).to.equal('0.00');
    expect(decimal(-0, decimalsFor(0.2))).to.equal('0.00');
  });

  it('falls back on significant digits where an error gives no decimals', () => {
    for (const error of [0, Number.NaN, Infinity, 1e-9]) expect(decimalsFor(error)).to.equal(undefined);
    expect(decimal(1.2345678e-7, decimalsFor(1e-9))).to.equal('1.2346\u00a0×\u00a010⁻⁷');
    expect(decimal(Number.NaN, 3)).to.equal('–');
  });
});

describe('countOf', () => {
  it('sets commas', () => {
    expect(countOf(3_000_000)).to.equal('3,000,000');
  });
});
