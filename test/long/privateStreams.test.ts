/** Statistics of private streams, with as many repeats as tell them well. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { promising, release } from '../support/ledgerPlans.ts';
import { type PrivateCell, privateError } from '../support/privateError.ts';
import { privateShift, TRANSCRIPTS } from '../support/privateTranscripts.ts';

const CELLS: readonly PrivateCell[] = [
  { epsilon: 0.5, features: 5, kind: 't3', rho: 0.9, repeats: 24 },
  { epsilon: 0.5, features: 10, kind: 'huber', rho: 0.5, repeats: 16 },
  { epsilon: 1, features: 5, kind: 't3', rho: 0.9, repeats: 60 },
  { epsilon: 1, features: 10, kind: 't3', rho: 0.9, repeats: 24 },
  { epsilon: 1, features: 20, kind: 't3', rho: 0.5, repeats: 12 },
  { epsilon: 1, features: 5, kind: 'logistic', rho: 0.5, repeats: 40 },
  { epsilon: 3, features: 5, kind: 't3', rho: 0.9, repeats: 60 },
  { epsilon: 3, features: 10, kind: 'huber', rho: 0.5, repeats: 40 },
  { epsilon: 3, features: 20, kind: 'huber', rho: 0.9, repeats: 12 },
  { epsilon: 3, features: 5, kind: 'squared', rho: 0.5, repeats: 16, scale: 0.3 },
  { epsilon: 3, features: 5, kind: 'poisson', rho: 0.5, repeats: 60 },
  { epsilon: 3, features: 5, kind: 't3', rho: 0.9, repeats: 40, forget: 20, preambles: 15 },
];

describe('private streams', () => {
  for (const cell of CELLS) {
    it(`have the error that the formula says, to 15 %, after ten preambles: ${JSON.stringify(cell)}`, () => {
      const { ratio, outside, everOutside, halfway, preamble } = privateError(cell);
      process.stdout.write(
        `      ${ratio.toFixed(3)} of the formula, outside now ${outside.toFixed(3)}, ever ${everOutside.toFixed(3)}, m* ${halfway.toFixed(0)}, preamble ${preamble}\n`,
      );
      // A repeat's squared error varies by sqrt(2/k) of itself; three standard errors of that mean are allowed for.
      const slack = 3 * Math.sqrt(1 / (2 * (cell.features + 1) * cell.repeats));
      expect(ratio).to.be.below(1.15 * (1 + slack));
    });
  }

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
