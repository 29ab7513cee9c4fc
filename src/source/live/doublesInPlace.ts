import { DataError } from '../../errors.ts';
import { CONTINUATION, decodeBatch, decodeMessage, isBatch } from '../arrow/message.ts';
import type { Damaged } from '../arrow/region.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import type { Field } from '../table/table.ts';
import type { LiveSchema } from './liveSchema.ts';

/** What a stream of record batches ends with; some writers leave it out. */
const END = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/**
 * A shorter way for the messages that most streams consist of: one record batch of doubles, without nulls and not
 * compressed, whose schema is to the byte one that was read before. Their numbers are taken as they lie. Every other
 * message, and every one that is damaged, has to go the long way, which says what is wrong with it.
 */
export function doublesInPlace(schema: LiveSchema, forPrivate: boolean) {
  /** The body of the latest message: a new one for each takes longer than all else. */
  let body = new Float64Array(0);
  let known: { readonly head: Uint8Array; readonly fields: number; readonly places: readonly number[] } | null = null;

  return {
    /** Takes the fields of a message that has gone the long way, and which of them each column is. */
    learn: (bytes: Uint8Array, fields: readonly Field[], places: readonly (number | null)[]): void => {
      if (!schema.holdsDoubles() || places.includes(null) || !fields.every(({ type }) => type === 'Float64')) return;
      const head = Uint8Array.from(bytes.subarray(0, 8 + viewOf(bytes).getInt32(4, true)));
      known = { head, fields: fields.length, places: places as number[] };
    },
    /** Null for a message that has to go the long way. */
    read: (bytes: Uint8Array): ArrowBatch | null => {
      try {
        return known && plainRows(bytes, known);
      } catch {
        return null;
      }
    },
  };

  function plainRows(bytes: Uint8Array, { head, fields, places }: NonNullable<typeof known>): ArrowBatch | null {
    const start = head.length + 8;
    if (bytes.length < start || Buffer.compare(bytes.subarray(0, head.length), head) !== 0) return null;
    const view = viewOf(bytes);
    const length = view.getInt32(head.length + 4, true);
    if (view.getInt32(head.length, true) !== CONTINUATION || !(length > 0 && length <= bytes.length - start))
      return null;
    const message = decodeMessage(bytes.subarray(start, start + length), notPlain);
    if (!isBatch(message)) return null;
    const { rows, nodes, node, buffers, buffer, codec } = decodeBatch(message.content, notPlain);
    const from = start + length;
    const rest = bytes.subarray(from + message.bodyLength);
    const isWhole = from + message.bodyLength <= bytes.length && (rest.length === 0 || END.equals(rest));
    if (!isWhole || codec !== undefined || nodes !== fields || buffers !== 2 * fields) return null;
    // Copied at once, because messages do not begin at multiples of eight bytes.
    if (body.byteLength < message.bodyLength) body = new Float64Array(Math.ceil(message.bodyLength / 8));
    new Uint8Array(body.buffer).set(bytes.subarray(from, from + message.bodyLength));
    const lies = ({ from: first, length: size }: { from: number; length: number }): boolean =>
      first >= 0 && size >= 0 && first + size <= message.bodyLength;
    for (let field = 0; field < fields; field++)
      if (node(field).rows !== rows || !lies(buffer(2 * field)) || !lies(buffer(2 * field + 1))) return null;
    const columns: Float64Array[] = [];
    for (const place of places) {
      const { from: first, length: size } = buffer(2 * place + 1);
      if (node(place).nulls !== 0 || first % 8 !== 0 || size < 8 * rows) return null;
      const doubles = body.subarray(first / 8, first / 8 + rows);
      // What is no number is a null there.
      if (forPrivate && doubles.some(Number.isNaN)) return null;
      columns.push(doubles);
    }
    return schema.batchOfDoubles(columns, rows);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const notPlain: Damaged = problem => new DataError(problem, { table: '' });
