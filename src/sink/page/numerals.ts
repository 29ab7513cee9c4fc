/** Numbers formatted for readers; the page also holds the exact value, for machines. */
import { html, type Markup } from './markup.ts';

/** A number to a given number of significant digits: 1,234.5, −0.00012, 1.5 × 10⁻⁷. */
export function numeral(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return scientific(rounded, digits);
  return plain(rounded, Math.max(0, Math.min(20, digits - 1 - exponentOf(size))));
}

/**
 * The decimals at which an error of this size has two digits; undefined where a decimal fraction would be mostly zeros.
 */
export function decimalsFor(error: number): number | undefined {
  if (!(error > 0 && Number.isFinite(error))) return undefined;
  const decimals = 1 - exponentOf(error);
  return decimals > 7 || decimals < -8 ? undefined : Math.max(0, decimals);
}

/**
 * With the given number of decimals, or else of digits; with more where a nonzero value would read as 0, because its
 * sign matters.
 */
export function decimal(value: number, decimals: number | undefined, digits = 5): string {
  if (decimals === undefined || !Number.isFinite(value)) return numeral(value, digits);
  const text = value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return value === 0 || /[1-9]/.test(text) ? signed(text) : numeral(value, 1);
}

/** 1,234,567 */
export const countOf = (value: number): string => plain(value, 0);

/** Powers of ten as labels of a logarithmic axis: 10⁻³. */
export const powerOfTen = (exponent: number): string => `10${superscript(exponent)}`;

/** A number in the page: the text is rounded, the value is not. */
export const figure = (value: number, text: string = numeral(value)): Markup =>
  html`<data value="${String(value)}">${text}</data>`;

export const countFigure = (value: number): Markup => figure(value, countOf(value));

const plain = (value: number, decimals: number): string =>
  signed(value.toLocaleString('en', { maximumFractionDigits: decimals }));

function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const power = powerOfTen(Number(exponent));
  const factor = Number(mantissa);
  return factor === 1 ? power : `${signed(String(factor))}\u00a0×\u00a0${power}`;
}

const exponentOf = (size: number): number => (size === 0 ? 0 : Math.floor(Math.log10(size)));

/** A typographic minus, and no minus before a zero. */
const signed = (text: string): string =>
  text.startsWith('-') ? (/[1-9]/.test(text) ? `−${text.slice(1)}` : text.slice(1)) : text;

const superscript = (exponent: number): string =>
  [...String(exponent)].map(sign => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]!)).join('');
