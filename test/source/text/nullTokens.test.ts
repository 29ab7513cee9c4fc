import { expect } from 'chai';
import { NULLS, nullTokens } from '../../../src/source/text/nullTokens.ts';

const isNullIn = (tokens: readonly string[]) => (cell: string) => {
  const bytes = Buffer.from(`,${cell},`);
  return nullTokens(tokens)(bytes, 1, bytes.length - 1);
};

describe('nullTokens', () => {
  it('takes empty cells, NA, null and NULL for nulls, spaces or not', () => {
    for (const cell of ['', ' ', '\t ', 'NA', ' NA', 'NA ', 'null', 'NULL'])
      expect(isNullIn(NULLS)(cell), cell).to.equal(true);
  });

  it('takes nothing else', () => {
    for (const cell of ['0', 'na', 'Null', 'NAN', 'N', 'NA NA', 'NaN', 'nullable', '-'])
      expect(isNullIn(NULLS)(cell), cell).to.equal(false);
  });

  it('takes the words of a caller instead', () => {
    const isNull = isNullIn(['-999', 'без']);
    expect(['-999', 'без', '', 'NA', '-99', '-9990'].map(isNull)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isNullIn([])('')).to.equal(false);
  });
});
