/** The privacy of private streams: transcripts, and a ledger that stays as it is. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { promising, release } from '../support/ledgerPlans.ts';
import { privateShift, TRANSCRIPTS } from '../support/privateTranscripts.ts';

describe('private streams', () => {
  for (const { name, departs } of TRANSCRIPTS) {
    it(`${departs ? 'betray' : 'cost no more than declared with'} ${name}, by 2,500 transcripts a side`, () => {
      const { estimate, lower } = privateShift(name, 2500, 2);
      process.stdout.write(`      mu ${estimate.toFixed(3)}, at least ${lower.toFixed(3)}\n`);
      if (departs) expect(lower).to.be.greaterThan(1);
      else expect(lower).to.be.at.most(1);
    });
  }

  it('leave the ledger file as it is over 20,000 chunks and as many restarts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-stream-'));
    const path = join(folder, 'ledger.jsonl');
    const plan = {
      ...promising(1),
      stream: { name: 'trips', from: '0' },
      event: release('each', promising(1).guarantee.mu),
    };
    try {
      const using = <T>(work: (file: ReturnType<typeof openLedgerFile>) => T): T => {
        const file = openLedgerFile(path, { dataset: 'trips' });
        try {
          return work(file);
        } finally {
          file.close();
        }
      };
      const run = using(file => file.beginStream(plan));
      const before = readFileSync(path, 'utf8');
      for (let t = 0; t < 20_000; t++) using(file => file.resumeStream(run, plan));
      expect(readFileSync(path, 'utf8')).to.equal(before);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
