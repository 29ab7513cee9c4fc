import { dataError } from '../../errors.ts';
import type { Field, Schema } from '../table/table.ts';
import { type Design, type DesignColumn, isRowIndex, type PassedOver } from './design.ts';
import { isNumber } from './featureColumns.ts';

/** The same design in another table of a set: same names and kinds, possibly in another order. */
export function sameDesign(first: Schema, other: Schema, design: Design): Design {
  const translate = (column: DesignColumn): DesignColumn => {
    const wanted = first.fields[column.field]!;
    const field = other.fields.findIndex(candidate => candidate.name === wanted.name);
    const found = other.fields[field];
    if (found === undefined) {
      throw dataError(
        { table: other.name },
        `has no column ${JSON.stringify(wanted.name)}, which ${first.name} has`,
        `name columns that both have in \`features\`, or leave ${other.name} out`,
        'ERR_COLUMN',
      );
    }
    const isText = column.levels !== undefined;
    if (looseKind(wanted, isText) !== looseKind(found, isText) || wanted.width !== found.width) {
      throw dataError(
        { table: other.name, column: found.name },
        `is ${found.type}, but ${wanted.type} in ${first.name}`,
        'what is read together needs the same schema',
      );
    }
    return { ...column, field };
  };
  return Object.freeze({
    features: Object.freeze(design.features.map(translate)),
    categorical: design.categorical,
    ...(design.target === undefined ? {} : { target: translate(design.target) }),
    ...(design.weights === undefined ? {} : { weights: translate(design.weights) }),
  });
}

/** A column may have whole numbers in one file and not in another, or no value at all in the sample of one. */
const looseKind = (field: Field, isText: boolean): string =>
  isNumber(field) || (field.isBlank && !isText) ? 'number' : field.kind;

/**
 * Columns of later tables that the first one lacks, each with the first table that has it. If features are not named,
 * the columns of the first table are used, and these would be dropped silently.
 */
export function laterColumns([first, ...later]: readonly Schema[]): readonly PassedOver[] {
  const known = new Set(first?.fields.map(({ name }) => name));
  return later.flatMap(table =>
    table.fields.flatMap(field => {
      const { name } = field;
      if (known.has(name) || isRowIndex(field)) return [];
      known.add(name);
      return [{ name, onlyIn: { table: table.name, not: first!.name } }];
    }),
  );
}
