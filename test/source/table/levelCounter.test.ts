import { expect } from 'chai';
import { rememberedLevels, undeclaredRows } from '../../../src/sample/levelTally.ts';
import { levelCounter } from '../../../src/source/table/levels.ts';
import { rankTexts } from '../../../src/source/table/rankBytes.ts';

describe('levelCounter', () => {
  const counted = (texts: readonly (string | null)[], known: readonly string[] = []) => {
    const counter = levelCounter('g', ['a', 'b'], known);
    const rankOf = rankTexts(counter.list);
    const ranks = Float64Array.from(texts, text => (text === null ? 0 : rankOf(text)));
    counter.count(
      ranks,
      Uint8Array.from(texts, text => (text === null ? 1 : 0)),
    );
    return counter.tally();
  };
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, k) => `n${k}`);

  it('counts declared levels and others by name, and no row without a text', () => {
    const tally = counted(['a', 'x', null, 'a', 'y', 'x']);
    expect(tally).to.deep.equal({
      column: 'g',
      rows: 5,
      declared: [
        { level: 'a', rows: 2 },
        { level: 'b', rows: 0 },
      ],
      others: [
        { level: 'x', rows: 2 },
        { level: 'y', rows: 1 },
      ],
      unnamed: 0,
    });
    expect([undeclaredRows(tally), rememberedLevels(tally)]).to.deep.equal([3, ['x', 'y']]);
  });

  it('remembers up to 20 names, and of more only that, but tells known ones apart', () => {
    expect(rememberedLevels(counted(names(20)))).to.deep.equal(names(20));
    expect(rememberedLevels(counted(names(21)))).to.equal(null);
    const many = counted([...names(50), 'late'], ['late']);
    expect([many.others[0], undeclaredRows(many)]).to.deep.equal([{ level: 'late', rows: 1 }, 51]);
  });
});
