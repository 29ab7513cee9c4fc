/**
 * Whether the targets are met, cell by cell. The ratio of two methods is the geometric mean over the seeds they share
 * of the ratios of their errors: both saw the same rows, so what luck a sample has falls out.
 */
import { type Accuracy, type Cell, cellsAt } from './cells.ts';
import {
  ADA_SSP,
  assumptionsHold,
  DIFFPRIVLIB,
  isPrivate,
  OURS,
  PLAIN,
  PLAIN_LOGISTIC,
  ROBUST,
  scenarioNamed,
} from './settings.ts';

export const TARGETS = {
  best: 'at most 1.15 times the error of the best peer whose assumptions hold',
  leverage: 'under leverage, from 100,000 rows on, every peer errs at least 2 times as much',
  diffprivlib:
    'diffprivlib errs at least 5 times as much where it errs more than 10 times as much as a fit without noise',
  adaSsp: 'no worse than AdaSSP',
  speed:
    'every robust peer takes at least 10 times as long, from a Parquet file of 1,000,000 rows and 20 features',
  coverage: 'intervals of 95 % hold the truth in 93 to 97 % of 1,000 samples',
  privateCoverage: 'private intervals of 95 % hold the truth in at least 92 % of 200 samples',
} as const;

export interface Verdict {
  readonly target: keyof typeof TARGETS;
  readonly place: Pick<Cell, 'scenario' | 'rows' | 'features'> & { readonly epsilon?: number | null };
  /** The peer that decides. */
  readonly against: string;
  /** Of errors or seconds, as the target says; for intervals, the share that hold. Null where Sluice gave up. */
  readonly value: number | null;
  readonly met: boolean;
}

export const median = (values: readonly (number | null)[]): number | null => {
  const known = values.filter(value => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return null;
  return (known[(known.length - 1) >> 1]! + known[known.length >> 1]!) / 2;
};

/**
 * How many times as large the errors of one are; null where the first one gave up, undefined where there is nothing to
 * compare.
 */
export function ratioOf(one: Cell, other: Cell): number | null | undefined {
  const logs: number[] = [];
  for (const [seed, theirs] of other.errors.entries()) {
    const own = one.errors[seed];
    if (own === undefined || theirs === null) continue;
    if (own === null) return null;
    logs.push(Math.log(own / theirs));
  }
  return logs.length === 0 ? undefined : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

export function verdictsOf({ cells, timings, coverage }: Accuracy): readonly Verdict[] {
  const ours = cells.filter(({ method, errors }) => method === OURS && errors.length > 0);
  return [
    ...ours.flatMap(own => accuracyVerdicts(own, cellsAt(cells, own))),
    ...speedVerdicts(timings),
    ...coverage.flatMap(coverageVerdicts),
  ];
}

/**
 * With fewer seeds than this, or than Sluice has, a peer is shown but decides nothing; nor does Sluice with less than a
 * few.
 */
const FEWEST_SEEDS = 5;
const FEW_SEEDS = 3;

function accuracyVerdicts(own: Cell, cells: readonly Cell[]): readonly Verdict[] {
  const scenario = scenarioNamed(own.scenario);
  const compared = cells.flatMap(cell => {
    const enough = cell.errors.length >= Math.max(FEW_SEEDS, Math.min(FEWEST_SEEDS, own.errors.length));
    const ratio = enough && !cell.method.startsWith(OURS) ? ratioOf(own, cell) : undefined;
    return ratio === undefined ? [] : [{ peer: cell.method, cell, ratio }];
  });
  const place = own;
  /** Against the peer that comes off best. */
  const worst = (target: Verdict['target'], among: typeof compared, most: number): readonly Verdict[] => {
    if (among.length === 0) return [];
    const { peer, ratio } = among.reduce((a, b) => ((b.ratio ?? Infinity) > (a.ratio ?? Infinity) ? b : a));
    return [{ target, place, against: peer, value: ratio, met: ratio !== null && ratio <= most }];
  };
  /** The other way round: how many times as much they err. */
  const inverse = (found: readonly Verdict[]): readonly Verdict[] =>
    found.map(verdict => ({ ...verdict, value: verdict.value === null ? null : 1 / verdict.value }));
  if (!isPrivate(scenario)) {
    const fair = compared.filter(({ peer }) => assumptionsHold(peer, scenario, own.features));
    const bent = scenario.spoilt?.way === 'leverage' && own.rows >= 100_000;
    return [...worst('best', fair, 1.15), ...(bent ? inverse(worst('leverage', compared, 1 / 2)) : [])];
  }
  const plain = cells.find(({ method }) => method === PLAIN || method === PLAIN_LOGISTIC);
  const noisy = compared.filter(
    ({ peer, cell }) =>
      DIFFPRIVLIB.includes(peer) && plain !== undefined && median(cell.errors)! > 10 * median(plain.errors)!,
  );
  return [
    ...inverse(worst('diffprivlib', noisy, 1 / 5)),
    ...worst(
      'adaSsp',
      compared.filter(({ peer }) => peer === ADA_SSP),
      1,
    ),
  ];
}

function speedVerdicts(timings: Accuracy['timings']): readonly Verdict[] {
  const own = timings.find(({ method }) => method === OURS);
  if (own === undefined) return [];
  return timings
    .filter(({ method }) => ROBUST.includes(method))
    .map(({ method, seconds }) => {
      const value = median(seconds)! / median(own.seconds)!;
      return { target: 'speed', place: own, against: method, value, met: value >= 10 };
    });
}

/**
 * Private intervals allow for what noise may hide, so they may hold more often than they say, but not less: 92 % is 95
 * % less two standard errors of 200 samples. Of others, fewer samples than 1,000 cannot tell 93 from 97 %.
 */
const COVERAGE = {
  coverage: { samples: 1000, least: 0.93, most: 0.97 },
  privateCoverage: { samples: 200, least: 0.92, most: 1 },
} as const;

function coverageVerdicts(found: Accuracy['coverage'][number]): readonly Verdict[] {
  const target = isPrivate(scenarioNamed(found.scenario)) ? 'privateCoverage' : 'coverage';
  const { samples, least, most } = COVERAGE[target];
  if (found.covered === null || found.replications < samples) return [];
  return Object.entries(found.covered).map(([what, share]) => ({
    target,
    place: found,
    against: what,
    value: share,
    met: share >= least && share <= most,
  }));
}
