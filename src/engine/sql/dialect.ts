/** What differs between engines in the statements that are sent to them. */
export interface Dialect {
  /** The engine's name, for messages. */
  readonly name: string;
  /** A name as an identifier, whatever is in it. */
  quote(name: string): string;
  /** A text as a literal. */
  text(value: string): string;
  /** The engine's name of the type of texts. */
  readonly textType: string;
  /** The first five hexadecimal digits of the md5 of a text, as a whole number. */
  digest(text: string): string;
  /** The type of a column by the engine's name for it, as `source/table` knows types. */
  kindOf(type: string): 'float' | 'integer' | 'exact' | 'boolean' | 'time' | 'text' | 'unsupported';
  /** A time in seconds since 1970, as a double. */
  seconds(column: string, type: string): string;
  /** The number of bytes of a text. */
  bytes(text: string): string;
}

/**
 * A double as a literal that every engine reads back to the same bits. The exponent makes it a double: `0.1` is a decimal
 * in all of them.
 */
export const doubleLiteral = (value: number): string => {
  if (!Number.isFinite(value)) throw new Error(`a statement cannot hold ${value}`);
  const text = value.toExponential();
  return value < 0 ? `(${text})` : text;
};

/** The largest finite double as a literal: what is larger in size, or no number, cannot be used. */
export const LARGEST_DOUBLE = '1.7976931348623157e+308';
