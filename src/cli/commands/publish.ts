import { type FittedRun, htmlReport, type Model, writeWhole } from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { inFlags } from '../render/inFlags.ts';
import { renderFit } from '../render/renderFit.ts';
import type { IterateTrace } from './traceIterates.ts';

/**
 * Writes the model, report and trace to the files asked for, and prints the model, with what only its run knows where
 * that is given.
 */
export async function publish(
  made: Model,
  files: readonly string[],
  { out, report, json, sql, verbose }: Pick<FitFlags, 'out' | 'report' | 'json' | 'sql' | 'verbose'>,
  trace?: IterateTrace,
  run?: FittedRun,
): Promise<void> {
  const { choices, notes } = made;
  const model = {
    ...made,
    ...(choices && { choices: choices.map(inFlags) }),
    ...(notes && { notes: notes.map(inFlags) }),
  };
  const data = sql === undefined ? { files } : { sql };
  if (out !== undefined) await writeWhole(out, `${JSON.stringify(model, null, 2)}\n`);
  if (report !== undefined) await writeWhole(report, await htmlReport({ ...model, data }));
  await trace?.write(model);
  const { isTTY, columns } = process.stdout;
  const shown = {
    quality: run?.quality ?? null,
    degrees: run?.uncertainty?.degrees,
    verbose: verbose === true,
    ...(isTTY && { width: columns }),
  };
  process.stdout.write(json ? `${JSON.stringify(model)}\n` : renderFit(model, shown));
}
