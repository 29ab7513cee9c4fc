import type { Field } from '../table.ts';

/** Whether a field holds one number per row without anybody's asking for it. */
export const isNumber = ({ kind }: Pick<Field, 'kind'>): boolean => NUMBERS.has(kind);

const NUMBERS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact', 'boolean', 'mixed']);
