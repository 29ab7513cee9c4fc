import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireInteger } from '../../errors.ts';
import { exhibitByName } from './exhibits.ts';
import type { Point } from './figure.ts';
import type { FigureAnswer, FigureTask } from './figureWorker.ts';

export interface CrewOptions {
  readonly processes: number;
  readonly onWork?: (work: number) => void;
  /** Called when a task is done; the next task waits for it. */
  readonly onDone: (task: FigureTask, points: readonly Point[]) => Promise<void>;
}

/**
 * Figures, seed by seed, in several processes. The result of a task does not depend on which process runs it or when.
 */
export async function runTasks(tasks: readonly FigureTask[], options: CrewOptions): Promise<void> {
  const processes = Math.min(requireInteger('processes', options.processes, 1), tasks.length);
  const waiting = tasks.values();
  if (processes > 1) {
    const members = Array.from({ length: processes }, () => figureMember(options));
    try {
      await Promise.all(members.map(({ work }) => work(waiting)));
    } finally {
      for (const { end } of members) end();
    }
    return;
  }
  for (const task of waiting) {
    const { onWork } = options;
    const { figure, seed, ...only } = task;
    const points = await exhibitByName(figure).run(seed, { ...only, ...(onWork && { onWork }) });
    await options.onDone(task, points);
  }
}

function figureMember({ onWork, onDone }: CrewOptions) {
  // Processes, not threads: only processes inherit a TypeScript loader. The file is next to this one, compiled or not.
  const program = new URL(`./figureWorker${extname(import.meta.url)}`, import.meta.url);
  const member = fork(fileURLToPath(program), { serialization: 'advanced' });
  const run = (task: FigureTask): Promise<readonly Point[]> =>
    new Promise((resolve, reject) => {
      member.once('error', reject);
      member.once('exit', code => reject(new Error(`a process of ${task.figure} ended with code ${code}`)));
      member.on('message', ({ work, points, failure }: FigureAnswer) => {
        onWork?.(work);
        if (points === undefined && failure === undefined) return;
        member.removeAllListeners();
        if (points === undefined) reject(new Error(`${task.figure}, seed ${task.seed}: ${failure}`));
        else resolve(points);
      });
      member.send(task);
    });
  return {
    work: async (waiting: Iterable<FigureTask>): Promise<void> => {
      for (const task of waiting) await onDone(task, await run(task));
    },
    end: () => member.kill(),
  };
}

/**
 * A digest of the program that computes the numbers, including everything it imports, so that results of different code
 * are not mixed: that of figures unless another is given.
 */
export async function codeVersion(
  program = new URL(`./figureWorker${extname(import.meta.url)}`, import.meta.url),
): Promise<string> {
  const pending = [program.href];
  const texts = new Map<string, string>();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (texts.has(file)) continue;
    const text = await readFile(new URL(file), 'utf8');
    texts.set(file, text);
    // Compiled files have different quotes from their sources, and import some files without a name.
    for (const [, path] of text.matchAll(/(?: from|^import) ['"](\.[^'"]+)['"]/gm))
      pending.push(new URL(path!, file).href);
  }
  const hash = createHash('sha256');
  for (const file of [...texts.keys()].sort()) hash.update(texts.get(file)!);
  return hash.digest('hex').slice(0, 16);
}
