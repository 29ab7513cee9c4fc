/** `sluice predict`: one prediction per row. */
import { ArgumentError, openPredictionSink, scorer } from '../index.ts';
import { openFor, readModel } from './openFor.ts';
import { progress } from './progress.ts';

export interface PredictFlags {
  readonly out: string;
  readonly nulls: 'error' | 'skip';
  readonly quiet?: boolean;
}

export async function predictCommand(
  modelPath: string,
  paths: readonly string[],
  flags: PredictFlags,
): Promise<void> {
  if (paths.includes('-'))
    throw new ArgumentError('predict counts rows first, so it cannot read standard input; save it as a file');
  const model = await readModel(modelPath);
  const score = scorer(model);
  const samples = await openFor(model, paths, { nulls: flags.nulls, withTarget: false });
  const shown = progress({ quiet: flags.quiet === true });
  try {
    const sink = await openPredictionSink(flags.out, { columns: ['prediction'] });
    try {
      let done = 0;
      for await (const batch of samples.batches()) {
        const found = new Float64Array(batch.rows);
        score(batch, found);
        const kept = batch.weights === undefined ? found : found.filter((_, i) => batch.weights![i] !== 0);
        await sink.write([kept], kept.length);
        done += batch.rows;
        shown.rows(done, samples.rows);
      }
      await sink.commit();
    } finally {
      await sink.abandon();
    }
    shown.end();
    const { invalid } = samples.tally;
    const note = invalid > 0 ? `; ${invalid} invalid rows have none` : '';
    process.stdout.write(`${samples.rows - invalid} predictions of ${model.target} in ${flags.out}${note}\n`);
  } finally {
    shown.end();
    await samples.close();
  }
}
