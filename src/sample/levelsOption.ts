import { inCode } from '../math/inCode.ts';

/** How levels of a column are declared, as a caller writes it, for messages. */
export const levelsOption = (column: string, levels: "'A', 'B'" | '…' = "'A', 'B'"): string =>
  `\`categorical: { ${IDENTIFIER.test(column) ? column : inCode(column)}: [${levels}] }\``;

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;
