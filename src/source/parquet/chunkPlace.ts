import { dataError, type Place } from '../../errors.ts';
import type { Footer, RowGroup } from './footer.ts';
import { type Compression, compressions, physicalTypes } from './format.ts';
import { requireCount } from './guarded.ts';
import type { Column } from './schema.ts';

/** The position of the pages of one column of one row group. */
export interface ChunkPlace {
  readonly start: number;
  readonly end: number;
  readonly compression: Compression;
  /** The number of nulls, if the file says. */
  readonly nulls: number | undefined;
}

/** Rejects a chunk that is elsewhere, unreadable, or not as long as the row group. */
export function chunkPlace(
  place: Place,
  column: Column,
  { rows, chunks }: RowGroup,
  dataEnd: Footer['start'],
): ChunkPlace {
  const chunk = chunks[column.chunk];
  if (chunk?.filePath)
    throw dataError(place, `is stored in another file, ${JSON.stringify(chunk.filePath)}`, undefined, 'ERR_FILE');
  if (chunk?.encryption) throw dataError(place, 'is encrypted', 'leave it out, or decrypt the file first', 'ERR_FILE');
  const metadata = chunk?.metadata;
  if (metadata === undefined) throw new Error('a row group does not say where its values are');
  const path = metadata.path ?? [];
  if (path.length !== column.path.length || !path.every((name, i) => name === column.path[i])) {
    throw new Error(`a row group has ${JSON.stringify(path.join('.'))} in place of this column`);
  }
  const physical = physicalTypes[metadata.type!];
  if (physical !== column.physical) throw new Error(`a row group stores it as ${physical ?? 'an unknown type'}`);
  if (metadata.values !== rows)
    throw new Error(`a row group of ${rows} rows has ${metadata.values ?? 'an unknown number of'} values`);
  const compression = compressions[metadata.codec!];
  if (compression === undefined) throw new Error(`its compression codec ${metadata.codec ?? 'none'} is unknown`);

  const data = requireCount('bytes', metadata.dataPageOffset);
  const dictionary = requireCount('bytes', metadata.dictionaryPageOffset ?? 0);
  // Some writers store 0 if there is no dictionary.
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  const end = start + requireCount('bytes', metadata.compressedSize);
  if (end > dataEnd) throw new Error(`its pages end at byte ${end}, but the data end at ${dataEnd}`);
  return { start, end, compression, nulls: metadata.statistics?.nulls };
}
