import { digits } from './digits.ts';
import type { TableEncoder } from './tableEncoder.ts';

/** An object a line. */
export const ndjsonEncoder = (names: readonly string[]): TableEncoder => {
  const openings = names.map((name, j) => `${j === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return {
    begin: () => [],
    encode: columns => {
      let text = '';
      for (let i = 0; i < columns[0]!.length; i++) {
        for (let j = 0; j < columns.length; j++) text += openings[j]! + digits(columns[j]![i]!);
        text += '}\n';
      }
      return [text];
    },
    end: () => [],
  };
};
