/**
 * Whether a name is one that pandas reserves for the row index, which it stores by default next to the columns: it
 * numbers rows and measures nothing.
 */
export const isRowIndex = (name: string): boolean => /^__index_level_\d+__$/.test(name);
