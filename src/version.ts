/** The version of this package. A test compares it with that of package.json, which importing would have to read. */
export const version = '0.1.0';
