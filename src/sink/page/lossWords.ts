import type { Model } from '../../model/model.ts';
import { numeral } from './numerals.ts';

const NAMES: Readonly<Record<string, string>> = {
  'pseudo-huber': 'pseudo-Huber',
  'geman-mcclure': 'Geman-McClure',
  tukey: 'Tukey',
  poisson: 'Poisson',
};

export const lossName = ({ name }: Model['loss']): string => NAMES[name] ?? name;

/** By the letters that `sluice help fit` uses for them. */
export const lossParameters = ({ name, parameter, ridge }: Model['loss']): string =>
  [
    ...(parameter === undefined ? [] : [`${name === 'tukey' ? 'c' : 'q'}\u00a0=\u00a0${numeral(parameter)}`]),
    ...(ridge === undefined ? [] : [`ridge ${numeral(ridge)}`]),
  ].join(', ');

export const lossWords = (loss: Model['loss']): string =>
  [lossName(loss), lossParameters(loss)].filter(words => words !== '').join(', ');
