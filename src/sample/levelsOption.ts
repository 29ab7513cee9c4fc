import { inCode } from '../words.ts';

/** The option that declares a column's levels, as a caller would write it, for messages. */
export const levelsOption = (column: string, levels: "'A', 'B'" | '…' = "'A', 'B'"): string =>
  `\`categorical: { ${IDENTIFIER.test(column) ? column : inCode(column)}: [${levels}] }\``;

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;
