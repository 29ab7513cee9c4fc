import { expect } from 'chai';
import { shapeTally } from '../../../src/source/text/cellShape.ts';

describe('shapeTally', () => {
  it('knows the first row that is no number, where most are', () => {
    const tally = shapeTally();
    expect(tally.strayRow()).to.equal(undefined);
    tally.add('text', 4);
    expect(tally.strayRow()).to.equal(undefined);
    tally.add('whole', 5);
    expect(tally.strayRow()).to.equal(undefined);
    tally.add('number', 6);
    tally.add('whole', 7);
    tally.add('time', 8);
    expect(tally.strayRow()).to.equal(4);
    expect([...tally.shapes]).to.deep.equal(['text', 'whole', 'number', 'time']);
  });
});
