import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from '../../files.ts';
import type { FittedRun } from '../../fit/index.ts';
import { ArgumentError, type Estimate, formatModel } from '../../index.ts';
import { holdsMetadata, htmlReport, openPredictionSink } from '../../sink/index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { isWithoutReader } from '../outliveReaders.ts';
import { inFlags } from '../render/inFlags.ts';
import { renderFit } from '../render/renderFit.ts';

/** What a run leaves; a simulation on single rows has no iterates. */
export type Publishable = Pick<Estimate, 'model'> & Partial<Pick<Estimate<object>, 'run' | 'trace'>>;

/**
 * Writes the model, report and trace to the files asked for, and prints the model, with what only its run knows. One
 * that cannot be written does not keep the others from being so, and the model is never lost: what it cost may be a
 * privacy budget, which cannot be had again. The error then says where the model is.
 */
export async function publish(
  { model: made, run, trace: iterates }: Publishable,
  files: readonly string[],
  { out, report, trace, json, sql, verbose }: FitFlags,
): Promise<void> {
  const { choices, notes } = made;
  const model = {
    ...made,
    ...(choices && { choices: choices.map(inFlags) }),
    ...(notes && { notes: notes.map(inFlags) }),
  };
  const data = sql === undefined ? { files } : { sql };
  const { isTTY, columns } = process.stdout;
  const { quality = null, uncertainty, noIntervals = null } = (run ?? {}) as Partial<FittedRun>;
  const shown = {
    quality,
    noIntervals,
    degrees: uncertainty?.degrees,
    verbose: verbose === true,
    ...(isTTY && { width: columns }),
  };
  const whole = formatModel(model);
  const failures: Error[] = [];
  /** Whether the work was asked for and is done. */
  const isDone = async (work: Promise<void> | undefined): Promise<boolean> => {
    try {
      await work;
      return work !== undefined;
    } catch (error) {
      failures.push(error as Error);
      return false;
    }
  };
  const isWritten = await isDone(out === undefined ? undefined : writeWhole(out, whole));
  await isDone(report === undefined ? undefined : writeReport(report, { ...model, data }));
  await isDone(trace === undefined || iterates === undefined ? undefined : writeTrace(trace, await iterates(), model));
  const isPrinted = await isDone(print(json ? `${JSON.stringify(model)}\n` : renderFit(model, shown)));
  const [failure] = failures;
  if (failure === undefined) return;
  const place = isWritten ? out : json && isPrinted ? 'standard output' : await rescue(whole);
  failure.message += `; the model is in ${place}`;
  throw failure;
}

const writeReport = async (path: string, model: Parameters<typeof htmlReport>[0]): Promise<void> =>
  writeWhole(path, await htmlReport(model));

/** Puts a model without a file where one may always write; only this user may read it. */
async function rescue(whole: string): Promise<string> {
  const path = join(tmpdir(), `sluice-${randomUUID()}.json`);
  return writeFile(path, whole, { mode: 0o600, flag: 'wx' }).then(
    () => path,
    () => print(whole).then(() => 'standard output'),
  );
}

/** A reader that has left wants no more, which is no failure; `outliveReaders` tells of any other. */
const print = (text: string): Promise<void> =>
  new Promise((done, fail) => {
    process.stdout.write(text, error =>
      error && !isWithoutReader(error)
        ? fail(new ArgumentError('the result could not be printed', 'ERR_FILE', { file: '-' }))
        : done(),
    );
  });

/**
 * The coefficients after every step, as a table. A run with seeded noise is not private, and its trace says so: Arrow and
 * Parquet files in their metadata, under the key `sluice.note`; CSV and NDJSON, which cannot store metadata, in a last
 * column that has the note as its name and 1 in every row.
 */
async function writeTrace(
  path: string,
  iterates: Awaited<ReturnType<Estimate['trace']>>,
  { ledger: { note } }: Publishable['model'],
): Promise<void> {
  const titles = iterates.schema.fields.map(({ name }) => name);
  const columns = titles.map(name => iterates.getChild(name)!.toArray() as Float64Array);
  if (note !== undefined && !holdsMetadata(path)) {
    titles.push(note);
    columns.push(new Float64Array(iterates.numRows).fill(1));
  }
  const sink = await openPredictionSink(path, {
    columns: titles,
    ...(note !== undefined && { metadata: { 'sluice.note': note } }),
  });
  try {
    await sink.write(columns, iterates.numRows);
    await sink.commit();
  } finally {
    await sink.abandon();
  }
}
