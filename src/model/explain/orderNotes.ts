/** Notes on the order of rows in the file, and on copies of them. */

import type { Estimate } from '../../flow/estimate.ts';
import { INTERCEPT } from '../../sample/intercept.ts';
import type { ExplainOptions } from './explanation.ts';
import { type Note, severe } from './note.ts';
import { digits, nameOf } from './words.ts';

/** A shuffle keeps neighbours from deciding a step, but they go together as before. */
export function neighbourNotes(
  { neighbours, uncertainty, plan, fit }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (neighbours === null) return [];
  const { correlation, blockRows, isLong, excess, variances, independent } = neighbours;
  const growth = variances.map((variance, j) =>
    independent[j]! > 0 ? Math.sqrt(variance / independent[j]!) : 1,
  );
  const most = growth.indexOf(Math.max(...growth));
  const name = plan.intercept && most === fit.theta.length - 1 ? INTERCEPT : nameOf(most, names);
  const intervals =
    uncertainty === null
      ? ''
      : `; intervals allow for ${isLong ? 'some of it, and may still be too narrow' : 'it'}, that of ${JSON.stringify(name)} being ${digits(growth[most]!)} times as wide`;
  // Blocks of many rows may vary much more though next neighbours hardly look alike.
  const close = correlation >= CLOSE ? ` (residuals have a correlation of ${digits(correlation)})` : '';
  return [
    `rows that are neighbours in the file go together, as those of one day or person do${close}: blocks of ${blockRows} rows vary ${digits(excess)} times as much as independent rows would${intervals}; a column that tells what they share may explain it, and if the file is merely sorted by what the fit leaves out, ${uncertainty === null ? 'it does no harm' : 'intervals are too wide'}`,
  ];
}

const CLOSE = 0.1;

/**
 * Blocks of rows that come in a random order differ as single rows let expect. Where every step sees all rows and
 * blocks do not make the intervals, no shuffle would change anything.
 */
export function sortedNotes(
  { pilot, blockVariances, layout, uncertainty }: Estimate,
  { order }: ExplainOptions,
): readonly Note[] {
  if (order === 'shuffle' || pilot === null || blockVariances === null) return [];
  if (layout.sharesPilot && uncertainty?.from !== 'blocks') return [];
  if (!(blockVariances.noise > SORTED * pilot.estimate.noise)) return [];
  return [
    severe(
      `the rows look sorted: blocks of neighbouring rows differ ${digits(Math.sqrt(blockVariances.noise / pilot.estimate.noise))} times as much as rows in a random order would, and ${layout.mode === 'full' ? 'the intervals do not hold' : 'neither the estimate nor its intervals hold'}; use \`order: 'shuffle'\``,
    ),
  ];
}

const SORTED = 4;

/** A copy tells nothing new. */
export function duplicateNotes({ pilot, uncertainty }: Estimate): readonly string[] {
  if (pilot === null || pilot.rows.duplicateShare === 0) return [];
  return [
    `${digits(100 * pilot.rows.duplicateShare)} % of the pilot rows are exact copies of others, in target and features, as where a file was given twice${uncertainty === null ? '' : ': intervals take each for a new row, and are too narrow if it is none'}; leave copies out, by \`openSql\` with SELECT DISTINCT for instance`,
  ];
}
