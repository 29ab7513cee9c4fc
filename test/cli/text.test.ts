import { expect } from 'chai';
import { displayWidth, table } from '../../src/cli/text.ts';

describe('tables in a terminal', () => {
  it('know how many columns a character takes', () => {
    expect(['ab', '年齢', 'ｆ', 'e\u0301', '🙂', 'ä'].map(displayWidth)).to.deep.equal([2, 4, 2, 1, 2, 1]);
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
