/**
 * Numbers units, such as persons, in the order in which their texts are first seen: 0, 1, 2 and so on; -1 for an empty
 * text, which is nobody's. Texts that differ only by spaces around them, or in how they write a whole number (7, 07, 7.0,
 * 7e0), are the same unit.
 *
 * Guarantee. Different units have different numbers, which no hash could promise: two units of one hash would share
 * their rows, and replacing one would change which rows of the other count. Edge cases. Memory grows with the number of
 * units.
 */
export function unitNumbers(): (text: string) => number {
  const shares = Array.from({ length: SHARES }, () => new Map<string, number>());
  let next = 0;
  return text => {
    const unit = canonical(text.trim());
    if (unit === '') return -1;
    const share = shares[shareOf(unit)]!;
    const known = share.get(unit);
    if (known !== undefined) return known;
    share.set(unit, next);
    return next++;
  };
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

function canonical(text: string): string {
  const [, sign, whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  if (whole + fraction === '') return text;
  const [digits, places] = [(whole + fraction).replace(/^0+/, ''), Number(power) - fraction.length];
  if (digits === '') return '0';
  const kept = digits.slice(0, digits.length + Math.min(places, 0));
  const isWhole = places >= 0 || (kept !== '' && /^0*$/.test(digits.slice(kept.length)));
  if (!isWhole) return text;
  return `${sign === '-' ? '-' : ''}${kept}${'0'.repeat(Math.max(places, 0))}`;
}

/** A Map has at most 2^24 keys, so there are several: enough for 2^30 units, more than fit in memory. */
const SHARES = 64;

/** FNV-1a over the code units. */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SHARES - 1);
}
