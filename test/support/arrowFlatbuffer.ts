/** Writes flatbuffers from a plain description, so that tests can say in metadata what no writer would. */

export type Member =
  | { readonly byte: number }
  | { readonly short: number }
  | { readonly int: number }
  | { readonly long: bigint }
  | { readonly string: string }
  | { readonly table: Members }
  | { readonly tables: readonly Members[] }
  /** Structs of 64-bit members. */
  | { readonly structs: readonly (readonly bigint[])[] }
  /** A vector of references, all of them to one table. */
  | { readonly same: Members; readonly times: number };

/** By the number of the member in its table. */
export type Members = Readonly<Record<number, Member>>;

export function flatbufferOf(root: Members): Uint8Array {
  const bytes = Buffer.alloc(2 ** 14);
  let end = 8;
  const reserve = (length: number): number => {
    end += Math.ceil(length / 8) * 8;
    return end - Math.ceil(length / 8) * 8;
  };
  const refer = (at: number, to: number): void => {
    bytes.writeUInt32LE((to - at) >>> 0, at);
  };

  const writeTable = (members: Members): number => {
    const numbers = Object.keys(members).map(Number);
    const count = Math.max(-1, ...numbers) + 1;
    const vtable = reserve(4 + 2 * count);
    const table = reserve(8 + 8 * count);
    bytes.writeUInt16LE(4 + 2 * count, vtable);
    bytes.writeUInt16LE(8 + 8 * count, vtable + 2);
    bytes.writeInt32LE(table - vtable, table);
    for (const number of numbers) {
      bytes.writeUInt16LE(8 + 8 * number, vtable + 4 + 2 * number);
      writeMember(members[number]!, table + 8 + 8 * number);
    }
    return table;
  };

  /** Where the elements begin, a multiple of 8. */
  const writeVector = (at: number, count: number, size: number): number => {
    const start = reserve(8 + count * size) + 4;
    bytes.writeUInt32LE(count, start);
    refer(at, start);
    return start + 4;
  };

  const writeMember = (member: Member, at: number): void => {
    if ('byte' in member) bytes.writeUInt8(member.byte, at);
    else if ('short' in member) bytes.writeInt16LE(member.short, at);
    else if ('int' in member) bytes.writeInt32LE(member.int, at);
    else if ('long' in member) bytes.writeBigInt64LE(member.long, at);
    else if ('table' in member) refer(at, writeTable(member.table));
    else if ('string' in member) {
      const text = Buffer.from(member.string);
      bytes.set(text, writeVector(at, text.length, 1));
    } else if ('tables' in member) {
      const first = writeVector(at, member.tables.length, 4);
      for (const [k, table] of member.tables.entries()) refer(first + 4 * k, writeTable(table));
    } else if ('same' in member) {
      const first = writeVector(at, member.times, 4);
      const table = writeTable(member.same);
      for (let k = 0; k < member.times; k++) refer(first + 4 * k, table);
    } else {
      const first = writeVector(at, member.structs.length, 8 * (member.structs[0]?.length ?? 0));
      for (const [k, value] of member.structs.flat().entries()) bytes.writeBigInt64LE(value, first + 8 * k);
    }
  };

  refer(0, writeTable(root));
  return bytes.subarray(0, end);
}

/** A message in the frame of the stream format, with its body. */
export function framed(metadata: Uint8Array, body: Uint8Array = new Uint8Array(0)): Uint8Array {
  const frame = Buffer.alloc(8);
  frame.writeInt32LE(-1, 0);
  frame.writeInt32LE(metadata.length, 4);
  return Buffer.concat([frame, metadata, body]);
}

/** The message that carries a table: 1 is a schema, 2 a dictionary, 3 a record batch. */
export const messageOf = (header: number, content: Members, bodyLength = 0n): Uint8Array =>
  flatbufferOf({
    0: { short: 4 },
    1: { byte: header },
    2: { table: content },
    3: { long: bodyLength },
  });
