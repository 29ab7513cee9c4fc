/** `sluice evaluate`: how well a model predicts, on rows it may not have seen. */
import { type Evaluation, evaluate } from '../../index.ts';
import type { NullPolicy } from '../../source/index.ts';
import { progress } from '../render/progress.ts';
import { MEASURES } from '../render/renderFit.ts';
import { counted, significant, table, visible } from '../render/text.ts';
import { readModel } from './readModel.ts';

export interface EvaluateFlags {
  readonly nulls: NullPolicy;
  readonly weights?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A private model may be published; these measures must not be mistaken for part of it. */
const NOT_PRIVATE =
  'sluice: these measures are computed from the rows exactly, without noise: unlike the model they are not private; show them only to those who may see the rows\n';

export async function evaluateCommand(
  modelPath: string,
  paths: readonly string[],
  { nulls, weights, json, quiet }: EvaluateFlags,
): Promise<void> {
  const model = await readModel(modelPath);
  const shown = progress({ quiet: quiet === true });
  try {
    const { warnings, ...found } = await evaluate(model, paths, {
      nulls,
      ...(weights !== undefined && { weights }),
      onProgress: shown.tell,
    });
    shown.end();
    if (model.ledger.private) process.stderr.write(NOT_PRIVATE);
    for (const line of warnings) process.stderr.write(`sluice: ${visible(line)}\n`);
    const measured = weights === undefined ? model.target : `${model.target} weighted by ${weights}`;
    process.stdout.write(json ? `${JSON.stringify(found)}\n` : render(measured, found));
  } finally {
    shown.end();
  }
}
function render(measured: string, { rows, loss, meanLoss, errors, classes, meanDeviance }: Evaluation): string {
  const lines: [string, string][] = [[MEASURES.meanLoss, significant(meanLoss)]];
  if (meanDeviance !== undefined) lines.push([MEASURES.meanDeviance, significant(meanDeviance)]);
  if (errors !== undefined) {
    const { r2, meanAbsolute, rootMeanSquare, absolute } = errors;
    lines.push([MEASURES.r2, r2 === null ? 'not defined' : significant(r2)]);
    lines.push([MEASURES.meanAbsolute, significant(meanAbsolute)]);
    lines.push([MEASURES.rootMeanSquare, significant(rootMeanSquare)]);
    lines.push([MEASURES.medianAbsolute, significant(absolute.median)]);
    lines.push(['absolute error, 90 %', significant(absolute.p90)]);
    lines.push(['absolute error, 99 %', significant(absolute.p99)]);
    lines.push(['absolute error, largest', significant(absolute.most)]);
  }
  if (classes !== undefined) {
    const { auc, accuracy, brier, positives } = classes;
    lines.push([MEASURES.auc, auc === null ? 'not defined' : significant(auc.area)]);
    lines.push([MEASURES.accuracy, significant(accuracy)]);
    lines.push([MEASURES.brier, significant(brier)]);
    lines.push(['share of ones', significant(positives)]);
  }
  return `${visible(measured)}, ${counted(rows, 'row')}, ${loss} loss\n${table(lines)}`;
}
