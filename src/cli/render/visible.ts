/** Characters that move a terminal's cursor, break the line, or change the writing direction. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Untrusted text as a terminal may show it, on one line: control characters are escaped. */
export const visible = (text: string): string =>
  text.replace(CONTROLS, sign => SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a message, which may have several lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
