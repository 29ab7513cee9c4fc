import { expect } from 'chai';
import fc from 'fast-check';
import { LONGEST_LEVEL } from '../../../src/source/table/levels.ts';
import { rankBytes, rankTexts } from '../../../src/source/table/rankBytes.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const word = fc.string({ unit: 'grapheme', maxLength: 2 });

const rankers = {
  rankTexts,
  rankBytes: (list: Parameters<typeof rankBytes>[0]) => {
    const { rankOf } = rankBytes(list);
    return (text: string) => rankOf(Buffer.from(text), 0, Buffer.byteLength(text));
  },
};

for (const [name, ranker] of Object.entries(rankers)) {
  describe(`levels by ${name}`, () => {
    it('are found as indexOf finds them, and stay as they are, where they are declared', () => {
      holdsForAll(
        fc.property(fc.array(word), fc.array(word), (levels, texts) => {
          const before = [...levels];
          const rankOf = ranker({ levels });
          expect(texts.map(rankOf)).to.deep.equal(texts.map(text => before.indexOf(text)));
          expect(levels).to.deep.equal(before);
        }),
      );
    });

    it('are the first texts in the order in which they come, where they are discovered', () => {
      holdsForAll(
        fc.property(fc.array(word), fc.nat(4), fc.nat(6), (texts, known, most) => {
          const distinct = [...new Set(texts)];
          const levels = distinct.slice(0, known);
          const expected = distinct.slice(0, Math.max(most, levels.length));
          const ranks = texts.map(ranker({ levels, most }));
          expect(levels).to.deep.equal(expected);
          expect(ranks).to.deep.equal(texts.map(text => expected.indexOf(text)));
        }),
      );
    });

    it('do not take in a text of more than so many bytes', () => {
      const levels: string[] = [];
      const rankOf = ranker({ levels, most: 5 });
      const longest = 'é'.repeat(LONGEST_LEVEL / 2);
      expect(rankOf(`${longest}!`)).to.equal(-1);
      expect(rankOf(longest)).to.equal(0);
      expect(levels).to.deep.equal([longest]);
      // One that is declared may be of any length.
      expect(ranker({ levels: [`${longest}!`], most: 5 })(`${longest}!`)).to.equal(0);
    });
  });
}
