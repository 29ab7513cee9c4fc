/**
 * Whether a name is one that pandas reserves for the index of a table's rows, which it stores beside the columns
 * without being asked: it numbers rows, and measures nothing.
 */
export const isRowIndex = (name: string): boolean => /^__index_level_\d+__$/.test(name);
