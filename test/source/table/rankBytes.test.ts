import { expect } from 'chai';
import fc from 'fast-check';
import { rankBytes } from '../../../src/source/table/rankBytes.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 4 });

describe('rankBytes', () => {
  it('finds a text wherever it lies as indexOf finds the string', () => {
    holdsForAll(
      fc.property(fc.array(text, { maxLength: 12 }), text, text, text, (levels, before, wanted, after) => {
        const { rankOf, longest } = rankBytes({ levels });
        const [head, word] = [Buffer.from(before), Buffer.from(wanted)];
        const bytes = Buffer.concat([head, word, Buffer.from(after)]);
        expect(rankOf(bytes, head.length, head.length + word.length)).to.equal(levels.indexOf(wanted));
        expect(longest).to.equal(Math.max(0, ...levels.map(level => Buffer.byteLength(level))));
      }),
    );
  });

  it('tells texts with the same hash apart', () => {
    // Both have the FNV-1a hash 0x5e4daa9d.
    const levels = ['costarring', 'liquid'];
    const { rankOf } = rankBytes({ levels });
    expect(levels.map(level => rankOf(Buffer.from(level), 0, level.length))).to.deep.equal([0, 1]);
  });

  it('finds no bytes that are not UTF-8', () => {
    const { rankOf } = rankBytes({ levels: ['\ufffd', 'a'] });
    expect(rankOf(Uint8Array.of(0xff), 0, 1)).to.equal(-1);
  });

  it('takes in no bytes that are not UTF-8, and keeps none that are not its own', () => {
    const levels: string[] = [];
    const { rankOf } = rankBytes({ levels, most: 3 });
    const bytes = Buffer.from('ab\xff', 'latin1');
    expect(rankOf(bytes, 0, 3)).to.equal(-1);
    expect(rankOf(bytes, 0, 2)).to.equal(0);
    bytes.fill('x');
    expect(rankOf(Buffer.from('ab'), 0, 2)).to.equal(0);
    expect(rankOf(bytes, 0, 2)).to.equal(1);
    expect(levels).to.deep.equal(['ab', 'xx']);
  });
});
