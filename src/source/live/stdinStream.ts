import { ArgumentError, dataError } from '../../errors.ts';
import { counted } from '../../words.ts';
import { openArrowStream } from '../arrow/openArrowStream.ts';
import { formatOf } from '../read/openTable.ts';
import { type ByteSource, bomLength, byteSource } from '../text/byteSource.ts';
import { csvHeader } from '../text/csvHeader.ts';
import { after, csvRows, digestOf, linesOf } from './lines.ts';
import { liveSchema } from './liveSchema.ts';
import type { Arrival, Item, LiveSource, OpenLiveOptions } from './liveSource.ts';
import { changed, openedStream, placeOf, pulledUntil, requireIdentity } from './openedStream.ts';
import { arrivalsOf, JSON_ROWS, type Message, type RecordsOptions } from './records.ts';
import { tableRows } from './tableRows.ts';

const NAME = 'standard input';

/**
 * Standard input as a stream: an Arrow stream, NDJSON or CSV, as its first bytes say. Rows arrive as they come, and the
 * stream ends at its end. Lines that cannot be read are dead letters; a cell of CSV ends on its line.
 *
 * A place is a number of lines, or of rows of Arrow, with a digest of the beginning. A resumed stream has to be piped in
 * again from its beginning, and passes over what was used; one that begins otherwise, or ends before, is refused.
 *
 * A private run is refused: nothing could tell whether the rows of a second pipe are those of the first, and a row that
 * is used twice costs more than was promised.
 */
export function stdinStream(stdin: AsyncIterable<Uint8Array>): LiveSource {
  const identity = { source: NAME };
  return Object.freeze({
    name: NAME,
    open: async (options: OpenLiveOptions) => {
      if (options.forPrivate)
        throw new ArgumentError(
          'standard input has no positions that a private run could prove to use once; let files arrive in a folder, or use a broker',
          'ERR_NOT_PRIVATE',
          { argument: 'source' },
        );
      requireIdentity(NAME, identity, options);
      const arrivals = (stop: AbortSignal) => read(byteSource(pulledUntil(stdin, stop), NAME), options);
      return openedStream({ name: NAME, identity, endless: false, arrivals }, options);
    },
  });
}

async function* read(source: ByteSource, options: OpenLiveOptions): AsyncGenerator<Arrival> {
  try {
    const format = await formatOf(source);
    if (format === 'arrow-file' || format === 'parquet')
      throw dataError({ table: NAME }, 'is a file that cannot be read from its beginning', 'write an Arrow stream');
    const reading = { ...options, name: NAME, schema: await liveSchema(options) };
    yield* format === 'arrow-stream' ? arrowRows(source, reading, options) : textRows(source, format, reading, options);
  } finally {
    await source.close();
  }
}

async function* arrowRows(
  source: ByteSource,
  { schema }: RecordsOptions,
  options: OpenLiveOptions,
): AsyncGenerator<Arrival> {
  const table = schema.leveled(await openArrowStream(source.read(), NAME));
  const head = digestOf(JSON.stringify(table.fields.map(({ name, type }) => [name, type])));
  const used = usedOf(options, head, 'rows');
  // There is one schema, so that other columns are no bad record but another stream.
  if (!schema.fix(table.fields, table.format)) throw dataError({ table: NAME }, 'has no column that can be read');
  const places = schema.placesIn(table.fields, table.format);
  if (typeof places === 'string') throw dataError({ table: NAME }, places, undefined, 'ERR_COLUMN');
  let rows = used;
  // Says which input it is as long as no batch is used up.
  let items: readonly Item[] = [{ rows: 0, place: { head, rows } }];
  for await (const piece of tableRows(table, schema, places, used)) {
    rows = piece.upTo;
    if (piece.rows === 0) continue;
    yield { batch: schema.batchOf([piece]), items: [...items, { rows: piece.rows, place: { head, rows } }] };
    items = [];
  }
  if (rows < used) throw changed(NAME, `has ended after ${counted(rows, 'row')}, but ${used} were used before`);
}

async function* textRows(
  source: ByteSource,
  format: 'csv' | 'ndjson',
  reading: RecordsOptions,
  options: OpenLiveOptions,
): AsyncGenerator<Arrival> {
  const bom = await bomLength(source.look());
  const header = format === 'csv' ? await csvHeader(source.look(), { table: NAME, skip: bom }) : undefined;
  const lacking = reading.schema
    .columns()
    ?.filter(({ field }) => !(header?.names ?? [field.name]).includes(field.name));
  const [first] = lacking ?? [];
  if (first !== undefined)
    throw dataError(
      { table: NAME, column: first.field.name },
      'is not in the header',
      `the columns are ${header!.names.join(', ')}`,
    );
  let head: string | undefined;
  let used = 0;
  let lines = 0;

  async function* groups(): AsyncGenerator<readonly Message[]> {
    const chunks = after(source.read(), header?.length ?? bom);
    for await (const group of linesOf(chunks, { placeOf: line => line })) {
      if (head === undefined) {
        head = digestOf(header?.names.join('\n') ?? '', group[0]!.bytes);
        used = usedOf(options, head, 'lines');
      }
      lines += group.length;
      yield group
        .filter(({ place }) => (place as number) > used)
        .map(message => ({ ...message, place: { head: head!, lines: message.place } }));
    }
    used = usedOf(options, head ?? '', 'lines');
    if (lines < used) throw changed(NAME, `has ended after ${counted(lines, 'line')}, but ${used} were used before`);
  }
  yield* arrivalsOf(groups(), { ...reading, text: header === undefined ? JSON_ROWS : csvRows(header) });
}

/** How much of a stream with this beginning was used before. */
function usedOf(options: OpenLiveOptions, head: string, unit: 'rows' | 'lines'): number {
  const place = placeOf(NAME, options, 'head', unit);
  if (place === null) return 0;
  if (place.head !== head) throw changed(NAME, 'does not begin as it did when it was read before');
  return Number(place[unit]);
}
