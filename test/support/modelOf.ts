import { MODEL_FORMAT, MODEL_VERSION, type Model } from '../../src/model/model.ts';

/** A model of features x0, x1, … with these coefficients. */
export const modelOf = (
  coefficients: readonly number[],
  { loss = { name: 'squared' }, intercept = null }: Partial<Pick<Model, 'loss' | 'intercept'>> = {},
): Model => ({
  format: MODEL_FORMAT,
  version: MODEL_VERSION,
  loss,
  target: 'y',
  features: coefficients.map((_, j) => `x${j}`),
  categorical: {},
  intercept,
  coefficients: Object.fromEntries(coefficients.map((value, j) => [`x${j}`, value])),
  plan: {},
  ledger: { private: false, epsilon: null, delta: null, rho: null, entries: [] },
  rows: { read: 0, used: 0, leftOver: 0, invalid: 0 },
  steps: [],
  createdWith: 'sluice test',
});
