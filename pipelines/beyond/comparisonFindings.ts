/**
 * Sentences computed from the numbers of the comparison. They use the numbers as the page shows them, so that a reader
 * can check every statement.
 */
import { asShown, type ComparedErrors } from './comparedErrors.ts';

/** The changes to the paper's plan, as sentences name them. */
const WITH = [
  ['geometric', 'geometric chunks'],
  ['preconditioned', 'preconditioning'],
  ['averaged', 'averaging'],
  ['least noise', 'the least noise'],
] as const;

/** A smaller improvement may be chance. */
const HELPS = 0.95;

/** For the rows of one figure. */
export function findings(rows: readonly ComparedErrors[]): string {
  const left = [...WITH, ['default', 'the default'] as const].flatMap(([reading, words]) => {
    const shares = ratios(rows, reading, 'paper');
    return shares.length === 0 ? [] : [`with ${words} ${span(shares, percent)}`];
  });
  const worse = ratios(rows, 'paper', 'nothing').filter(ratio => ratio > 1);
  return [
    ...(left.length === 0 ? [] : [`What is left of the paper’s error: ${left.join(', ')}.`]),
    ...(worse.length === 0
      ? []
      : [`The paper’s plans are worse than theta = 0 in ${worse.length} of ${rows.length} rows.`]),
    ...besideDefault(rows),
  ].join(' ');
}

/** Over the rows of all figures. */
export function inShort(rows: readonly ComparedErrors[]): string {
  const isPrivate = ({ errors }: ComparedErrors): boolean => 'least noise' in errors;
  const gains = (some: readonly ComparedErrors[], where: string): readonly string[] => {
    const factors = ratios(some, 'paper', 'default');
    return factors.length === 0 ? [] : [`${span(factors, figure)} times ${where}`];
  };
  const better = ratios(rows, 'default', 'paper').filter(ratio => ratio < 1).length;
  const times = [
    ...gains(rows.filter(isPrivate), 'where runs are private'),
    ...gains(
      rows.filter(row => !isPrivate(row)),
      'where they are not',
    ),
  ];
  const leads = bestPlans(rows);
  const changes = WITH.map(([reading, words]) => {
    const shares = ratios(rows, reading, 'paper');
    return `${words} in ${shares.filter(share => share < HELPS).length} of ${shares.length}`;
  });
  return [
    `In short. The default is better than the paper’s plan in ${better} of ${rows.length} rows: ${times.join(', ')}.`,
    `With the least noise the better of the paper’s two plans is ahead of it in ${leads.filter(({ ratio }) => ratio < 1).length} of ${leads.length} private settings.`,
    `Of the single changes, these take a twentieth of the paper’s error away, or more: ${changes.join(', ')} rows.`,
  ].join(' ');
}

/** For private figures: how close accounting alone comes to the default, for each n. */
function besideDefault(rows: readonly ComparedErrors[]): readonly string[] {
  const best = bestPlans(rows);
  if (best.length === 0) return [];
  const parts = [...new Set(best.map(({ x }) => x))].map(n => {
    const own = best.filter(({ x }) => x === n).map(({ ratio }) => ratio);
    return `${span(own, figure)} times as large at n = ${n.toLocaleString('en')}`;
  });
  return [
    `Beside the default’s error, that of the better of the paper’s two plans with the least noise is ${parts.join(' and ')}.`,
  ];
}

/** Of plans that differ only in their method, the least error with the least noise, relative to the default's. */
function bestPlans(rows: readonly ComparedErrors[]): readonly { x: number; ratio: number }[] {
  const best = new Map<string, { x: number; ratio: number }>();
  for (const row of rows) {
    const [ratio] = ratios([row], 'least noise', 'default');
    if (ratio === undefined) continue;
    const key = `${row.series.replace(/^(\w+), \w+/, '$1')} at ${row.x}`;
    if (!(ratio >= (best.get(key)?.ratio ?? Infinity))) best.set(key, { x: row.x, ratio });
  }
  return [...best.values()];
}

const ratios = (rows: readonly ComparedErrors[], reading: string, beside: string): readonly number[] =>
  rows.flatMap(({ errors: { [reading]: error, [beside]: other } }) =>
    error === undefined || other === undefined ? [] : [asShown(error) / asShown(other)],
  );

const figure = (value: number): string => asShown(value).toLocaleString('en');

/** Whole percentages, but two digits for small ones. */
const percent = (share: number): string => {
  const value = 100 * share;
  return `${value < 10 ? Number(value.toPrecision(2)) : Math.round(value)} %`;
};

const span = (values: readonly number[], words: (value: number) => string): string => {
  const [least, most] = [words(Math.min(...values)), words(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
};
