import { ArgumentError } from '../errors.ts';

/**
 * Plain data as a text, to the last bit: what JSON can hold, and beside it numbers that are not finite, -0, undefined in
 * a record (left out) and Float64Arrays. States of rules are of this kind, and checkpoints hold them as such a text.
 *
 * Numbers that JSON would change and arrays of doubles are records with one name that begins with `$`:
 * `{"$number": "-0"}`, `{"$float64": "…"}`, the bytes of the doubles, little-endian, in base64. Records may therefore not
 * have names that begin with `$` themselves.
 *
 * @example
 * fromText(toText({ theta: Float64Array.of(0.1, -0), rows: Infinity })); // { theta: [0.1, -0], rows: Infinity }
 */
export const toText = (data: unknown): string => JSON.stringify(marked(data));

/** The data of `toText`, with the same bits. */
export const fromText = (text: string): unknown => unmarked(JSON.parse(text));

function marked(data: unknown): unknown {
  if (data instanceof Float64Array) return { $float64: base64(data) };
  if (typeof data === 'number')
    return Number.isFinite(data) && !Object.is(data, -0) ? data : { $number: Object.is(data, -0) ? '-0' : `${data}` };
  if (data === null || typeof data === 'string' || typeof data === 'boolean' || data === undefined) return data;
  if (Array.isArray(data)) return data.map(value => marked(value));
  const isRecord = typeof data === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(data));
  if (!isRecord)
    throw new ArgumentError(
      `plain data must be numbers, texts, Float64Arrays and records, got ${data}`,
      'ERR_ARGUMENT',
      { argument: 'data', value: String(data) },
    );
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (name.startsWith('$'))
        throw new ArgumentError(`names of plain data must not begin with $, got ${name}`, 'ERR_ARGUMENT', {
          argument: 'name',
          value: name,
        });
      return [name, marked(value)];
    }),
  );
}

function unmarked(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(value => unmarked(value));
  if (typeof data !== 'object' || data === null) return data;
  const { $float64, $number } = data as { readonly $float64?: unknown; readonly $number?: unknown };
  if (typeof $float64 === 'string') return doubles($float64);
  if (typeof $number === 'string') return Number($number);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, unmarked(value)]));
}

/** Little-endian whatever the machine: a checkpoint may be read on another one. */
function base64(values: Float64Array): string {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => {
    bytes.writeDoubleLE(value, 8 * i);
  });
  return bytes.toString('base64');
}

function doubles(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
}
