/**
 * Checks the files that a command will write before any row is read: an hour-long run, or one that has spent a privacy
 * budget, must not end with nowhere to put its result, or overwrite its own data.
 */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { placeOf, requireWritable } from '../../files.ts';
import { ArgumentError } from '../../index.ts';
import { requireTableFile } from '../../sink/index.ts';
import { expandPaths, filesInQuery } from '../../source/index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';

/** Paths by flag; undefined where the flag was not given. */
export type Files = Readonly<Record<string, string | undefined>>;

export interface Outputs {
  readonly outputs: Files;
  /** Files and patterns of the data. */
  readonly data: readonly string[];
  /** Other files that the command reads. */
  readonly inputs?: Files;
  /** Files that the command adds lines to. */
  readonly appended?: Files;
}

export async function requireOutputs({ outputs, data, inputs = {}, appended = {} }: Outputs): Promise<void> {
  const given = [...named(appended), ...named(outputs)];
  if (given.length === 0) return;
  const taken = new Map<string, string>();
  const files = data.length === 0 || data.includes('-') ? [] : await expandPaths(data);
  for (const path of files) taken.set(await placeOf(path), 'holds the data');
  for (const [flag, path] of named(inputs)) taken.set(await placeOf(path), `is that of ${flag}`);
  for (const [flag, path] of given) {
    const place = await placeOf(path);
    await requirePlace(flag, path, place);
    const use = taken.get(place);
    if (use !== undefined) {
      throw new ArgumentError(
        `${flag} must name a separate file, got ${JSON.stringify(path)}, which ${use}; name another`,
        'ERR_CONFLICT',
        { arguments: [flag], file: path },
      );
    }
    taken.set(place, `is that of ${flag}`);
  }
  const pathsOf = (files: Files): string[] => named(files).map(([, path]) => path);
  await requireWritable(pathsOf(outputs), pathsOf(appended));
}

const named = (files: Files): readonly (readonly [flag: string, path: string])[] =>
  Object.entries(files).flatMap(([flag, path]) => (path === undefined ? [] : [[flag, path] as const]));

/** Links are followed, because the file they point to is the one that will be written. */
async function requirePlace(flag: string, path: string, place: string): Promise<void> {
  if (path === '')
    throw new ArgumentError(`${flag} must be a file, got an empty name; name one`, 'ERR_ARGUMENT', {
      argument: flag,
      value: path,
    });
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new ArgumentError(
      `${flag} must be a file, got the folder ${JSON.stringify(path)}; name a file in it`,
      'ERR_ARGUMENT',
      { argument: flag, value: path },
    );
  }
  if (found?.isSocket()) {
    throw new ArgumentError(
      `${flag} must be a file, got the socket ${JSON.stringify(path)}; name a file or a pipe`,
      'ERR_ARGUMENT',
      { argument: flag, value: path },
    );
  }
  // An existing file has a folder, even where a link to a pipe does not reveal which.
  if (found !== undefined || (await isFolder(dirname(place)))) return;
  throw new ArgumentError(
    `${flag} must be in a folder that exists, got ${JSON.stringify(path)}; create ${dirname(place)}, or name another`,
    'ERR_ARGUMENT',
    { argument: flag, value: path },
  );
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Refuses output paths that a fit could not write to, or should not. */
export async function requireFitOutputs(
  paths: readonly string[],
  { out, report, trace, ledger, bounds, sql }: FitFlags,
): Promise<void> {
  if (report !== undefined && !/\.html?$/i.test(report)) {
    throw new ArgumentError(
      `--report must end in .html, got ${JSON.stringify(report)}: the report is an HTML page`,
      'ERR_ARGUMENT',
      { argument: '--report', value: report },
    );
  }
  requireModelFile(out);
  if (trace !== undefined) requireTableFile('--trace', trace);
  await requireOutputs({
    outputs: { '--out': out, '--report': report, '--trace': trace },
    data: sql === undefined ? paths : await filesInQuery(sql),
    inputs: { '--bounds': bounds },
    appended: { '--ledger': ledger },
  });
}

/** Refuses names that are no model file's. */
export function requireModelFile(out: string | undefined): void {
  if (out !== undefined && /\.(parquet|arrow|feather|csv|ndjson)$/i.test(out)) {
    throw new ArgumentError(
      `--out must not have the extension of a table, got ${JSON.stringify(out)}: a model is JSON; name it model.json, for example`,
      'ERR_ARGUMENT',
      { argument: '--out', value: out },
    );
  }
  if (out === '-')
    throw new ArgumentError(
      '--out - is no file; give --json to have the model on standard output, or name model.json',
      'ERR_ARGUMENT',
      { argument: '--out', value: '-' },
    );
}
