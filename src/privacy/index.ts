/**
 * What noise a guarantee needs, mechanisms that add it, and accounts of what was spent.
 *
 * @module sluice/privacy
 */

// Accounting: epsilon, delta and mu
export { muFor, epsilonFor, delta, logDelta, zeroConcentrated } from './gaussianDp.ts';
export { roundedDown } from '../math/solveIncreasing.ts';
export { ledger } from './ledger.ts';
export { gaussianEvent, nonPrivateEvent, type PrivacyEvent, type RowSet } from './event.ts';
export type { Budget } from './gaussianNoise.ts';

// Noise, and mechanisms that add it
export { gaussianNoise, meanSensitivity } from './gaussianNoise.ts';
export { integerNoise, integerRelease, type IntegerNoise } from './integerNoise.ts';
export { composedNoise, frankWolfeNoise, singleRowNoise } from './paperNoise.ts';
export { discreteGaussianMechanism } from './discreteGaussianMechanism.ts';
export { simulatedGaussian } from './simulatedGaussian.ts';
export { recorded, type Mechanism, type Release } from './mechanism.ts';
export { discreteGaussian } from '../math/random/discreteGaussian.ts';
export { secure } from '../math/random/secure.ts';

// Ledger files: what all runs on a data set have spent together
export {
  openLedgerFile,
  type LedgerOptions,
  type LedgerFile,
  type LedgerRun,
  type RunPlan,
  type StreamPlan,
} from './ledgerFile/openLedgerFile.ts';
export { readLedgerFile, type LedgerContents } from './ledgerFile/readLedgerFile.ts';
export { protectionText, type Protection } from './ledgerFile/protection.ts';
export type { RunRecord, Guarantee, StreamRecord } from './ledgerFile/record.ts';
export type { DatasetAccount, RunAccount } from './ledgerFile/book.ts';
