/** A string literal as a caller would write it, for messages that show code in backticks. */
export const inCode = (text: string): string => `'${text.replaceAll(/[\\'`]/g, '\\$&')}'`;
