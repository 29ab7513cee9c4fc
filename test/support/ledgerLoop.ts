/**
 * Runs without end on a ledger file, writes down each release after its charge, and says `.` on the way so that it can
 * be killed wherever it is.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { promising, release } from './ledgerPlans.ts';

const [path, released] = process.argv.slice(2) as [string, string];
const plan = promising(1);
const say = (): number => writeSync(1, '.');
say();
for (;;) {
  const file = openLedgerFile(path, { dataset: 'people' });
  say();
  const run = file.begin(plan);
  for (let step = 0; step < 3; step++) {
    run.charge(release(step, plan.guarantee.mu));
    appendFileSync(released, `${run.id} ${step}\n`);
    say();
  }
  run.finish();
  file.close();
  say();
}
