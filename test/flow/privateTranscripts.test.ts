import { expect } from 'chai';
import { privateShift, TRANSCRIPTS } from '../support/privateTranscripts.ts';

/**
 * What an adversary learns who sees all releases and chooses rows by them: the likelihood ratio of whole transcripts,
 * which is all there is to learn. The declared mu is 1. Lower bounds fail less often than one time in a million;
 * `test/long` draws more.
 */
describe('transcripts of private streams', () => {
  for (const { name, departs, draws } of TRANSCRIPTS) {
    it(`${departs ? 'betray' : 'cost no more than declared with'} ${name}`, () => {
      const { lower, estimate } = privateShift(name, draws);
      if (departs) expect(lower).to.be.greaterThan(1);
      else {
        expect(lower).to.be.at.most(1);
        // Far from 0, or the adversary would not be one.
        expect(estimate).to.be.greaterThan(0.3);
      }
    });
  }
});
