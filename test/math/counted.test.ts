import { expect } from 'chai';
import { counted } from '../../src/words.ts';

describe('counted', () => {
  it('puts a noun in the plural unless there is one', () => {
    expect([0, 1, 2].map(count => counted(count, 'row'))).to.deep.equal(['0 rows', '1 row', '2 rows']);
  });
});
