/**
 * The settings of the accuracy benchmark: scenarios, sizes, which methods take part where, and in which scenarios a
 * peer's assumptions hold.
 */

export interface Scenario {
  readonly name: string;
  /** How accuracyDraw.py draws it, described for readers. */
  readonly drawn: string;
  readonly kind: 'linear' | 'logistic' | 'private linear' | 'private logistic';
  /** Share of rows that are spoilt, and in what way. */
  readonly spoilt?: { readonly share: number; readonly way: 'targets' | 'leverage' | 'adversarial' };
  /** Which of noise and features have heavy tails. */
  readonly heavy?: 'noise' | 'features';
  readonly trait?: 'ill-conditioned' | 'sorted';
  /** The variance of every feature, where features are centred and uncorrelated: the paper's plans need it. */
  readonly variance?: number;
}

export interface Setting {
  readonly scenario: Scenario;
  readonly rows: number;
  readonly features: number;
  /** Null for a setting that is not private. */
  readonly epsilon: number | null;
  readonly seeds: number;
  /** Whether peers that need minutes per fit take part. */
  readonly patient: boolean;
}

export const DELTA = 1e-6;
export const OURS = 'Sluice';
export const PAPER = "Sluice, the paper's plan";
export const ADA_SSP = 'AdaSSP';
/** A private fit's counterpart without noise. */
export const PLAIN = 'sklearn LinearRegression';
export const PLAIN_LOGISTIC = 'sklearn Logistic, no penalty';
export const DIFFPRIVLIB = ['diffprivlib LinearRegression', 'diffprivlib LogisticRegression'];
/** Robust peers, which are also the ones to be faster than. */
export const ROBUST = ['sklearn Huber', 'sklearn RANSAC', 'sklearn TheilSen', 'statsmodels Huber', 'statsmodels Tukey'];

const spoilt = (way: 'targets' | 'leverage' | 'adversarial', label: string, drawn: string): Scenario[] =>
  [0.01, 0.05, 0.1].map(share => ({
    name: `${Math.round(100 * share)} % ${label}`,
    drawn,
    kind: 'linear',
    spoilt: { share, way },
    variance: 1,
  }));

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'gaussian',
    drawn: 'features and noise N(0, 1), slopes and intercept 1; the following scenarios differ from it as stated',
    kind: 'linear',
    variance: 1,
  },
  {
    name: 't(3) noise',
    drawn: 'noise from Student t with 3 degrees of freedom',
    kind: 'linear',
    heavy: 'noise',
    variance: 1,
  },
  {
    name: 't(2.1) noise',
    drawn: 'noise from Student t with 2.1 degrees of freedom',
    kind: 'linear',
    heavy: 'noise',
    variance: 1,
  },
  {
    name: 't(5) features',
    drawn: 'features from Student t(5), noise from t(3)',
    kind: 'linear',
    heavy: 'features',
    variance: 5 / 3,
  },
  { name: 'log-normal features', drawn: 'features exp N(0, 1)', kind: 'linear', heavy: 'features' },
  ...spoilt('targets', 'outliers in y', 'this share of targets raised by 30'),
  ...spoilt('leverage', 'leverage', 'this share of rows with features 20 times as wide and targets N(0, 1)'),
  ...spoilt(
    'adversarial',
    'adversarial',
    'this share of rows in a cluster at distance 4 from the centre along the slopes, half as wide as the others, following the opposite slopes',
  ),
  {
    name: 'ill-conditioned',
    drawn: 'randomly rotated features whose covariance has condition number 10,000',
    kind: 'linear',
    trait: 'ill-conditioned',
  },
  {
    name: 'sorted by target',
    drawn: 't(3) noise; rows sorted by target',
    kind: 'linear',
    heavy: 'noise',
    trait: 'sorted',
    variance: 1,
  },
  {
    name: 'sorted by a feature',
    drawn: 't(3) noise; rows sorted by a feature',
    kind: 'linear',
    heavy: 'noise',
    trait: 'sorted',
    variance: 1,
  },
  { name: 'logistic', drawn: 'classes with slopes of length 2', kind: 'logistic' },
  {
    name: 'near separation',
    drawn: 'classes with slopes of length 15: few rows have an uncertain class',
    kind: 'logistic',
  },
  {
    name: 'private, normal noise',
    drawn: 'features N(0, 0.4^2) in [-1, 1], slopes of length 1, noise N(0, 0.3^2), targets in [-2, 2]',
    kind: 'private linear',
  },
  {
    name: 'private, t(3) noise',
    drawn: 'the same with noise 0.3 t(3) and targets in [-4, 4]',
    kind: 'private linear',
    heavy: 'noise',
  },
  {
    name: 'private, wide bounds',
    drawn: 'the same with normal noise, and bounds declared 5 times wider than necessary',
    kind: 'private linear',
  },
  {
    name: 'private, leaning features',
    drawn:
      'features -0.9 + 0.08 exp N(0, 0.5^2) in [-1, 1], concentrated at one end of their bounds as incomes are, slopes of length 3, noise N(0, 0.3^2), targets in [-2, 2]',
    kind: 'private linear',
  },
  {
    name: 'private, logistic',
    drawn: 'classes with slopes of length 3, features N(0, 0.4^2) in [-1, 1]',
    kind: 'private logistic',
  },
];

export const isPrivate = ({ kind }: Scenario): boolean => kind.startsWith('private');

export function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find(scenario => scenario.name === name);
  if (found === undefined) throw new Error(`there is no scenario named ${JSON.stringify(name)}`);
  return found;
}

/**
 * Excess risks of few coefficients are sums of few squares: the ratio of two over 20 seeds has a standard error of a
 * third.
 */
const isUncertain = ({ kind }: Scenario, features: number): boolean => kind === 'private logistic' && features <= 5;

/** Every setting, the smallest first. */
export function settingsFor({ seeds, quick }: { seeds: number; quick: boolean }): readonly Setting[] {
  const open = SCENARIOS.filter(scenario => !isPrivate(scenario));
  const some = ['gaussian', 't(3) noise', '5 % leverage'].map(scenarioNamed);
  const others = open.filter(scenario => !some.includes(scenario));
  const at = (
    scenarios: readonly Scenario[],
    rows: number,
    features: number,
    most = seeds,
    patient = true,
  ): Setting[] =>
    scenarios.map(scenario => ({
      scenario,
      rows,
      features,
      epsilon: null,
      seeds: Math.min(seeds, most),
      patient,
    }));
  const privately = (rows: number, features: number, names?: readonly string[], most = seeds): Setting[] =>
    SCENARIOS.filter(scenario => isPrivate(scenario) && (names?.includes(scenario.name) ?? true)).flatMap(scenario =>
      [0.1, 1].map(epsilon => ({
        scenario,
        rows,
        features,
        epsilon,
        seeds: Math.min(seeds, most) * (isUncertain(scenario, features) ? 5 : 1),
        patient: true,
      })),
    );
  const small = [
    ...at(open, 10_000, 5),
    ...at(open, 10_000, 20),
    ...at(open, 100_000, 20),
    ...privately(10_000, 1, ['private, normal noise']),
    ...privately(10_000, 5),
    ...privately(100_000, 5),
    ...privately(100_000, 20),
  ];
  if (quick) return small;
  return [
    ...small,
    ...at(some, 10_000, 100),
    ...at(some, 100_000, 100, 5),
    ...privately(1_000_000, 20, ['private, normal noise', 'private, wide bounds', 'private, logistic'], 3),
    ...at(some, 1_000_000, 20),
    ...at(others, 1_000_000, 20, seeds, false),
    ...at(some, 1_000_000, 100, 3, false),
    ...at(some, 10_000_000, 5, 3),
  ];
}

/**
 * The most rows and features, and the share of the seeds, that a method is run with: more would take hours and show
 * nothing new.
 */
interface Limits {
  readonly rows: number;
  readonly features: number;
  readonly seeds: number;
}
const limits: Readonly<Record<string, Partial<Limits>>> = {
  'sklearn Huber': { rows: 1_000_000 },
  'sklearn RANSAC': { rows: 1_000_000 },
  'sklearn TheilSen': { rows: 10_000, features: 20, seeds: 0.25 },
  'statsmodels Huber': { rows: 1_000_000 },
  'statsmodels Tukey': { rows: 1_000_000 },
  River: { seeds: 0.25 },
  [PAPER]: { rows: 1_000_000, seeds: 0.25 },
  'OpenDP TheilSen': { features: 1 },
};

/**
 * Above this many values statsmodels takes minutes per fit and is shown once; so do River and the paper's plans, which
 * show nothing there that they do not show elsewhere.
 */
const LARGE = 1e7;
const HUGE = 1e8;
const takesMinutes = (method: string): boolean => method.startsWith('statsmodels') || method === 'River';

const allMethods = (scenario: Scenario, epsilon: number | null): readonly string[] => {
  switch (scenario.kind) {
    case 'linear': {
      const peers = [PLAIN, ...ROBUST, 'sklearn SGD', 'River'];
      return scenario.variance === undefined ? [OURS, ...peers] : [OURS, PAPER, ...peers];
    }
    case 'logistic':
      return [OURS, 'sklearn Logistic', PLAIN_LOGISTIC];
    case 'private linear':
      return [
        OURS,
        // The paper's noise has a formula up to epsilon 0.9.
        ...(epsilon !== null && epsilon <= 0.9 ? [PAPER] : []),
        'diffprivlib LinearRegression',
        ADA_SSP,
        `${ADA_SSP}, one row more or less`,
        'OpenDP TheilSen',
        PLAIN,
      ];
    case 'private logistic':
      return [OURS, 'diffprivlib LogisticRegression', PLAIN_LOGISTIC];
  }
};

/** The methods that take part in a setting, each with its number of seeds. */
export function methodsOf({ scenario, rows, features, epsilon, seeds, patient }: Setting): ReadonlyMap<string, number> {
  const taking = allMethods(scenario, epsilon).filter(method => {
    if (!patient && takesMinutes(method)) return false;
    // The theorem for spoilt rows keeps every gradient of a step in memory and reads all of them many times.
    if (method === PAPER && scenario.spoilt !== undefined && rows * features >= HUGE) return false;
    const most = limits[method] ?? {};
    return rows <= (most.rows ?? Infinity) && features <= (most.features ?? Infinity);
  });
  const isSlow = (method: string): boolean =>
    (method.startsWith('statsmodels') || method === PAPER) && rows * features >= LARGE;
  const share = (method: string): number =>
    // There the error is a single number per seed, and a few of them are inconclusive.
    scenario.trait === 'ill-conditioned' && features === 5 ? 1 : (limits[method]?.seeds ?? 1);
  return new Map(taking.map(method => [method, isSlow(method) ? 1 : Math.ceil(seeds * share(method))]));
}

/**
 * Whether a peer's assumptions hold in a scenario of this many features.
 *
 *   least squares, SGD        no row is spoilt
 *   Huber                     only targets are spoilt
 *   Tukey                     no spoilt row has higher leverage than good rows
 *   RANSAC                    most rows are good
 *   Theil-Sen                 share of spoilt rows below 1 - (1/2)^(1/(p+1)), so that most of its subsets are good
 *   River                     as least squares, with rows in random order
 */
export function assumptionsHold(peer: string, { spoilt, trait, kind }: Scenario, features: number): boolean {
  if (kind !== 'linear') return true;
  if (peer === 'River' && trait === 'sorted') return false;
  if (spoilt === undefined || peer === 'sklearn RANSAC') return true;
  if (peer === 'sklearn TheilSen') return spoilt.share < 1 - 0.5 ** (1 / (features + 1));
  if (peer === 'statsmodels Tukey') return spoilt.way !== 'leverage';
  return peer.endsWith('Huber') && spoilt.way === 'targets';
}
