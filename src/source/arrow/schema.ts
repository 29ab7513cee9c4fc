/** The schema of an Arrow table: its columns, and the dictionaries that they refer to. */
import type { MetadataVersion } from 'apache-arrow/enum';
import type { Field } from '../table.ts';
import { type ArrowType, arrowType, encodedType } from './arrowType.ts';
import type { Damaged } from './damaged.ts';
import type { FlatTable } from './flatbuffer.ts';

export interface ArrowColumn {
  readonly name: string;
  readonly type: ArrowType;
  /** Of the dictionary that holds the values, if one does. */
  readonly dictionary: number | undefined;
}

export interface ArrowSchema {
  readonly columns: readonly ArrowColumn[];
  /** By id: the values of each dictionary, named for the column that refers to them. */
  readonly dictionaries: ReadonlyMap<number, ArrowColumn>;
}

export function decodeSchema(schema: FlatTable, version: MetadataVersion, damaged: Damaged): ArrowSchema {
  if (schema.short(SCHEMA.endianness) !== 0) {
    throw damaged(
      'holds numbers with the high byte first; write it on a machine that puts the low byte first',
    );
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
      throw damaged(
        `metadata is damaged: dictionary ${dictionary} is of ${known.type.name} and of ${type.name}`,
      );
    }
    dictionaries.set(dictionary, known ?? { name, type, dictionary: undefined });
    return { name, type: encodedType(dictionary, encoding.table(ENCODING.index), type, damaged), dictionary };
  };
  return { columns: schema.tables(SCHEMA.fields).map(describe), dictionaries };
}

export const fieldOf = ({ name, type: { kind, width, name: type } }: ArrowColumn): Field =>
  Object.freeze({ name, kind, type, width });

const SCHEMA = { endianness: 0, fields: 1 };
const FIELD = { name: 0, typeId: 2, type: 3, dictionary: 4, children: 5 };
const ENCODING = { id: 0, index: 1 };
