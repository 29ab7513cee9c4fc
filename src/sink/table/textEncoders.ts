import { type EncoderOptions, exactDigits, type Piece, type TableEncoder } from './tableEncoder.ts';

/** RFC 4180, except that lines end with a line feed alone. */
export const csvEncoder = ({ names }: EncoderOptions): TableEncoder =>
  textEncoder([`${names.map(quoted).join(',')}\n`], {
    openings: names.map((_, j) => (j === 0 ? '' : ',')),
    // Most readers would skip an empty line.
    missing: names.length === 1 ? '""' : '',
    ending: '\n',
  });

/** One object per line. */
export const ndjsonEncoder = ({ names }: EncoderOptions): TableEncoder =>
  textEncoder([], {
    openings: names.map((name, j) => `${j === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    missing: 'null',
    ending: '}\n',
  });

/** A line for every row: each value behind the opening of its column. */
const textEncoder = (
  head: readonly Piece[],
  { openings, missing, ending }: { openings: readonly string[]; missing: string; ending: string },
): TableEncoder => ({
  begin: () => head,
  encode: columns => {
    let text = '';
    for (let i = 0; i < columns[0]!.length; i++) {
      for (let j = 0; j < columns.length; j++) {
        const value = columns[j]![i]!;
        text += openings[j]! + (Number.isNaN(value) ? missing : exactDigits(value));
      }
      text += ending;
    }
    return [text];
  },
  end: () => [],
});

/** By RFC 4180. */
export const quoted = (text: string): string =>
  /^$|^\s|[",\r\n]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
