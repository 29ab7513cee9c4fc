import { ArgumentError } from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { refuseHoldout } from './holdOut.ts';

/** Refuses what a private run must not do, before anything is read. */
export function refuseUnprotected(flags: FitFlags): void {
  const refuse = (problem: string): never => {
    throw new ArgumentError(problem);
  };
  if (flags.delta === undefined) refuse('--epsilon needs --delta; 1e-6 is usual, and it must be below 1/n');
  if (flags.nulls === 'error') {
    refuse(
      '--nulls error would reveal the contents of rows; a private run gives such rows a zero gradient: leave the flag out',
    );
  }
  if (flags.sql !== undefined) {
    refuse(
      '--sql may combine several rows into one, or drop rows by their contents; for a private run, write its result to a file',
    );
  }
  refuseHoldout(flags, 'a private run, because the held-out loss would be shown without noise');
  if (flags.weights !== undefined)
    refuse('--weights is not for private runs, because row weights are data; leave it out');
  if (flags.start !== undefined) refuse('--start is not for private runs yet; leave it out');
  if (flags.aggregate?.startsWith('huber')) {
    refuse('--aggregate huber has no bounded sensitivity to one row; use mean or median-of-means');
  }
  if ((flags.unit === undefined) !== (flags.maxPerUnit === undefined)) {
    refuse('--unit and --max-per-unit go together: --unit person --max-per-unit 5');
  }
  if (
    flags.loss === 'poisson' &&
    flags.set === 'none' &&
    flags.step === undefined &&
    flags.clip !== undefined
  ) {
    refuse(
      '--loss poisson has unbounded curvature, so no step size can be derived; give --step ETA, or --set l2 --radius D',
    );
  }
  if (flags.calibration === 'paper' && flags.aggregate === 'median-of-means') {
    refuse('--calibration paper is for means; give --calibration exact or parallel, or --aggregate mean');
  }
  if (flags.calibration === 'paper' && flags.unit !== undefined) {
    refuse('--calibration paper protects single rows; give --calibration exact or parallel with --unit');
  }
  if (flags.calibration === 'exact' && flags.mode === 'fresh') {
    refuse('--calibration exact goes with --mode full; for --mode fresh use --calibration parallel');
  }
  if (flags.calibration === 'exact' && flags.schedule !== undefined) {
    refuse(
      `--calibration exact goes with steps over all rows, for which --schedule ${flags.schedule} has no meaning; leave one of them out`,
    );
  }
  if (flags.calibration === 'parallel' && flags.mode === 'full') {
    refuse('--calibration parallel goes with --mode fresh; for --mode full use --calibration exact');
  }
  if (flags.ledger !== undefined && flags.dataset === undefined) {
    refuse('--ledger needs --dataset NAME, by which it adds up runs on the same data');
  }
  if (flags.ledger === undefined && (flags.dataset !== undefined || flags.budget !== undefined)) {
    refuse('--dataset and --budget go with --ledger FILE');
  }
}

/** Refuses flags that do not go with --moments yes. */
export function refuseMoments(flags: FitFlags, rereadable: boolean): void {
  if (flags.moments !== 'yes') return;
  const { set, clip, rowLength, step, ridge, aggregate, mode, schedule, calibration, method } = flags;
  const other =
    (set !== 'none' && `--set ${set}`) ||
    (clip !== undefined && `--clip ${clip}`) ||
    (rowLength !== undefined && `--row-length ${rowLength}`) ||
    (step !== undefined && `--step ${step}`) ||
    (ridge !== undefined && `--ridge ${ridge}`) ||
    (aggregate === 'median-of-means' && `--aggregate ${aggregate}`) ||
    (mode === 'fresh' && '--mode fresh') ||
    (schedule !== undefined && `--schedule ${schedule}`) ||
    (!rereadable && 'a stream, which is read once') ||
    (calibration !== undefined &&
      calibration !== 'auto' &&
      calibration !== 'exact' &&
      `--calibration ${calibration}`) ||
    (method.endsWith('frank-wolfe') && `--method ${method}`);
  if (other) throw new ArgumentError(`--moments yes does not go with ${other}; leave one of them out`);
}
