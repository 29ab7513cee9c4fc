/** Parses the values of flags; errors name the flag. */
import { ArgumentError, VECTORS } from '../../index.ts';

export function number(flag: string, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new ArgumentError(`${flag} must be a number, got ${JSON.stringify(text)}`);
}

export function positive(flag: string, text: string): number {
  const value = number(flag, text);
  if (value > 0) return value;
  throw new ArgumentError(`${flag} must be above 0, got ${JSON.stringify(text)}`);
}

export function nonNegative(flag: string, text: string): number {
  const value = number(flag, text);
  if (value >= 0) return value;
  throw new ArgumentError(`${flag} must be at least 0, got ${JSON.stringify(text)}`);
}

export function probability(flag: string, text: string): number {
  const value = number(flag, text);
  if (value > 0 && value < 1) return value;
  throw new ArgumentError(`${flag} must be between 0 and 1, got ${JSON.stringify(text)}`);
}

export function wholeNumber(flag: string, text: string, least = 1): number {
  const value = number(flag, text.replaceAll('_', ''));
  if (Number.isInteger(value) && value >= least) return value;
  throw new ArgumentError(`${flag} must be a whole number of at least ${least}, got ${JSON.stringify(text)}`);
}

export const optional = <T>(
  flag: string,
  text: string | undefined,
  parse: (flag: string, text: string) => T,
): T | undefined => (text === undefined ? undefined : parse(flag, text));

/** 'a,b,c' */
export function names(flag: string, text: string): readonly string[] {
  const found = text.split(',').map(name => name.trim());
  if (found.every(name => name !== '')) return found;
  throw new ArgumentError(`${flag} must be names separated by commas, got ${JSON.stringify(text)}`);
}

/** 'origin=ATL|LAX' */
export function levels(texts: readonly string[]): Record<string, readonly string[]> {
  const declared = new Map<string, readonly string[]>();
  for (const text of texts) {
    const [, column, list] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const found = list?.split('|') ?? [];
    if (column === undefined || found.some(level => level === '') || new Set(found).size < found.length) {
      throw new ArgumentError(
        `--categorical must look like origin=ATL|LAX with distinct levels, got ${JSON.stringify(text)}`,
      );
    }
    declared.set(column, found);
  }
  return Object.fromEntries(declared);
}

/** 'pseudo-huber:0.5' */
export function withParameter(text: string): { readonly name: string; readonly parameter?: string } {
  const at = text.indexOf(':');
  return at < 0 ? { name: text } : { name: text.slice(0, at), parameter: text.slice(at + 1) };
}

/** 'smoothness=1,eigenvalues=1|1|0.5' */
export function given(flag: string, texts: readonly string[]): Record<string, number | Float64Array> {
  const found = new Map<string, number | Float64Array>();
  for (const part of texts.flatMap(text => text.split(','))) {
    const [, name, value] = /^\s*(\w+)\s*=(.+)$/.exec(part) ?? [];
    if (name === undefined) {
      throw new ArgumentError(
        `${flag} must look like smoothness=1,eigenvalues=1|1|0.5, got ${JSON.stringify(part)}`,
      );
    }
    if (found.has(name))
      throw new ArgumentError(`${flag} must name ${name} once, got it twice; leave one of them out`);
    const values = value!.split('|').map(text => number(`${flag} ${name}`, text));
    found.set(name, VECTORS.includes(name) || values.length > 1 ? Float64Array.from(values) : values[0]!);
  }
  return Object.fromEntries(found);
}
