/** `sluice predict`: one prediction per row. */

import { openForModel, scorer, unknownLevelLines } from '../../fit/index.ts';
import type { SampleBatch } from '../../index.ts';
import { openPredictionSink, requireTableFile } from '../../sink/index.ts';
import type { NullPolicy } from '../../source/index.ts';
import { progress } from '../render/progress.ts';
import { counted, visible } from '../render/text.ts';
import { readModel } from './modelFile.ts';
import { requireOutputs } from './outputs.ts';

export interface PredictFlags {
  readonly out: string;
  readonly nulls: NullPolicy;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function predictCommand(
  modelPath: string,
  paths: readonly string[],
  { out, nulls, json, quiet }: PredictFlags,
): Promise<void> {
  await requireOutputs({ outputs: { '--out': out }, data: paths, inputs: { MODEL: modelPath } });
  requireTableFile('--out', out);
  const model = await readModel(modelPath);
  const score = scorer(model);
  const samples = await openForModel(model, paths, { nulls, withTarget: false });
  const shown = progress({ quiet: quiet === true });
  try {
    const sink = await openPredictionSink(out, { columns: ['prediction'], nullable: nulls !== 'error' });
    try {
      let done = 0;
      for await (const batch of samples.batches()) {
        const found = new Float64Array(batch.rows);
        score(batch, found);
        await sink.write([found], batch.rows, unusable(batch));
        done += batch.rows;
        shown.rows(done, samples.rows);
      }
      await sink.commit();
    } finally {
      await sink.abandon();
    }
    shown.end();
    for (const line of unknownLevelLines(model, samples.levels()))
      process.stderr.write(`sluice: ${visible(line)}\n`);
    const { read, invalid } = samples.tally;
    const made = { target: model.target, file: out, rows: read, predictions: read - invalid, invalid };
    process.stdout.write(json ? `${JSON.stringify(made)}\n` : render(made));
  } finally {
    shown.end();
    await samples.close();
  }
}

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

/** Marks the rows that the null policy has emptied, if any: their prediction would be that of a row of zeros. */
const unusable = ({ weights }: SampleBatch): Uint8Array | undefined =>
  weights && Uint8Array.from(weights, weight => (weight === 0 ? 1 : 0));
