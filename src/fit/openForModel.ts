import { ArgumentError } from '../errors.ts';
import type { Model } from '../model/model.ts';
import { modelDesign } from '../model/modelDesign.ts';
import type { Design } from '../source/design/design.ts';
import { isStream, type RowSource } from '../source/memory/rowSource.ts';
import { openRows } from '../source/read/openRows.ts';
import type { OpenOptions } from '../source/read/openTable.ts';
import type { ReadOptions, TableSamples } from '../source/read/tableSamples.ts';

/** How rows are read for a model that exists. */
export interface ModelRowsOptions extends Pick<ReadOptions, 'nulls' | 'weights'>, Pick<OpenOptions, 'stdin' | 'types'> {
  readonly withTarget: boolean;
}

/** Opens rows with the columns that a model was fitted to. */
export async function openForModel(
  model: Model,
  source: RowSource,
  { nulls = 'auto', withTarget, weights, types, stdin = process.stdin }: ModelRowsOptions,
): Promise<TableSamples> {
  const { categorical, ...design } = modelDesign(model);
  const used = withTarget ? categorical : withoutTarget(categorical, model.target);
  const samples = await openRows(source, {
    ...design,
    categorical: used,
    isFixed: true,
    nulls,
    knownLevels: knownLevels(model),
    stdin,
    // Read once, so the number of rows need not be known.
    ...(isStream(source) && { rows: Infinity }),
    ...(withTarget && { target: model.target }),
    ...(weights !== undefined && { weights }),
    ...(types !== undefined && { types }),
  });
  const problem = differenceFrom(model, samples.design);
  if (problem === undefined) return samples;
  await samples.close();
  throw new ArgumentError(problem, 'ERR_COLUMN', { features: samples.design.features.map(({ name }) => name) });
}

function differenceFrom(model: Model, { features, times = [] }: Design): string | undefined {
  const found = features.map(({ name }) => name);
  if (found.length !== model.features.length || found.some((name, j) => name !== model.features[j]))
    return `the data give the features ${found.join(', ')}, but the model was fitted to ${model.features.join(', ')}`;
  // A date may be stored in days or milliseconds, and a plain number does not say which.
  const numbers = model.times?.find(name => !times.includes(name));
  return numbers === undefined
    ? undefined
    : `column ${JSON.stringify(numbers)} must hold dates or times, as in the data that the model was fitted to, but holds plain numbers, whose unit is unknown; give dates or times, such as 2024-05-17T09:30:00Z`;
}

/** The levels seen by the fit, so that others can be counted as unknown. */
const knownLevels = ({ reference = {}, pooled = {} }: Model): NonNullable<ReadOptions['knownLevels']> =>
  Object.fromEntries(Object.entries({ ...reference, ...pooled }).map(([column, levels]) => [column, levels ?? []]));

const withoutTarget = (categorical: Model['categorical'], target: string): Model['categorical'] =>
  Object.fromEntries(Object.entries(categorical).filter(([column]) => column !== target));
