/** Opens data with the columns that a model was fitted to. */
import { readFile } from 'node:fs/promises';
import {
  ArgumentError,
  type Design,
  type Model,
  modelDesign,
  type NullPolicy,
  openSamples,
  parseModel,
  type ReadOptions,
  type TableSamples,
  unknownLevelLines,
} from '../../index.ts';
import { visible } from '../render/text.ts';

export async function readModel(path: string): Promise<Model> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ArgumentError(
      `${path} cannot be read: ${error.message}; give a model file written by sluice fit --out`,
    );
  });
  return parseModel(text, path);
}

export interface OpenForOptions {
  readonly nulls: NullPolicy;
  readonly withTarget: boolean;
  /** The column of row weights. */
  readonly weights?: string;
}

export async function openForModel(
  model: Model,
  paths: readonly string[],
  { nulls, withTarget, weights }: OpenForOptions,
): Promise<TableSamples> {
  const { categorical, ...design } = modelDesign(model);
  const used = withTarget ? categorical : withoutTarget(categorical, model.target);
  const samples = await openSamples(paths, {
    ...design,
    categorical: used,
    isFixed: true,
    nulls,
    knownLevels: knownLevels(model),
    stdin: process.stdin,
    // Read once, so the number of rows need not be known.
    ...(paths.includes('-') ? { rows: Infinity } : {}),
    ...(withTarget ? { target: model.target } : {}),
    ...(weights === undefined ? {} : { weights }),
  });
  const problem = differenceFrom(model, samples.design);
  if (problem === undefined) return samples;
  await samples.close();
  throw new ArgumentError(problem);
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
  Object.fromEntries(
    Object.entries({ ...reference, ...pooled }).map(([column, levels]) => [column, levels ?? []]),
  );

/** Warns of rows with levels that the model does not know. */
export function warnOfLevels(model: Model, samples: TableSamples): void {
  for (const line of unknownLevelLines(model, samples.levels()))
    process.stderr.write(`sluice: ${visible(line)}\n`);
}

const withoutTarget = (categorical: Model['categorical'], target: string): Model['categorical'] =>
  Object.fromEntries(Object.entries(categorical).filter(([column]) => column !== target));
