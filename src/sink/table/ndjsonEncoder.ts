import { type EncoderOptions, exactDigits, type TableEncoder } from './tableEncoder.ts';

/** One object per line. */
export const ndjsonEncoder = ({ names }: EncoderOptions): TableEncoder => {
  const openings = names.map((name, j) => `${j === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return {
    begin: () => [],
    encode: columns => {
      let text = '';
      for (let i = 0; i < columns[0]!.length; i++) {
        for (let j = 0; j < columns.length; j++) text += openings[j]! + value(columns[j]![i]!);
        text += '}\n';
      }
      return [text];
    },
    end: () => [],
  };
};

const value = (number: number): string => (Number.isNaN(number) ? 'null' : exactDigits(number));
