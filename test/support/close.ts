import { expect } from 'chai';

/** Equal to 12 digits, unless told: what a formula written in another order may differ by. */
export function expectClose(actual: number, expected: number, relative = 1e-12): void {
  expect(actual).to.be.closeTo(expected, relative * Math.abs(expected));
}

/**
 * Equal to as many digits as the text holds, and to no more than 12 where it holds more. A text of 0 asks for 0.
 */
export function expectDigits(actual: number, text: string): void {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const decimals = (mantissa.split('.')[1] ?? '').length;
  const expected = Number(text);
  const halfDigit = expected === 0 ? 0 : 0.5 * 10 ** (Number(exponent) - decimals);
  expect(actual).to.be.closeTo(expected, halfDigit + 1e-12 * Math.abs(expected));
}
