import { type EncoderOptions, exactDigits, type TableEncoder } from './tableEncoder.ts';

/** RFC 4180, except that lines end with a line feed alone. */
export const csvEncoder = ({ names }: EncoderOptions): TableEncoder => {
  // Most readers would skip an empty line.
  const empty = names.length === 1 ? '""' : '';
  const field = (value: number): string => (Number.isNaN(value) ? empty : exactDigits(value));
  return {
    begin: () => [`${names.map(quoted).join(',')}\n`],
    encode: columns => {
      let text = '';
      for (let i = 0; i < columns[0]!.length; i++) {
        for (let j = 0; j < columns.length; j++) text += (j === 0 ? '' : ',') + field(columns[j]![i]!);
        text += '\n';
      }
      return [text];
    },
    end: () => [],
  };
};

const quoted = (name: string): string => (/^$|^\s|[",\r\n]|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
