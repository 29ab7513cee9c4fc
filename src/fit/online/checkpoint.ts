import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ArgumentError } from '../../errors.ts';
import { writeDurably } from '../../files.ts';
import { fromText, toText } from '../../math/plainData.ts';
import { takeLock } from '../../privacy/ledgerFile/lock.ts';
import { version } from '../../version.ts';
import { inFolder, readIfThere, requireSameRun } from '../runFolder.ts';

/** What a run is, as far as its checkpoints depend on it: plain data by name, so that a difference can be named. */
export type RunFacts = Readonly<Record<string, unknown>>;

/** Writes a file so that it survives a loss of power. Tests give others, which fail. */
export type WriteFile = (path: string, text: string) => Promise<void>;

/** A folder that keeps the latest checkpoint of one run, for one process at a time. */
export interface CheckpointFolder<Content> {
  /** What was written last; null in a new folder. */
  readonly last: Content | null;
  /** A hash of the file as it is; null where there is none. */
  digest(): string | null;
  /** Replaces the checkpoint, whole or not at all; it is on disk when this resolves. */
  write(content: Content): Promise<void>;
  /** Lets other processes have the folder. */
  close(): void;
}

const FORMAT = 'sluice-checkpoint';
const VERSION = 1;

/**
 * Opens or makes a folder of checkpoints, and locks it for this process. A checkpoint of another version, or of a run
 * that differs in any of its facts, is refused with the difference named: its state would mean something else here.
 */
export function openCheckpoint<Content extends object>(
  folder: string,
  facts: RunFacts,
  write: WriteFile = writeDurably,
): CheckpointFolder<Content> {
  const path = join(folder, 'checkpoint.json');
  inFolder(folder, () => mkdirSync(folder, { recursive: true }));
  const lock = takeLock(path);
  try {
    const own = fromText(toText(facts)) as RunFacts;
    const found = readIfThere(path);
    let digest = found && digestOf(found);
    return {
      last: found === null ? null : contentOf<Content>(path, found, own),
      digest: () => digest,
      write: async content => {
        const text = `${toText({ format: FORMAT, version: VERSION, createdWith: `sluice ${version}`, facts: own, content })}\n`;
        await write(path, text);
        digest = digestOf(text);
      },
      close: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function contentOf<Content>(path: string, text: string, own: RunFacts): Content {
  const wrong = (problem: string, wayOut: string): never => {
    throw new ArgumentError(`the checkpoint ${path} ${problem}; ${wayOut}`, 'ERR_CONFLICT', { file: path });
  };
  let read: unknown;
  try {
    read = fromText(text);
  } catch {
    return wrong('is not one that sluice wrote whole', 'give another folder');
  }
  const { format, version: found, facts, content } = (read ?? {}) as Record<string, unknown>;
  if (format !== FORMAT) return wrong('is not one that sluice wrote', 'give another folder');
  if (found !== VERSION)
    return wrong(
      `has version ${JSON.stringify(found)}, but this sluice reads ${VERSION}`,
      'use the sluice that wrote it',
    );
  requireSameRun(path, 'options', facts, own);
  return content as Content;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
