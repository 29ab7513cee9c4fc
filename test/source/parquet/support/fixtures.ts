import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longColumns } from './longColumns.ts';

export type Cell = number | string | null;

/** What a fixture should hold: its columns by name. */
export interface Fixture {
  readonly file: string;
  readonly columns: Readonly<Record<string, readonly Cell[]>>;
}

const folder = join(fileURLToPath(new URL('.', import.meta.url)), '..', 'fixtures');

export const pathOf = (file: string): string => join(folder, file);

/** JSON has no numbers for these. */
const notFinite = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity };

interface Expected {
  readonly dataSets: Readonly<Record<string, Readonly<Record<string, readonly Cell[]>>>>;
  readonly files: Readonly<
    Record<string, { readonly data: string; readonly columns: Readonly<Record<string, string>> }>
  >;
}

const { dataSets, files } = JSON.parse(readFileSync(pathOf('expected.json'), 'utf8'), (_, value) =>
  typeof value === 'string' && value in notFinite ? notFinite[value as keyof typeof notFinite] : value,
) as Expected;

export const fixtures: readonly Fixture[] = Object.entries(files).map(([file, { data, columns }]) => {
  const set = data === 'long' ? longColumns : dataSets[data]!;
  return {
    file,
    columns: Object.fromEntries(Object.entries(columns).map(([name, source]) => [name, set[source]!])),
  };
});

export const fixture = (file: string): Fixture => fixtures.find(candidate => candidate.file === file)!;
