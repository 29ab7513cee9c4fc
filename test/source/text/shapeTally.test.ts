import { expect } from 'chai';
import { shapeTally } from '../../../src/source/text/cellShape.ts';

const never = (): string => {
  throw new Error('asks for the text of a cell that is none');
};

describe('shapeTally', () => {
  it('knows the first row that is no number, where most are', () => {
    const tally = shapeTally();
    expect(tally.strayRow()).to.equal(undefined);
    tally.add('text', 4, () => 'x');
    expect(tally.strayRow()).to.equal(undefined);
    tally.add('whole', 5, () => '7');
    expect(tally.strayRow()).to.equal(undefined);
    tally.add('number', 6, () => '7');
    tally.add('whole', 7, () => '7');
    tally.add('time', 8, never);
    expect(tally.strayRow()).to.equal(4);
    expect([...tally.shapes]).to.deep.equal(['text', 'whole', 'number', 'time']);
  });

  it('takes few texts without digits among more numbers for missing ones, whatever they are', () => {
    const found = (texts: readonly string[], numbers: number) => {
      const tally = shapeTally();
      for (const text of texts) tally.add('text', 0, () => text);
      for (let i = 0; i < numbers; i++) tally.add('number', 1, () => '7');
      return tally.nullTokens();
    };
    expect(found([], 9)).to.equal(undefined);
    expect(found(['n/a', ' - ', 'n/a', 'fehlt'], 5)).to.deep.equal(['n/a', '-', 'fehlt']);
    expect(found(['weg', 'fehlt', 'weg', 'fehlt'], 5)).to.deep.equal(['weg', 'fehlt']);
    expect(found(['weg', 'fehlt', 'weg', 'fehlt'], 4)).to.equal(undefined);
    expect(found(['?', '$5'], 9)).to.equal(undefined);
    expect(found([...'abcde'], 99)).to.deep.equal([...'abcde']);
    expect(found([...'abcdef'], 99)).to.equal(undefined);
  });

  it('asks of the other cells alone whether most are numbers, where most cells are words for a missing value', () => {
    const found = (words: readonly string[], numbers: number, others: number) => {
      const tally = shapeTally();
      for (const word of words) for (let i = 0; i < 60; i++) tally.add('text', i, () => word);
      for (let i = 0; i < numbers; i++) tally.add('number', i, () => '7');
      for (let i = 0; i < others; i++) tally.add('text', i, () => 'none of these');
      return tally.nullTokens();
    };
    for (const word of ['?', '-', 'n/a', 'N/A', '#N/A', 'none']) expect(found([word], 40, 0)).to.deep.equal([word]);
    expect(found(['?', 'n/a'], 2, 1)).to.deep.equal(['?', 'n/a', 'none of these']);
    expect(found(['?'], 1, 1)).to.equal(undefined);
    // A column of such words alone has no number to be missing.
    expect(found(['none'], 0, 0)).to.equal(undefined);
    for (const word of [
      '#DIV/0!',
      '#NAME?',
      '#VALUE!',
      '#REF!',
      '#NUM!',
      '#N/A N/A',
      '<NA>',
      '-1.#IND',
      '\\N',
      '(null)',
    ])
      expect(found([word], 40, 0), word).to.deep.equal([word]);
    const errors = ['#DIV/0!', '#NAME?', '#VALUE!', '#REF!', '#NUM!', '#NULL!', '#SPILL!'];
    expect(found(errors, 40, 0)).to.deep.equal(errors);
    // Any other word may be a level.
    expect(found(['often'], 40, 0)).to.equal(undefined);
  });

  it('takes any few words for missing numbers beside many different numbers, however many cells they are', () => {
    const found = (different: number) => {
      const tally = shapeTally();
      for (let i = 0; i < 900; i++) tally.add('text', i, () => (i % 2 === 0 ? 'not asked' : 'refused'));
      for (let i = 0; i < 100; i++) tally.add('number', i, () => String(0.5 + (i % different)));
      return tally.nullTokens();
    };
    expect(found(20)).to.deep.equal(['not asked', 'refused']);
    expect(found(19)).to.equal(undefined);
  });

  it('takes none beside times, or true and false', () => {
    const tally = shapeTally();
    for (let i = 0; i < 9; i++) tally.add('whole', i, () => '7');
    tally.add('text', 9, () => '?');
    tally.add('boolean', 10, never);
    expect(tally.nullTokens()).to.equal(undefined);
  });
});
