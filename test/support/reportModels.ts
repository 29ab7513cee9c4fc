import type { Model } from '../../src/model/model.ts';

/**
 * Fitted, so to say, on these coefficients with these standard errors: units that differ by eleven powers of ten, and
 * one feature that says nothing.
 */
const truths: Readonly<Record<string, readonly [estimate: number, error: number]>> = {
  distance: [0.0121, 0.0002],
  hour: [-1.25, 0.03],
  weekday: [0.04, 0.08],
  'town=Bath': [12345.6, 3000],
  share: [2.5e-8, 4e-10],
  '(intercept)': [-7.5, 0.5],
};

const { '(intercept)': _, ...slopes } = truths;

const steps = (count: number, sigma: number | null): Model['steps'] =>
  Array.from({ length: count }, (_unused, k) => ({
    step: k + 1,
    rows: 1000 * (k + 1),
    gradientNorm: 3 * 10 ** (-k / 4),
    sigma,
  }));

/** A run that is not private, with everything that a model can hold. */
export const plainReport: Model = {
  format: 'sluice-model',
  version: 1,
  loss: { name: 'pseudo-huber', parameter: 1.5 },
  target: 'delay',
  features: Object.keys(slopes),
  categorical: { town: ['Bath'] },
  intercept: truths['(intercept)']![0],
  coefficients: Object.fromEntries(Object.entries(slopes).map(([name, [estimate]]) => [name, estimate])),
  plan: {
    rule: 'newton',
    mode: 'fresh',
    steps: 5,
    chunks: [1000, 2000, 3000, 4000, 5000],
    blocks: 11,
    aggregate: 'median-of-means',
    pilotRows: 1000,
    order: 'shuffle',
  },
  ledger: { private: false, epsilon: null, delta: null, rho: null, entries: [] },
  rows: { read: 16_543, used: 15_000, leftOver: 543, invalid: 12 },
  steps: steps(5, null),
  uncertainty: {
    level: 0.95,
    radii: Object.fromEntries(Object.keys(truths).map(name => [name, 2.6])),
    basis: 'from the spread of the blocks',
    errors: Object.fromEntries(Object.entries(truths).map(([name, [, error]]) => [name, error])),
    intervals: Object.fromEntries(
      Object.entries(truths).map(([name, [estimate, error]]) => [
        name,
        [estimate - 1.96 * error, estimate + 1.96 * error] as const,
      ]),
    ),
  },
  holdout: { rows: 500, meanLoss: 0.8125 },
  choices: ['pseudo-Huber loss, for the tails are heavy'],
  notes: ['rows are sorted by day'],
  createdWith: 'sluice 9.8.7',
};

const NOISE = { sensitivity: 0.002, sigma: 0.01, mu: 0.2 };

export const privateReport: Model = {
  ...plainReport,
  plan: {
    rule: 'nesterov',
    mode: 'full',
    steps: 30,
    chunks: null,
    blocks: 1,
    aggregate: 'mean',
    calibration: 'exact',
    bounds: { distance: { least: 0, most: 5000 }, delay: { least: -60, most: 600 } },
    lipschitz: 0.35,
  },
  ledger: {
    private: true,
    epsilon: 1,
    delta: 1e-6,
    mu: 0.2367,
    rho: 0.028,
    slack: 1.8e-11,
    unit: 'person',
    file: { dataset: 'flights', run: 'run-1', head: 'abc123' },
    entries: Array.from({ length: 30 }, () => ({ kind: 'gaussian', chunk: 'all', ...NOISE })),
  },
  rows: { read: 15_000, used: 15_000, leftOver: 0, invalid: null },
  steps: steps(30, NOISE.sigma).map(step => ({ ...step, rows: 15_000 })),
  notes: [],
};

export const theoremReport: Model = {
  ...plainReport,
  plan: {
    ...plainReport.plan,
    theorem: {
      label: 'htAGD',
      given: { smoothness: 1 },
      claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -0.5 },
      conditions: [
        {
          statement: 'n~ > 8 log(4/zeta~)',
          met: true,
          numbers: { 'n~': 2500, bound: 51.7 },
          kind: 'required',
        },
        { statement: 'tau_u/tau_l < 1.76', met: false, numbers: { 'tau_u/tau_l': 2 }, kind: 'claim' },
      ],
    },
  },
};
