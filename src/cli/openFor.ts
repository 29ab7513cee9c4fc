/** Opens data as the rows that a model was fitted to. */
import { readFile } from 'node:fs/promises';
import {
  ArgumentError,
  type Design,
  type Model,
  modelDesign,
  openSamples,
  parseModel,
  type ReadOptions,
  type TableSamples,
  unknownLevelLines,
} from '../index.ts';
import { visible } from './visible.ts';

export async function readModel(path: string): Promise<Model> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ArgumentError(
      `${path} cannot be read: ${error.message}; give a file that sluice fit --out wrote`,
    );
  });
  return parseModel(text, path);
}

export interface OpenForOptions {
  readonly nulls: 'error' | 'skip';
  readonly withTarget: boolean;
  /** The column that says how much each row counts. */
  readonly weights?: string;
}

export async function openFor(
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
    // Read once, so that nobody counts its rows.
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
  // A date may be counted in days or milliseconds, and a number does not say in which.
  const numbers = model.times?.find(name => !times.includes(name));
  return numbers === undefined
    ? undefined
    : `column ${JSON.stringify(numbers)} does not hold dates or times, which the model was fitted to there, and plain numbers do not say what they count; give dates or times, such as 2024-05-17T09:30:00Z`;
}

/** Those that the fit has seen, to be told from those that it has not. */
const knownLevels = ({ reference = {} }: Model): NonNullable<ReadOptions['knownLevels']> =>
  Object.fromEntries(Object.entries(reference).map(([column, levels]) => [column, levels ?? []]));

/** Says how many rows have levels that the model does not know. */
export function warnOfLevels(model: Model, samples: TableSamples): void {
  for (const line of unknownLevelLines(model, samples.levels()))
    process.stderr.write(`sluice: ${visible(line)}\n`);
}

const withoutTarget = (categorical: Model['categorical'], target: string): Model['categorical'] =>
  Object.fromEntries(Object.entries(categorical).filter(([column]) => column !== target));
