/** What was measured of streams: `bench/online.json`, one list of cells for each measurement. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeVersion } from '../../src/lab/paper/crew.ts';

/** One cell: what was measured where, in how many runs, by which sources. */
export interface Measured {
  readonly cell: Readonly<Record<string, unknown>>;
  readonly repeats: number;
  /** A digest of the program that measured, and of all that it imports. */
  readonly sources: string;
  readonly figures: Readonly<Record<string, number | null>>;
}

const path = fileURLToPath(new URL('../../bench/online.json', import.meta.url));

export const onlineFigures = (): Readonly<Record<string, readonly Measured[]>> =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};

/**
 * Keeps the figures of one cell beside those of others, to four digits, and prints them. What the same sources measured
 * with more runs stays.
 */
export async function record(
  measurement: string,
  cell: Measured['cell'],
  repeats: number,
  figures: Readonly<Record<string, number | null>>,
  program: URL,
): Promise<void> {
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(4)),
    ]),
  );
  process.stdout.write(`      ${measurement} ${JSON.stringify(cell)} [${repeats}]: ${JSON.stringify(rounded)}\n`);
  const sources = await codeVersion(program);
  const known = onlineFigures();
  const isSame = (other: Measured): boolean => JSON.stringify(other.cell) === JSON.stringify(cell);
  const others = known[measurement] ?? [];
  const before = others.find(isSame);
  if (before?.sources === sources && before.repeats > repeats) return;
  const measured = { cell, repeats, sources, figures: rounded };
  const cells = before === undefined ? [...others, measured] : others.map(other => (isSame(other) ? measured : other));
  const all = Object.entries({ ...known, [measurement]: cells }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
