import type { Field } from '../table/table.ts';
import { annotationOf } from './annotation.ts';
import { type ColumnType, columnType } from './columnType.ts';
import { repetitions, type SchemaElement } from './format.ts';

/** A field of the table, and where and how its values are stored. */
export interface Column {
  readonly field: Field;
  readonly path: readonly string[];
  /** The index among the column chunks of a row group: of the first, if several make up an unsupported field. */
  readonly chunk: number;
  readonly physical: ColumnType['physical'];
  readonly layout: ColumnType['layout'];
  /**
   * The definition level of a value that is present: the number of nullable elements among it and the structs around
   * it.
   */
  readonly highestLevel: number;
}

/**
 * The columns of a schema: a tree, listed with each element before its children. A leaf of a struct is a column named
 * 'struct.leaf'. Anything repeated within a row is one unsupported column, and so is a group whose annotation makes it
 * more than a struct.
 */
export function columnsOf(schema: readonly SchemaElement[]): readonly Column[] {
  const columns: Column[] = [];
  let next = 0;
  let chunk = 0;

  const take = (): SchemaElement => {
    const element = schema[next++];
    if (element === undefined) throw new Error('its schema ends early');
    return element;
  };

  const add = (
    path: readonly string[],
    highestLevel: number,
    { kind, type, physical, layout }: ColumnType,
  ): void => {
    const field = Object.freeze({ name: path.join('.'), kind, type, width: 1 });
    columns.push(Object.freeze({ field, path, chunk, physical, layout, highestLevel }));
  };

  const addUnsupported = (path: readonly string[], type: string): void =>
    add(path, 0, { kind: 'unsupported', type, physical: null, layout: null });

  const skip = (children = 0): void => {
    for (let i = 0; i < children; i++) {
      const element = take();
      if (element.type === undefined) skip(element.children);
      else chunk++;
    }
  };

  const visit = (parent: readonly string[], children = 0, level = 0): void => {
    for (let i = 0; i < children; i++) {
      const element = take();
      const path = [...parent, element.name ?? ''];
      const annotation = annotationOf(element);
      const isRepeated = element.repetition === repetitions.repeated;
      const highestLevel = level + (element.repetition === repetitions.optional ? 1 : 0);
      if (element.type !== undefined) {
        const type = columnType(element);
        if (isRepeated) addUnsupported(path, `repeated ${type.type}`);
        else add(path, highestLevel, type);
        chunk++;
      } else if (isRepeated || annotation !== null) {
        addUnsupported(path, annotation?.name ?? 'repeated group');
        skip(element.children);
      } else visit(path, element.children, highestLevel);
    }
  };

  visit([], take().children);
  if (next !== schema.length) throw new Error(`its schema uses ${next} of its ${schema.length} elements`);
  return Object.freeze(columns);
}
