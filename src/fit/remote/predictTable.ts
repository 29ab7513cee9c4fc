import { layersOver } from '../../engine/sql/layers.ts';
import { predictionOf } from '../../engine/sql/slopes.ts';
import { designExpressions } from '../../engine/sql/sqlColumns.ts';
import type { SqlRows } from '../../engine/sql/sqlSession.ts';
import { fieldsOf, quotedName } from '../../engine/sql/surveyTable.ts';
import { scoreOf } from '../../engine/sql/wholeValues.ts';
import { ArgumentError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { modelDesign } from '../../model/modelDesign.ts';
import { distinctTexts, requireKnown, text } from '../../options.ts';
import { designOf } from '../../source/design/designOf.ts';
import { hasTexts } from '../../source/table/leveled.ts';
import { type CallOptions, watchedQueries } from '../call.ts';
import { callKinds } from '../optionKinds.ts';

/** The table that predictions go to, and what goes with them. */
export interface PredictTableOptions extends CallOptions {
  /** The name of a table that does not exist yet, beside that of the rows. */
  readonly into: string;
  /** Columns of the rows that are carried along, before the predictions; none unless given. */
  readonly keep?: readonly string[];
}

const PREDICTION = 'prediction';

/**
 * What a model expects of every row's target, written by the engine that has the rows as a table of its own (`CREATE
 * TABLE … AS SELECT`): the kept columns and `prediction`, which is NULL where a row cannot be used. No row comes here.
 * Returns the number of rows and of those without a prediction.
 */
export async function predictTable(
  model: Model,
  rows: SqlRows,
  options: PredictTableOptions,
): Promise<{ readonly rows: number; readonly invalid: number }> {
  requireKnown(options, { ...callKinds(), into: text, keep: distinctTexts });
  const { into, keep = [] } = options;
  if (model.loss.mean === 'own')
    throw new ArgumentError(
      "the model was fitted with a loss of the caller's own, whose predictions are a function of this process; predict here",
      'ERR_CONFLICT',
      { arguments: ['model'] },
    );
  if (keep.includes(PREDICTION))
    throw new ArgumentError(
      `\`keep\` names ${JSON.stringify(PREDICTION)}, which is the column of the predictions; rename it before`,
      'ERR_CONFLICT',
      { arguments: ['keep'] },
    );
  const source = await rows.connect({ writes: true });
  const { session } = source;
  try {
    const { categorical, ...asked } = modelDesign(model);
    const used = Object.fromEntries(Object.entries(categorical).filter(([column]) => column !== model.target));
    const fields = (await fieldsOf(source)).map(field =>
      Object.hasOwn(used, field.name) && hasTexts(field) ? { ...field, kind: 'text' as const } : field,
    );
    const missing = keep.find(name => !fields.some(field => field.name === name));
    if (missing !== undefined)
      throw new ArgumentError(
        `\`keep\` names ${JSON.stringify(missing)}, which is no column of ${source.name}; the columns are ${fields.map(({ name }) => name).join(', ')}`,
        'ERR_COLUMN',
        { table: source.name, column: missing },
      );
    const design = designOf({ name: source.name, fields }, { ...asked, categorical: used, isFixed: true });
    const names = design.features.map(({ name }) => name);
    if (names.join('\n') !== model.features.join('\n'))
      throw new ArgumentError(
        `the data give the features ${names.join(', ')}, but the model was fitted to ${model.features.join(', ')}`,
        'ERR_COLUMN',
        { features: names },
      );
    const { quote } = session.dialect;
    const layers = layersOver(source.from);
    const { column, sql, arithmetic } = layers;
    const features = designExpressions(session.dialect, fields, design).features.map(column);
    const theta = [
      ...model.features.map(name => model.coefficients[name]!),
      ...(model.intercept === null ? [] : [model.intercept]),
    ];
    const score = arithmetic.named(scoreOf(arithmetic, features, theta.map(arithmetic.constant)));
    const prediction = predictionOf(arithmetic, model.loss.name, score);
    const found = arithmetic.ifFinite(features, prediction, sql`NULL`);
    const kept = Object.fromEntries(keep.map(name => [quote(name), column(quote(name))]));
    const table = quotedName(session.dialect, into);
    const watched = watchedQueries(options);
    await session.query(`CREATE TABLE ${table} AS ${layers.select({ ...kept, [quote(PREDICTION)]: found })}`, watched);
    const counts = await session.query(
      `SELECT CAST(count(*) AS DOUBLE) AS n, CAST(count(${quote(PREDICTION)}) AS DOUBLE) AS made FROM ${table}`,
      watched,
    );
    const written = counts.numbers('n')[0]!;
    return { rows: written, invalid: written - counts.numbers('made')[0]! };
  } finally {
    await session.close();
  }
}
