import { type DataError, dataError } from '../../errors.ts';

/** The error for a file that cannot be read, from the operating system's error code, with a remedy. */
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
      return dataError({ table: path }, 'is a folder', `name its files, for example "${path.replace(/\/+$/, '')}/*"`);
    case 'EACCES':
    case 'EPERM':
      return dataError(
        { table: path },
        'cannot be read by this user',
        'check the permissions of the file and its folders',
      );
    default:
      return dataError({ table: path }, `cannot be read: ${(error as Error).message}`);
  }
}
