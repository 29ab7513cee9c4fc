/**
 * `sluice/privacy`: what noise a guarantee needs, mechanisms that add it, and accounts of what was spent.
 *
 * @module
 */

export { discreteGaussian } from '../math/random/discreteGaussian.ts';
export { secure } from '../math/random/secure.ts';
export { discreteGaussianMechanism } from './discreteGaussianMechanism.ts';
export { gaussianEvent, nonPrivateEvent, type PrivacyEvent, type RowSet } from './event.ts';
// Accounting: epsilon, delta and mu
export { delta, epsilonFor, logDelta, muFor, zeroConcentrated } from './gaussianDp.ts';
// Noise, and mechanisms that add it
export { type Budget, gaussianNoise, meanSensitivity } from './gaussianNoise.ts';
export { type IntegerNoise, integerNoise, integerRelease } from './integerNoise.ts';
export { ledger } from './ledger.ts';
// Ledger files: what the runs on a data set have spent together
export type { DatasetAccount, RunAccount } from './ledgerFile/book.ts';
export {
  type LedgerFile,
  type LedgerOptions,
  type LedgerRun,
  openLedgerFile,
  type RunPlan,
} from './ledgerFile/openLedgerFile.ts';
export { type Protection, protectionText } from './ledgerFile/protection.ts';
export { type LedgerContents, readLedgerFile } from './ledgerFile/readLedgerFile.ts';
export type { Guarantee, RunRecord } from './ledgerFile/record.ts';
export { type Mechanism, type Release, recorded } from './mechanism.ts';
export { composedNoise, frankWolfeNoise, singleRowNoise } from './paperNoise.ts';
export { simulatedGaussian } from './simulatedGaussian.ts';
