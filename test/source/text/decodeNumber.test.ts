import { expect } from 'chai';
import { seeded } from '../../../src/math/random/seeded.ts';
import { decodeNumber } from '../../../src/source/text/decodeNumber.ts';

function decoded(text: string): number | undefined {
  // Among other digits, which it must not touch.
  const bytes = Buffer.from(`7${text}7`);
  const out = new Float64Array(1);
  return decodeNumber(bytes, 1, bytes.length - 1, out, 0) ? out[0] : undefined;
}

const random = seeded(1, 'numbers in text');
const below = (limit: number): number => random.word() % limit;
const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('');
const bits = new DataView(new ArrayBuffer(8));
/** Any finite double, all exponents alike. */
const anyDouble = (): number => {
  bits.setUint32(0, random.word());
  bits.setUint32(4, random.word());
  return Number.isFinite(bits.getFloat64(0)) ? bits.getFloat64(0) : anyDouble();
};
const sign = (): string => ['', '', '-', '+'][below(4)]!;

function expectLikeNumber(text: string): void {
  if (!Object.is(decoded(text), Number(text)))
    expect.fail(`${text} became ${decoded(text)} instead of ${Number(text)}`);
}

describe('decodeNumber', () => {
  it('rounds as Number() does, for 100,000 decimals of 1 to 40 digits', () => {
    for (let i = 0; i < 1e5; i++) {
      const whole = digits(below(20));
      const fraction = digits(below(20) + (whole === '' ? 1 : 0));
      const point = fraction === '' && below(2) === 0 ? '' : '.';
      const exponent = below(3) === 0 ? `${'eE'[below(2)]}${['', '-', '+'][below(3)]}${below(40)}` : '';
      expectLikeNumber(sign() + whole + point + fraction + exponent);
    }
  });

  it('gives back 100,000 doubles of any magnitude as JavaScript writes them', () => {
    for (let i = 0; i < 1e5; i++) {
      const value = anyDouble();
      for (const text of [String(value), value.toExponential(), value.toPrecision(21)]) expectLikeNumber(text);
    }
  });

  it('gives back 100,000 doubles of usual magnitudes at 15, 16, 17 and 18 digits', () => {
    for (let i = 0; i < 1e5; i++) {
      const value = (random.word() + random.word() / 2 ** 32) * 10 ** (below(30) - 20);
      for (const precision of [15, 16, 17, 18]) expectLikeNumber(value.toPrecision(precision));
    }
  });

  it('rounds halves to even, and what is just beside them to their side', () => {
    for (let i = 0; i < 2e4; i++) {
      const half = (2n ** 53n + BigInt(random.word()) * BigInt(below(2 ** 21))) * 2n + 1n;
      for (const beside of [-1n, 0n, 1n]) {
        expectLikeNumber(`${half + beside}`);
        expectLikeNumber(`${half + beside}.0`);
        expectLikeNumber(`${half + beside}e3`);
      }
      expectLikeNumber(`${half}.${digits(5)}`);
    }
  });

  it('reaches the smallest and the largest doubles, and rounds beyond them', () => {
    for (const text of [
      '5e-324',
      '2.4703282292062327e-324',
      '2.4703282292062328e-324',
      '2.2250738585072011e-308',
      '2.2250738585072014e-308',
      '1.7976931348623157e308',
      '1.7976931348623159e308',
      '1e400',
      '-1e-400',
      '0e99999999999999999999',
      `0.${'0'.repeat(400)}1e401`,
      '9'.repeat(400),
    ])
      expectLikeNumber(text);
  });

  it('keeps the sign of zero', () => {
    expect(decoded('-0')).to.satisfy((value: number) => Object.is(value, -0));
    expect(decoded('-0.00')).to.satisfy((value: number) => Object.is(value, -0));
    expect(decoded('0')).to.satisfy((value: number) => Object.is(value, 0));
  });

  it('reads what is not finite, in any case', () => {
    for (const text of ['NaN', 'nan', '-nan', 'NAN']) expect(decoded(text)).to.be.NaN;
    for (const text of ['inf', 'Inf', '+inf', 'Infinity', 'INFINITY']) expect(decoded(text)).to.equal(Infinity);
    for (const text of ['-inf', '-Infinity']) expect(decoded(text)).to.equal(-Infinity);
  });

  it('refuses anything else', () => {
    const others = [
      '',
      '.',
      '-',
      '+',
      '-.',
      'e5',
      '1e',
      '1e+',
      '1.2.3',
      '1..',
      '--1',
      '1-',
      '1 ',
      ' 1',
      '0x10',
      '1_000',
    ];
    for (const text of [...others, '1,5', '1e5.', '1e5e5', 'in', 'infinit', 'nano', '१', '2024-01-01', 'true']) {
      expect(decoded(text), text).to.equal(undefined);
    }
  });
});
