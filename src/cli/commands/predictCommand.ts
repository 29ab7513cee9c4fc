/** `sluice predict`: one prediction per row. */
import {
  type NullPolicy,
  openPredictionSink,
  requireTableFile,
  type SampleBatch,
  scorer,
} from '../../index.ts';
import { progress } from '../render/progress.ts';
import { counted, visible } from '../render/text.ts';
import { openForModel, readModel, warnOfLevels } from './openForModel.ts';
import { requireOutputs } from './requireOutputs.ts';

export interface PredictFlags {
  readonly out: string;
  readonly nulls: NullPolicy;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function predictCommand(
  modelPath: string,
  paths: readonly string[],
  flags: PredictFlags,
): Promise<void> {
  await requireOutputs({ outputs: { '--out': flags.out }, data: paths, inputs: { MODEL: modelPath } });
  requireTableFile('--out', flags.out);
  const model = await readModel(modelPath);
  const score = scorer(model);
  const samples = await openForModel(model, paths, { nulls: flags.nulls, withTarget: false });
  const shown = progress({ quiet: flags.quiet === true });
  try {
    const sink = await openPredictionSink(flags.out, {
      columns: ['prediction'],
      nullable: flags.nulls !== 'error',
    });
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
    warnOfLevels(model, samples);
    const { read, invalid } = samples.tally;
    const made = { target: model.target, file: flags.out, rows: read, predictions: read - invalid, invalid };
    process.stdout.write(flags.json ? `${JSON.stringify(made)}\n` : render(made));
  } finally {
    shown.end();
    await samples.close();
  }
}

interface Predictions {
  readonly target: string;
  readonly file: string;
  /** Predictions written, one per row read. */
  readonly rows: number;
  readonly predictions: number;
  /** Rows whose prediction is null. */
  readonly invalid: number;
}

function render({ target, file, predictions, invalid }: Predictions): string {
  const has = invalid === 1 ? 'has' : 'have';
  const note = invalid > 0 ? `; ${counted(invalid, 'invalid row')} ${has} none (null)` : '';
  return `${counted(predictions, 'prediction')} of ${visible(target)} in ${visible(file)}${note}\n`;
}

/** Marks the rows that the null policy has emptied, if any: their prediction would be that of a row of zeros. */
const unusable = ({ weights }: SampleBatch): Uint8Array | undefined =>
  weights && Uint8Array.from(weights, weight => (weight === 0 ? 1 : 0));
