import { type FileHandle, open } from 'node:fs/promises';
import { fileError } from '../table/fileError.ts';

export interface OpenedFile {
  readonly file: FileHandle;
  readonly size: number;
  /** False for a pipe or a terminal, which has no size and can be read once, from its beginning. */
  readonly isRegular: boolean;
}

export async function openHandle(path: string): Promise<OpenedFile> {
  const refuse = (error: unknown): never => {
    throw fileError(path, error);
  };
  const file = await open(path).catch(refuse);
  const stat = await file.stat();
  if (!stat.isDirectory()) return { file, size: stat.size, isRegular: stat.isFile() };
  await file.close();
  return refuse({ code: 'EISDIR' });
}
