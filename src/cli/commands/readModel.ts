import { readFile } from 'node:fs/promises';
import { ArgumentError, type Model, parseModel } from '../../index.ts';

/** Reads a model file that a command was given. */
export async function readModel(path: string): Promise<Model> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new ArgumentError(
      `${path} cannot be read: ${error.message}; give a model file written by sluice fit --out`,
      'ERR_FILE',
      { file: path },
    );
  });
  return parseModel(text, path);
}
