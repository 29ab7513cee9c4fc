/** `sluice predict`: one prediction per row. */
import { extname } from 'node:path';
import { ArgumentError, type Predictions, predict } from '../../index.ts';
import {
  type BatchFormat,
  openPredictionSink,
  requireTableFile,
  streamBatches,
  writeBatches,
} from '../../sink/index.ts';
import type { NullPolicy } from '../../source/index.ts';
import { names, optional } from '../flags/parse.ts';
import { progress } from '../render/progress.ts';
import { counted, visible } from '../render/text.ts';
import { requireOutputs } from './outputs.ts';
import { readModel } from './readModel.ts';

export interface PredictFlags {
  readonly out: string;
  readonly nulls: NullPolicy;
  readonly keep?: string;
  readonly format?: 'arrow' | 'csv' | 'ndjson';
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function predictCommand(modelPath: string, paths: readonly string[], flags: PredictFlags): Promise<void> {
  const { out, nulls, json, quiet } = flags;
  const keep = optional('--keep', flags.keep, names) ?? [];
  if (out === '-' && json)
    throw new ArgumentError(
      '--out - prints the predictions, so that --json cannot print too; leave one out',
      'ERR_CONFLICT',
      { arguments: ['--out', '--json'] },
    );
  const outputs = { '--out': out === '-' ? undefined : out };
  await requireOutputs({ outputs, data: paths, inputs: { MODEL: modelPath } });
  const format = formatOf(flags, keep);
  const model = await readModel(modelPath);
  const shown = progress({ quiet: quiet === true || out === '-' });
  const predictions = predict(model, paths, { nulls, keep, onProgress: shown.tell });
  try {
    if (format === null) await writeNumbers(out, predictions, nulls);
    else if (out === '-') await streamBatches(process.stdout, predictions, format).catch(unlessUnread);
    else await writeBatches(out, predictions, format);
  } finally {
    shown.end();
  }
  const { rows, invalid, warnings } = predictions.account();
  for (const line of warnings) process.stderr.write(`sluice: ${visible(line)}\n`);
  if (out === '-') return;
  const made = { target: model.target, file: out, rows, predictions: rows - invalid, invalid };
  process.stdout.write(json ? `${JSON.stringify(made)}\n` : render(made));
}

/** How record batches are written; null for a file of predictions alone, which every format of tables takes. */
function formatOf({ out, format }: PredictFlags, keep: readonly string[]): BatchFormat | null {
  if (out === '-') return format === 'arrow' ? 'arrow-stream' : (format ?? 'ndjson');
  requireTableFile('--out', out);
  if (format !== undefined)
    throw new ArgumentError(
      `--format is for --out -, got --out ${out}, whose name says its format; leave it out`,
      'ERR_CONFLICT',
      { arguments: ['--format', '--out'] },
    );
  if (keep.length === 0) return null;
  const end = extname(out).slice(1).toLowerCase();
  return end === 'feather' ? 'arrow' : (end as BatchFormat);
}

/** Predictions alone, in any format, whose bytes do not depend on how rows were read. */
async function writeNumbers(out: string, predictions: Predictions, nulls: NullPolicy): Promise<void> {
  const nullable = nulls !== 'error';
  const sink = await openPredictionSink(out, { columns: ['prediction'], nullable });
  try {
    for await (const batch of predictions) {
      const column = batch.getChildAt(0)!;
      const values = Float64Array.from({ length: batch.numRows }, (_, i) => column.get(i) ?? 0);
      const missing = Uint8Array.from(values, (_, i) => (column.get(i) === null ? 1 : 0));
      await sink.write([values], batch.numRows, ...(nullable ? [missing] : []));
    }
    await sink.commit();
  } finally {
    await sink.abandon();
  }
}

/** Nobody reads on, as after `head`, or standard output cannot be written, which is told of where it is opened. */
const unlessUnread = (error: NodeJS.ErrnoException): void => {
  if (error.syscall !== 'write') throw error;
};

interface Written {
  readonly target: string;
  readonly file: string;
  /** Predictions written, one per row read. */
  readonly rows: number;
  readonly predictions: number;
  /** Rows whose prediction is null. */
  readonly invalid: number;
}

function render({ target, file, predictions, invalid }: Written): string {
  const has = invalid === 1 ? 'has' : 'have';
  const note = invalid > 0 ? `; ${counted(invalid, 'invalid row')} ${has} none (null)` : '';
  return `${counted(predictions, 'prediction')} of ${visible(target)} in ${visible(file)}${note}\n`;
}
