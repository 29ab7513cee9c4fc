import { expect } from 'chai';
import { displayWidth, table, visibleLines } from '../../../src/cli/render/text.ts';

describe('tables in a terminal', () => {
  it('know how many columns a character takes', () => {
    expect(['ab', '年齢', 'ｆ', 'e\u0301', '🙂', 'ä'].map(displayWidth)).to.deep.equal([2, 4, 2, 1, 2, 1]);
  });

  it('write out what would move the cursor, or break a line', () => {
    expect(
      table([
        ['a\nb\x1b[31m', '1'],
        ['c\x9b2J\u202e', '2'],
      ]),
    ).to.equal('  a\\nb\\u001b[31m   1\n  c\\u009b2J\\u202e  2\n');
    expect(visibleLines('one\r\ntwo\x07')).to.equal('one\\r\ntwo\\u0007');
  });

  it('align names of any script', () => {
    expect(
      table([
        ['年齢', '1'],
        ['hour', '2'],
        ['e\u0301', '3'],
      ]),
    ).to.equal('  年齢  1\n  hour  2\n  e\u0301     3\n');
  });
});
