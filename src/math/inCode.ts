/** A text as a caller writes it, for messages that show code in backticks. */
export const inCode = (text: string): string => `'${text.replaceAll(/[\\'`]/g, '\\$&')}'`;
