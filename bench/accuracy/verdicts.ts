/**
 * Whether the targets are met, cell by cell. The ratio of two methods is the geometric mean of the ratios of their
 * errors over the seeds they share: both saw the same rows, so the luck of a sample cancels.
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
  leverage: 'under leverage, from 100,000 rows on, every peer has at least 2 times the error',
  diffprivlib:
    'diffprivlib has at least 5 times the error where its error is more than 10 times that of a fit without noise',
  adaSsp: 'no worse than AdaSSP',
  speed: 'every robust peer takes at least 10 times as long, from a Parquet file of 1,000,000 rows and 20 features',
  coverage: 'coverage of 95 % intervals of 93 to 97 % over 1,000 samples',
  privateCoverage: 'coverage of private 95 % intervals of at least 92 % over 200 samples',
} as const;

export interface Verdict {
  readonly target: keyof typeof TARGETS;
  readonly place: Pick<Cell, 'scenario' | 'rows' | 'features'> & { readonly epsilon?: number | null };
  /** The peer that decides the verdict. */
  readonly against: string;
  /** A ratio of errors or seconds, as the target says; for intervals, their coverage. Null where Sluice gave up. */
  readonly value: number | null;
  readonly met: boolean;
}

export const median = (values: readonly (number | null)[]): number | null => {
  const known = values.filter(value => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return null;
  return (known[(known.length - 1) >> 1]! + known[known.length >> 1]!) / 2;
};

/**
 * The factor by which the errors of `one` exceed those of `other`; null where `one` gave up, undefined where there is
 * nothing to compare.
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
 * With fewer seeds than this, or than Sluice has, a peer is shown but does not decide a verdict; nor does Sluice with
 * fewer than a few.
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
  /** Against the peer with the best result. */
  const worst = (target: Verdict['target'], among: typeof compared, most: number): readonly Verdict[] => {
    if (among.length === 0) return [];
    const { peer, ratio } = among.reduce((a, b) => ((b.ratio ?? Infinity) > (a.ratio ?? Infinity) ? b : a));
    return [{ target, place, against: peer, value: ratio, met: ratio !== null && ratio <= most }];
  };
  /** The inverse: the factor by which the peer's errors exceed Sluice's. */
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
 * Private intervals allow for what noise may hide, so their coverage may exceed the nominal one but not fall below it:
 * 92 % is 95 % less two standard errors of 200 samples. For the others, fewer than 1,000 samples cannot distinguish 93
 * from 97 %.
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
