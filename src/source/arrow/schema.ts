import type { MetadataVersion } from 'apache-arrow/enum';
import { type ArrowType, arrowType, encodedType } from './arrowType.ts';
import type { FlatTable } from './flatbuffer.ts';
import type { Damaged } from './region.ts';

export interface ArrowColumn {
  readonly name: string;
  readonly type: ArrowType;
  /** The id of the dictionary with the values, if there is one. */
  readonly dictionary: number | undefined;
}

export interface ArrowSchema {
  readonly columns: readonly ArrowColumn[];
  /** By id: the values of each dictionary, named after the column that refers to them. */
  readonly dictionaries: ReadonlyMap<number, ArrowColumn>;
}

/** The schema of an Arrow table: its columns, and the dictionaries that they refer to. */
export function decodeSchema(schema: FlatTable, version: MetadataVersion, damaged: Damaged): ArrowSchema {
  if (schema.short(SCHEMA.endianness) !== 0) {
    throw damaged('contains big-endian numbers; write it on a little-endian machine');
  }
  const dictionaries = new Map<number, ArrowColumn>();

  const describe = (field: FlatTable): ArrowColumn => {
    const name = field.string(FIELD.name);
    const id = field.byte(FIELD.typeId);
    const parameters = field.table(FIELD.type);
    const children = field.tables(FIELD.children).map(child => describe(child).type);
    const type = arrowType({ id, parameters, children, version }, damaged);
    const encoding = field.table(FIELD.dictionary);
    if (encoding === undefined) return { name, type, dictionary: undefined };
    const dictionary = encoding.long(ENCODING.id);
    const known = dictionaries.get(dictionary);
    if (known !== undefined && known.type.name !== type.name) {
      throw damaged(`metadata is damaged: dictionary ${dictionary} has type ${known.type.name} and type ${type.name}`);
    }
    dictionaries.set(dictionary, known ?? { name, type, dictionary: undefined });
    return { name, type: encodedType(dictionary, encoding.table(ENCODING.index), type, damaged), dictionary };
  };
  return { columns: schema.tables(SCHEMA.fields).map(describe), dictionaries };
}

const SCHEMA = { endianness: 0, fields: 1 };
const FIELD = { name: 0, typeId: 2, type: 3, dictionary: 4, children: 5 };
const ENCODING = { id: 0, index: 1 };
