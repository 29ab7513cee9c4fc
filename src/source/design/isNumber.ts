import type { Field } from '../table/table.ts';

/** Whether a field has one number per row without further options. */
export const isNumber = ({ kind }: Pick<Field, 'kind'>): boolean => NUMBERS.has(kind);

const NUMBERS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact', 'boolean', 'mixed']);
