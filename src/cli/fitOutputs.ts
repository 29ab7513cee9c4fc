import { ArgumentError, filesInQuery, requireTableFile } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { requireOutputs } from './requireOutputs.ts';

/** Refuses places where a fit could not leave its results, or should not. */
export async function requireFitOutputs(
  paths: readonly string[],
  { out, report, trace, ledger, bounds, sql }: FitFlags,
): Promise<void> {
  if (report !== undefined && !/\.html?$/i.test(report)) {
    throw new ArgumentError(
      `--report must end in .html, got ${JSON.stringify(report)}; it is a page for a browser`,
    );
  }
  if (out !== undefined && /\.(parquet|arrow|feather|csv|ndjson)$/i.test(out)) {
    throw new ArgumentError(
      `--out must not end as a table does, got ${JSON.stringify(out)}: a model is JSON; name it model.json, say`,
    );
  }
  if (trace !== undefined) requireTableFile('--trace', trace);
  await requireOutputs({
    outputs: { '--out': out, '--report': report, '--trace': trace },
    data: sql === undefined ? paths : await filesInQuery(sql),
    inputs: { '--ledger': ledger, '--bounds': bounds },
  });
}
