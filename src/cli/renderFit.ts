import type { Model } from '../index.ts';

/** A fitted model as a person wants to read it. */
export function renderFit(model: Model): string {
  const { loss, target, coefficients, intercept, rows, steps, plan } = model;
  const entries: [string, number][] = [...Object.entries(coefficients)];
  if (intercept !== null) entries.push(['(intercept)', intercept]);
  const width = Math.max(...entries.map(([name]) => name.length));
  const lossText = `${loss.name}${loss.parameter === undefined ? '' : `(${significant(loss.parameter)})`}`;
  return [
    `${target} on ${Object.keys(coefficients).length} features, ${lossText} loss`,
    '',
    ...entries.map(([name, value]) => `  ${name.padEnd(width)}  ${significant(value)}`),
    '',
    `${rows.used} of ${rows.read} rows in ${steps.length} steps (${plan.mode}, ${plan.rule}), ` +
      `${plan.pilotRows} in the pilot, ${rows.leftOver - Number(plan.pilotRows)} left over` +
      `${rows.invalid ? `, ${rows.invalid} invalid` : ''}; not private`,
    '',
  ].join('\n');
}

const significant = (value: number): string =>
  (value < 0 ? '' : ' ') + Number(value.toPrecision(6)).toString();
