import type { Dialect } from '../sql/dialect.ts';

export const duckdbDialect: Dialect = Object.freeze({
  name: 'DuckDB',
  quote: (name: string) => `"${name.replaceAll('"', '""')}"`,
  text: (value: string) => `'${value.replaceAll("'", "''")}'`,
  textType: 'VARCHAR',
  digest: (text: string) => `CAST('0x' || substr(md5(${text}), 1, 5) AS BIGINT)`,
  kindOf: (type: string) => {
    if (/^(FLOAT|DOUBLE)$/.test(type)) return 'float';
    if (/^U?(TINYINT|SMALLINT|INTEGER)$/.test(type)) return 'integer';
    if (/^(U?BIGINT|U?HUGEINT|DECIMAL.*)$/.test(type)) return 'exact';
    if (type === 'BOOLEAN') return 'boolean';
    if (/^(DATE|TIMESTAMP.*)$/.test(type)) return 'time';
    return /^(VARCHAR|ENUM.*|UUID)$/.test(type) ? 'text' : 'unsupported';
  },
  seconds: (column: string) => `CAST(epoch_us(CAST(${column} AS TIMESTAMP)) AS DOUBLE) / 1e6`,
  bytes: (text: string) => `strlen(${text})`,
});
