import { expect } from 'chai';
import { killRuns } from '../../support/killedRuns.ts';

describe('a ledger file whose runs are killed', () => {
  it('stays intact and holds every release, over 20 kills at random moments, and the next run goes on @slow', async () => {
    expect(await killRuns(20)).to.be.at.least(10);
  });
});
