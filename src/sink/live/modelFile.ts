import { writeWhole } from '../../files.ts';
import { formatModel, type Model } from '../../model/model.ts';

/** A model file that follows a stream. */
export interface ModelFileOutput {
  readonly name: string;
  publish(estimate: { readonly model: Model }): Promise<void>;
  /** Writes what could not be written before; throws if it still cannot. */
  close(): Promise<void>;
}

/** How a model file is kept. */
export interface ModelFileOptions {
  /** Takes why the file cannot be written at present, and null once it can again. */
  readonly onProblem?: (problem: string | null) => void;
  /** Milliseconds until a file that could not be written is tried again; ten seconds unless given. */
  readonly retry?: number;
}

/**
 * Replaces the model file whole after every chunk. Where that fails, because the disk is full, the old file stays, the
 * run goes on and says so, and the latest model is written as soon as there is room, even if no further chunk comes.
 */
export function modelFileOutput(path: string, { onProblem, retry = 10_000 }: ModelFileOptions = {}): ModelFileOutput {
  let unwritten: Model | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failed: unknown;
  // One at a time and in order: an older model must never replace a newer one.
  let work: Promise<void> = Promise.resolve();

  const attempt = async (): Promise<void> => {
    clearTimeout(timer);
    const model = unwritten;
    if (model === null) return;
    try {
      await writeWhole(path, formatModel(model));
      if (unwritten === model) unwritten = null;
      if (failed !== undefined) onProblem?.(null);
      failed = undefined;
    } catch (error) {
      if (failed === undefined) onProblem?.((error as Error).message);
      failed = error;
      timer = setTimeout(next, retry).unref();
    }
  };
  const next = (): Promise<void> => {
    work = work.then(attempt);
    return work;
  };

  return {
    name: path,
    publish: ({ model }) => {
      unwritten = model;
      return next();
    },
    close: async () => {
      await next();
      clearTimeout(timer);
      if (failed !== undefined) throw failed;
    },
  };
}
