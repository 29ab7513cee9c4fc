import type { Dialect } from '../sql/dialect.ts';

/** The dialect of Spark, which Sail speaks too. */
export const sparkDialect: Dialect = Object.freeze({
  name: 'Spark',
  quote: (name: string) => `\`${name.replaceAll('`', '``')}\``,
  // A backslash begins an escape, unless the text is raw; it is doubled, and quotes are escaped by one.
  text: (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  textType: 'STRING',
  digest: (text: string) => `CAST(conv(substr(md5(${text}), 1, 5), 16, 10) AS BIGINT)`,
  kindOf: (type: string) => {
    if (/^Float(32|64)$/.test(type)) return 'float';
    if (/^U?[Ii]nt(8|16|32)$/.test(type)) return 'integer';
    if (/^(U?[Ii]nt64|Decimal.*)$/.test(type)) return 'exact';
    if (type === 'Bool') return 'boolean';
    if (/^(Date|Timestamp)/.test(type)) return 'time';
    return /Utf8/.test(type) ? 'text' : 'unsupported';
  },
  seconds: (column: string) => `CAST(unix_micros(CAST(${column} AS TIMESTAMP)) AS DOUBLE) / 1e6`,
  bytes: (text: string) => `octet_length(${text})`,
});
