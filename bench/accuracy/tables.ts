/** Pieces of a Markdown document. */

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

/** Three digits, however large or small. */
export function digits(value: number | null | undefined): string {
  if (value === null) return 'gave up';
  if (value === undefined) return '';
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}

export const whole = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

export const unique = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];
