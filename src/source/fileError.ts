import { type DataError, dataError } from './dataError.ts';

/** What the operating system says about a file that cannot be read, with a way out. */
export function fileError(path: string, error: unknown): DataError {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return dataError(
        { table: path },
        'there is no such file',
        'check the path, or quote a pattern such as "part-*.csv"',
      );
    case 'EISDIR':
      return dataError({ table: path }, 'is a folder', `name its files, say "${path.replace(/\/+$/, '')}/*"`);
    case 'EACCES':
    case 'EPERM':
      return dataError(
        { table: path },
        'may not be read by this user',
        'check the permissions of the file and its folders',
      );
    default:
      return dataError({ table: path }, `cannot be read: ${(error as Error).message}`);
  }
}
