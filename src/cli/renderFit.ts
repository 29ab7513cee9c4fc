import type { Model } from '../index.ts';
import { significant, table } from './text.ts';

/** A fitted model as a person wants to read it. */
export function renderFit({ loss, target, coefficients, intercept, rows, steps, plan }: Model): string {
  const entries = Object.entries(coefficients);
  if (intercept !== null) entries.push(['(intercept)', intercept]);
  const pilotRows = Number(plan.pilotRows);
  const parameter = loss.parameter === undefined ? '' : `(${significant(loss.parameter)})`;
  const invalid = rows.invalid ? `, ${rows.invalid} invalid` : '';
  return [
    `${target} on ${Object.keys(coefficients).length} features, ${loss.name}${parameter} loss`,
    '',
    // A space for the sign that positive numbers do not show.
    table(entries.map(([name, value]) => [name, `${value < 0 ? '' : ' '}${significant(value)}`])),
    `${rows.used} of ${rows.read} rows in ${steps.length} steps (${plan.mode}, ${plan.rule}), ` +
      `${pilotRows} in the pilot, ${rows.leftOver - pilotRows} left over${invalid}; not private`,
    '',
  ].join('\n');
}
