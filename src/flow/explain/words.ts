export const rowsIn = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

export const nameOf = (column: number, names: readonly string[]): string => names[column] ?? String(column);

export const digits = (value: number): string => String(Number(value.toPrecision(3)));
