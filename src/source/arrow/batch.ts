import type { DataError } from '../../errors.ts';
import { type Codec, decompress } from '../codec/loadCodec.ts';
import { type Dictionary, emptyDictionary } from './dictionary.ts';
import type { BatchHeader } from './message.ts';
import { type Damaged, memoryRegion, type Region } from './region.ts';

/**
 * A record batch as seen by its columns' readers: the nodes and buffers of each column, checked, and decompressed on
 * demand.
 */
export interface Batch {
  readonly rows: number;
  column(index: number): BatchColumn;
}

/** One column of a record batch, as seen by its reader. */
export interface BatchColumn {
  readonly rows: number;
  readonly nulls: number;
  /** The bit of the first row in bitmaps; 0 in files, but not in a slice of a batch in memory. */
  readonly firstBit: number;
  /** The column's buffers, numbered from 0, the validity bitmap. */
  buffer(index: number): Promise<Region>;
  /** The number of text buffers that a view column has beyond its first two. */
  readonly variadic: number;
  /** The elements of lists with `width` values per row; their buffers are numbered from 0 too. */
  child(width: number): BatchColumn;
  dictionary(id: number): Dictionary;
  /** Rows are counted within the batch. */
  damaged(problem: string, row?: number): DataError;
}

/** The part of every batch that belongs to a column, including its children. */
export interface Extent {
  readonly nodes: number;
  /** Not counting the variadic ones. */
  readonly buffers: number;
  /** The number of view columns, each of which has a count of variadic buffers in the batch. */
  readonly views: number;
}

export interface BatchParts extends BatchNames {
  readonly header: BatchHeader;
  readonly body: Region;
  readonly extents: readonly Extent[];
  readonly dictionaries: ReadonlyMap<number, Dictionary>;
}

/** How a batch and its columns are called in messages. */
export interface BatchNames {
  /** The name of a column, including the table's name. */
  nameOf(column: number): string;
  /** `row` is counted within the batch. */
  damaged(problem: string, column?: number, row?: number): DataError;
}

export function openBatch({ header, body, extents, dictionaries, nameOf, damaged }: BatchParts): Batch {
  const places = placeColumns(header, extents, damaged);
  const decoded = new Map<number, Promise<Region>>();

  const openColumn = (index: number): BatchColumn => {
    const { node, buffer, variadic } = places[index]!;
    const complain = (problem: string, row?: number): DataError => damaged(problem, index, row);

    const load = (at: number): Promise<Region> => {
      const { from, length } = header.buffer(at);
      const part = body.part(from, length, complain);
      return header.codec === undefined ? Promise.resolve(part) : decode(part, header.codec, nameOf(index), complain);
    };
    const open = (firstNode: number, firstBuffer: number, width: number): BatchColumn => {
      const { rows, nulls } = header.node(firstNode);
      if (!(rows >= header.rows * width)) {
        throw complain(`has ${rows} values in a record batch of ${header.rows} rows`);
      }
      if (!(nulls >= 0 && nulls <= rows)) throw complain(`has ${nulls} nulls in ${rows} rows`);
      return {
        rows,
        nulls,
        firstBit: 0,
        buffer: async k => {
          const at = firstBuffer + k;
          const known = decoded.get(at) ?? load(at);
          decoded.set(at, known);
          return known;
        },
        variadic,
        child: childWidth => open(firstNode + 1, firstBuffer + 1, childWidth),
        dictionary: id => dictionaries.get(id) ?? emptyDictionary,
        damaged: (problem, row) => complain(problem, row === undefined ? row : Math.floor(row / width)),
      };
    };
    return open(node, buffer, 1);
  };
  return { rows: header.rows, column: openColumn };
}

interface ColumnPlace {
  readonly node: number;
  readonly buffer: number;
  readonly variadic: number;
}

/** Where each column's nodes and buffers begin; the batch must have exactly those that the schema implies. */
export function placeColumns(
  { rows, nodes, node, buffers, variadic }: BatchHeader,
  extents: readonly Extent[],
  damaged: Damaged,
): readonly ColumnPlace[] {
  let [nextNode, nextBuffer, nextView] = [0, 0, 0];
  const places = extents.map(extent => {
    const counts = variadic.slice(nextView, nextView + extent.views);
    const extra = counts.reduce((sum, count) => sum + count, 0);
    if (counts.length < extent.views || counts.some(count => count < 0)) {
      throw damaged('metadata is damaged: the data buffers of views are not counted');
    }
    const place = { node: nextNode, buffer: nextBuffer, variadic: extra };
    nextNode += extent.nodes;
    nextBuffer += extent.buffers + extra;
    nextView += extent.views;
    return place;
  });
  if (nextNode !== nodes || nextBuffer !== buffers) {
    const [needed, found] = [`${nextNode} nodes and ${nextBuffer} buffers`, `${nodes} and ${buffers}`];
    throw damaged(`metadata is damaged: by its schema a record batch needs ${needed}, but it has ${found}`);
  }
  places.forEach((place, k) => {
    const { rows: own } = node(place.node);
    if (own !== rows) throw damaged(`metadata is damaged: column ${k} has ${own} rows of ${rows}`);
  });
  return places;
}

/**
 * A compressed buffer begins with its decoded length, or with -1 if it was left uncompressed. An empty buffer has no
 * such prefix.
 */
async function decode(part: Region, codec: Codec, what: string, damaged: Damaged): Promise<Region> {
  if (part.length === 0) return part;
  const bytes = await part.bytes(0, part.length);
  if (bytes.length < 8) throw damaged('has a compressed buffer without a length');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getInt32(4, true) * 2 ** 32 + view.getUint32(0, true);
  const rest = bytes.subarray(8);
  if (length === -1) return memoryRegion(rest, damaged);
  return memoryRegion(await decompress(codec, rest, length, what), damaged);
}
