import type { Model } from '../index.ts';
import { claimText, conditionLines, significant, table } from './text.ts';

/** A fitted model as a person wants to read it. */
export function renderFit(model: Model): string {
  const { loss, target, coefficients, intercept } = model;
  const entries = Object.entries(coefficients);
  if (intercept !== null) entries.push(['(intercept)', intercept]);
  const parameter = loss.parameter === undefined ? '' : `(${significant(loss.parameter)})`;
  return [
    `${target} on ${Object.keys(coefficients).length} features, ${loss.name}${parameter} loss`,
    '',
    // A space for the sign that positive numbers do not show.
    table(entries.map(([name, value]) => [name, `${value < 0 ? '' : ' '}${significant(value)}`])),
    ...account(model),
    ...theoremLines(model),
    '',
  ].join('\n');
}

function account({ rows, steps, plan, ledger }: Model): readonly string[] {
  const run = `${rows.used} of ${rows.read} rows in ${steps.length} steps (${plan.mode}, ${plan.rule})`;
  if (ledger.unit === undefined) {
    const pilotRows = Number(plan.pilotRows);
    const leftOver = plan.sharesPilot ? rows.leftOver : rows.leftOver - pilotRows;
    const invalid = rows.invalid ? `, ${rows.invalid} invalid` : '';
    return [`${run}, ${pilotRows} in the pilot, ${leftOver} left over${invalid}; not private`];
  }
  const noised = `${run}, ${rows.leftOver} left over, ${plan.calibration} noise for gradients of norm ${significant(Number(plan.lipschitz))}`;
  if (!ledger.private) return [noised, `${ledger.note}: whoever knows the seed can take the noise off`];
  const whom = ledger.unit === 'row' ? 'one row' : `all rows of one ${ledger.unit}`;
  return [
    noised,
    `(${ledger.epsilon}, ${ledger.delta})-differentially private for replacing ${whom}; mu ${significant(ledger.mu!)}, rho ${significant(ledger.rho!)}`,
  ];
}

function theoremLines({ plan: { theorem } }: Model): readonly string[] {
  if (theorem === undefined) return [];
  const { label, claim, conditions } = theorem;
  return [
    `theorem ${label}, which claims ${claimText(claim)}; its conditions on these numbers:`,
    conditionLines(conditions).trimEnd(),
  ];
}
