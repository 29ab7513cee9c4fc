/**
 * Which columns of a table become the features and the target: numbers as they are, a vector as several features, and a text column as one
 * 0/1 feature per declared level (a value outside the levels is 0 in all of them, and such levels are the reference together).
 */
import { dataError } from './dataError.ts';
import type { Field, Table } from './table.ts';

export interface DesignOptions {
  /** Absent where only predictions are wanted. */
  readonly target?: string;
  /** Every number or boolean but the target, unless given. */
  readonly features?: readonly string[];
  /** Declared levels of text columns. A text target takes two: the first is 0, the second 1. */
  readonly categorical?: Readonly<Record<string, readonly string[]>>;
  readonly weights?: string;
  /** Which of the features stands for the person behind a row, or another unit (see perUnit.ts). */
  readonly unit?: string;
  /** Whether these are the columns of a model, which no flag changes; false unless given. */
  readonly isFixed?: boolean;
}

export interface DesignColumn {
  readonly name: string;
  readonly field: number;
  readonly element?: number;
  /** For text: the declared levels, and which of them this column marks; a target has no `level` and holds the level's index. */
  readonly levels?: readonly string[];
  readonly level?: number;
}

export type PassedOver = Pick<Field, 'name' | 'strayRow'> & Partial<Pick<Field, 'kind'>>;

export interface Design {
  readonly features: readonly DesignColumn[];
  readonly target?: DesignColumn;
  readonly weights?: DesignColumn;
  /** Text columns that are no features because nobody named features, or levels of theirs, and times, which are features only by name. */
  readonly passedOver?: readonly PassedOver[];
  /** Features that are dates or times, in seconds since 1970. */
  readonly times?: readonly string[];
}

/** All columns of a design: features, then the target and the weights where it has them. */
export const columnsOf = ({ features, target, weights }: Design): readonly DesignColumn[] => [
  ...features,
  ...(target === undefined ? [] : [target]),
  ...(weights === undefined ? [] : [weights]),
];

const NUMBERS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact', 'boolean', 'mixed']);

/** What tells units apart: two times or texts may become the same number. */
const UNIT_KINDS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact']);

export function designOf(table: Pick<Table, 'name' | 'fields'>, options: DesignOptions): Design {
  const { target, features, categorical = {}, weights, unit, isFixed = false } = options;
  const declared = new Map(Object.entries(categorical));
  const find = (name: string): number => {
    const field = table.fields.findIndex(candidate => candidate.name === name);
    if (field >= 0) return field;
    const known = table.fields.map(candidate => candidate.name).join(', ');
    throw dataError(
      { table: table.name },
      `has no column ${JSON.stringify(name)}`,
      `its columns are ${known}`,
    );
  };
  const unusable = (field: Field): Error => {
    const { name: column, type, strayRow: row } = field;
    return dataError(
      { table: table.name, column, ...(row !== undefined && { row }) },
      row === undefined ? `is ${type}, which is not a number` : 'is not a number, as most rows are',
      wayOut(field),
    );
  };
  const wayOut = ({ name, kind, strayRow }: Field): string => {
    if (isFixed) return 'the model was fitted to numbers there; give data of the same kind';
    if (kind !== 'text') return name === target ? 'choose another target' : 'leave it out of --features';
    const levels = `declare its ${name === target ? 'two levels' : 'levels'}: --categorical ${name}=A|B`;
    // Levels would be of no use to numbers with a blemish, such as prices with a sign before them.
    if (strayRow !== undefined)
      return `mend it and others like it, or ${name === target ? 'read the file by --sql' : levels}`;
    return `if it stands for numbers, mend the file or read it by --sql, since numbers have a point for decimals, and no currency, percent or thousands signs; ${name === target ? 'if it has two classes' : 'otherwise'}, ${levels}`;
  };
  const unnumbered = ({ name, type }: Field): Error =>
    dataError(
      { table: table.name, column: name },
      `is ${type}, but units are told apart by single numbers`,
      'write a file with a column that has a whole number for each, and name that',
    );
  const columnsNamed = (name: string): readonly DesignColumn[] => {
    const index = find(name);
    const field = table.fields[index]!;
    if (name === unit && !UNIT_KINDS.has(field.kind)) throw unnumbered(field);
    if (field.kind === 'text') {
      const levels = declared.get(name);
      if (levels === undefined) throw unusable(field);
      return levels.map((level, k) => ({ name: `${name}=${level}`, field: index, levels, level: k }));
    }
    if (field.kind === 'vector') {
      return Array.from({ length: field.width }, (_, element) => ({
        name: `${name}[${element}]`,
        field: index,
        element,
      }));
    }
    if (field.kind === 'unsupported') throw unusable(field);
    return [{ name, field: index }];
  };
  const single = (name: string): DesignColumn => {
    const [column, ...more] = columnsNamed(name);
    if (column !== undefined && more.length === 0) return column;
    throw dataError({ table: table.name, column: name }, 'is not a single number', 'choose another column');
  };
  const targetColumn = (name: string): DesignColumn => {
    const index = find(name);
    const levels = declared.get(name);
    if (table.fields[index]!.kind !== 'text' || levels === undefined) return single(name);
    if (levels.length === 2) return { name, field: index, levels };
    throw dataError(
      { table: table.name, column: name },
      `must have two levels as a target, got ${levels.length}`,
    );
  };
  const weightsColumn = (name: string): DesignColumn => {
    const { kind, type } = table.fields[find(name)]!;
    if (kind !== 'text' && kind !== 'unsupported') return single(name);
    throw dataError(
      { table: table.name, column: name },
      `is ${type}, which is no weight`,
      'choose another column as --weights',
    );
  };
  const chosen =
    features ??
    table.fields
      .filter(
        ({ kind, name }) => NUMBERS.has(kind) || kind === 'vector' || (kind === 'text' && declared.has(name)),
      )
      .map(({ name }) => name)
      .filter(name => name !== target && name !== weights);
  const passedOver =
    features === undefined
      ? table.fields.filter(
          ({ kind, name }) =>
            (kind === 'text' || kind === 'time') &&
            !chosen.includes(name) &&
            name !== target &&
            name !== weights,
        )
      : [];
  for (const name of declared.keys()) {
    const { kind, type } = table.fields[find(name)]!;
    if (kind !== 'text') {
      throw dataError(
        { table: table.name, column: name },
        `has declared levels but is ${type}, which is not text`,
        isFixed
          ? 'the model was fitted to text there; give data of the same kind'
          : `make it text, or leave --categorical ${name}=… out`,
      );
    }
    if (name === target || name === weights || chosen.includes(name)) continue;
    throw dataError(
      { table: table.name, column: name },
      'has declared levels but is no feature',
      `add it to --features, or leave --categorical ${name}=… out`,
    );
  }
  if (target !== undefined && chosen.includes(target)) {
    throw dataError({ table: table.name, column: target }, 'is the target and cannot be a feature too');
  }
  if (weights !== undefined && (weights === target || chosen.includes(weights))) {
    throw dataError(
      { table: table.name, column: weights },
      `holds the weights and cannot be ${weights === target ? 'the target' : 'a feature'} too`,
    );
  }
  const repeated = chosen.find((name, k) => chosen.indexOf(name) < k);
  if (repeated !== undefined) throw dataError({ table: table.name, column: repeated }, 'is listed twice');
  // First: without numbers to be read, the target is mostly text like all the rest.
  const targeted = target === undefined ? {} : { target: targetColumn(target) };
  const columns = chosen.flatMap(columnsNamed);
  const times = chosen.filter(name => table.fields[find(name)]!.kind === 'time');
  if (columns.length === 0) {
    throw dataError(
      { table: table.name },
      'has no numeric column besides the target',
      'name some with --features',
    );
  }
  return Object.freeze({
    features: Object.freeze(columns),
    ...targeted,
    ...(weights === undefined ? {} : { weights: weightsColumn(weights) }),
    ...(times.length === 0 ? {} : { times: Object.freeze(times) }),
    ...(passedOver.length === 0 ? {} : { passedOver: Object.freeze(passedOver) }),
  });
}

/** The same design in another table of a set: same names, same kinds, maybe another order. */
export function sameDesign(
  first: Pick<Table, 'name' | 'fields'>,
  other: Pick<Table, 'name' | 'fields'>,
  design: Design,
): Design {
  const translate = (column: DesignColumn): DesignColumn => {
    const wanted = first.fields[column.field]!;
    const field = other.fields.findIndex(candidate => candidate.name === wanted.name);
    const found = other.fields[field];
    if (found === undefined) {
      throw dataError(
        { table: other.name },
        `has no column ${JSON.stringify(wanted.name)}, which ${first.name} has`,
      );
    }
    const [a, b] = [wanted, found].map(({ kind }) => (NUMBERS.has(kind) ? 'number' : kind));
    if (a !== b || wanted.width !== found.width) {
      throw dataError(
        { table: other.name, column: found.name },
        `is ${found.type}, but ${wanted.type} in ${first.name}`,
        'files read together need the same schema',
      );
    }
    return { ...column, field };
  };
  return Object.freeze({
    features: Object.freeze(design.features.map(translate)),
    ...(design.target === undefined ? {} : { target: translate(design.target) }),
    ...(design.weights === undefined ? {} : { weights: translate(design.weights) }),
  });
}
