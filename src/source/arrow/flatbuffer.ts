import type { Damaged } from './region.ts';

/** Members are numbered as in Arrow's schema files; an absent one reads as its default. */
export interface FlatTable {
  bool(member: number): boolean;
  byte(member: number): number;
  short(member: number, absent?: number): number;
  int(member: number, absent?: number): number;
  /** 64 bits; values beyond +-2^53 are rejected. */
  long(member: number): number;
  string(member: number): string;
  table(member: number): FlatTable | undefined;
  tables(member: number): readonly FlatTable[];
  structs(member: number, size: number): FlatStructs;
}

/** A vector of structs of a fixed size; `offset` is a member's position within the struct. */
export interface FlatStructs {
  readonly count: number;
  int(index: number, offset: number): number;
  long(index: number, offset: number): number;
}

/**
 * A reader of flatbuffers, the metadata of Arrow, that trusts nothing: every offset and length is checked against the
 * bytes before it is used, and tables are visited no more often than the bytes could hold distinct ones. So damaged
 * metadata ends in an error. The accessors of apache-arrow check nothing: one flipped bit makes them list 2^31 buffers,
 * or visit the same children 2^64 times.
 */
export function flatbuffer(bytes: Uint8Array, damaged: Damaged): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // In a valid tree every table has a separate reference, which takes four bytes.
  let tablesLeft = bytes.length / 4;

  const inside = (at: number, size: number): number => {
    if (at >= 0 && at + size <= bytes.length) return at;
    throw damaged(`metadata is damaged: it refers to byte ${at + size} of ${bytes.length}`);
  };
  const long = (at: number): number => {
    const value = view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
    if (Number.isSafeInteger(value)) return value;
    throw damaged(`metadata is damaged: it contains the number ${value}`);
  };
  const target = (at: number): number => inside(at + view.getUint32(at, true), 4);

  const enter = (at: number, depth: number): FlatTable => {
    if (depth > DEEPEST || tablesLeft-- <= 0) throw damaged('metadata is damaged: its tables are nested endlessly');
    const members = inside(at - view.getInt32(inside(at, 4), true), 4);
    const membersLength = view.getUint16(members, true);
    inside(members, membersLength);

    const find = (member: number, size: number): number | undefined => {
      const entry = 4 + 2 * member;
      const offset = entry + 2 <= membersLength ? view.getUint16(members + entry, true) : 0;
      return offset === 0 ? undefined : inside(at + offset, size);
    };
    const vector = (member: number, size: number): { first: number; count: number } => {
      const found = find(member, 4);
      if (found === undefined) return { first: 0, count: 0 };
      const start = target(found);
      const count = view.getUint32(start, true);
      return { first: inside(start + 4, count * size), count };
    };
    const read = <T>(member: number, size: number, absent: T, get: (at: number) => T): T => {
      const found = find(member, size);
      return found === undefined ? absent : get(found);
    };

    return {
      bool: member => read(member, 1, 0, found => view.getUint8(found)) !== 0,
      byte: member => read(member, 1, 0, found => view.getUint8(found)),
      short: (member, absent = 0) => read(member, 2, absent, found => view.getInt16(found, true)),
      int: (member, absent = 0) => read(member, 4, absent, found => view.getInt32(found, true)),
      long: member => read(member, 8, 0, long),
      string: member => {
        const { first, count } = vector(member, 1);
        try {
          return utf8.decode(bytes.subarray(first, first + count));
        } catch {
          throw damaged('metadata is damaged: a name is not UTF-8');
        }
      },
      table: member => read(member, 4, undefined, found => enter(target(found), depth + 1)),
      tables: member => {
        const { first, count } = vector(member, 4);
        return Array.from({ length: count }, (_, k) => enter(target(first + 4 * k), depth + 1));
      },
      structs: (member, size) => {
        const { first, count } = vector(member, size);
        const locate = (index: number, offset: number): number => {
          if (index >= 0 && index < count) return first + index * size + offset;
          throw damaged(`metadata is damaged: it lists ${count} parts, but part ${index} is needed`);
        };
        return {
          count,
          int: (index, offset) => view.getInt32(locate(index, offset), true),
          long: (index, offset) => long(locate(index, offset)),
        };
      },
    };
  };

  inside(0, 4);
  return enter(target(0), 0);
}

/** Arrow's other readers stop at 64 levels of nested types too. */
const DEEPEST = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
