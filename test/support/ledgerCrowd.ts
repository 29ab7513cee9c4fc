/** Runs a number of times on a ledger file that others use too, and waits for its turn each time. */
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { promising, release } from './ledgerPlans.ts';
import { patiently } from './patiently.ts';

const [path, times] = process.argv.slice(2) as [string, string];
for (let k = 0; k < Number(times); k++) {
  const file = patiently(() => openLedgerFile(path, { dataset: `by ${process.pid}` }), 4);
  const plan = promising(1);
  const run = file.begin(plan);
  for (let step = 0; step < 3; step++) run.charge(release(step, plan.guarantee.mu));
  run.finish();
  file.close();
}
