import { expect } from 'chai';
import { killRuns } from '../support/killedRuns.ts';

describe('a ledger file', () => {
  it('survives 200 kills at random moments', async () => {
    expect(await killRuns(200)).to.be.at.least(150);
  });
});
