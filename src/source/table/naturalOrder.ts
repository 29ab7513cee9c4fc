/**
 * Compares names with numbers by value, part-2 before part-10: runs of digits by value, everything else by code unit.
 */
export function naturalOrder(a: string, b: string): number {
  const ours = runs(a);
  const theirs = runs(b);
  for (let i = 0; i < ours.length && i < theirs.length; i++) {
    const order = compareRuns(ours[i]!, theirs[i]!);
    if (order !== 0) return order;
  }
  // One is a prefix of the other, or they differ only in leading zeros.
  return ours.length - theirs.length || compare(a, b);
}

const runs = (text: string): readonly string[] => text.match(/[0-9]+|[^0-9]+/g) ?? [];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareRuns(a: string, b: string): number {
  if (!/^[0-9]/.test(a) || !/^[0-9]/.test(b)) return compare(a, b);
  const [x, y] = [a, b].map(digits => digits.replace(/^0+/, '')) as [string, string];
  return x.length - y.length || compare(x, y);
}
