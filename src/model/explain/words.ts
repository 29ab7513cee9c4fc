import type { LossName } from '../../loss/lossByName.ts';
import { toDigits } from '../../math/toDigits.ts';

export const rowsIn = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

export const nameOf = (column: number, names: readonly string[]): string => names[column] ?? String(column);

export const digits = (value: number): string => toDigits(value, 3);

/** A loss with its parameter, as a caller gives it. */
export const tunedLoss = (name: LossName, parameter: number): string =>
  `\`loss: ${FACTORIES[name] ?? name}(${digits(parameter)})\``;

/** Where the loss's name is not that of the function that makes it. */
const FACTORIES: Partial<Record<LossName, string>> = {
  'pseudo-huber': 'pseudoHuber',
  'geman-mcclure': 'gemanMcClure',
};

/** What draws coefficients draws their intervals along. */
export const ABOUT_PENALISED =
  'the intervals are about the penalised coefficients, and need not hold the ones without a penalty';
