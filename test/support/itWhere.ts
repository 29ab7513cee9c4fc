/**
 * `it` where the machine has what the test needs. Elsewhere there is no such test: one that skips itself counts as
 * pending, which is forbidden.
 */
export const itWhere = (isThere: boolean): ((title: string, test: () => void | Promise<void>) => void) =>
  isThere ? it : () => {};

/** Windows has neither file modes nor named pipes. */
export const itOnUnix = itWhere(process.platform !== 'win32');
