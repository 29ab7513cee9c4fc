/** Checks a length, count or offset that a file states. */
export function requireCount(what: string, count: number | undefined): number {
  if (count !== undefined && Number.isSafeInteger(count) && count >= 0) return count;
  throw new Error(
    count === undefined ? `it does not say how many ${what}` : `${count} is not a valid number of ${what}`,
  );
}
