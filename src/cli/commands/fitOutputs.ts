import { ArgumentError, filesInQuery, requireTableFile } from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { requireOutputs } from './requireOutputs.ts';

/** Refuses output paths that a fit could not write to, or should not. */
export async function requireFitOutputs(
  paths: readonly string[],
  { out, report, trace, ledger, bounds, sql }: FitFlags,
): Promise<void> {
  if (report !== undefined && !/\.html?$/i.test(report)) {
    throw new ArgumentError(
      `--report must end in .html, got ${JSON.stringify(report)}: the report is an HTML page`,
    );
  }
  if (out !== undefined && /\.(parquet|arrow|feather|csv|ndjson)$/i.test(out)) {
    throw new ArgumentError(
      `--out must not have the extension of a table, got ${JSON.stringify(out)}: a model is JSON; name it model.json, for example`,
    );
  }
  if (trace !== undefined) requireTableFile('--trace', trace);
  await requireOutputs({
    outputs: { '--out': out, '--report': report, '--trace': trace },
    data: sql === undefined ? paths : await filesInQuery(sql),
    inputs: { '--bounds': bounds },
    appended: { '--ledger': ledger },
  });
}
