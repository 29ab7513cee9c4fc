import { displayWidth } from './text.ts';

/**
 * Names no wider than `width`: those that are have an ellipsis in their middle, or wherever else different names stay
 * different; where that is nowhere, their places in the list tell them apart.
 */
export function shortened(names: readonly string[], width: number): readonly string[] {
  if (names.every(name => displayWidth(name) <= width)) return names;
  const different = new Set(names).size;
  const middle = Math.floor(width / 2);
  // Outward from the middle, because names often differ at one end.
  const heads = Array.from({ length: width }, (_, k) => middle + (k % 2 === 0 ? -k / 2 : (k + 1) / 2));
  for (const head of heads.filter(columns => columns >= 0 && columns < width)) {
    const found = names.map(name => cut(name, head, width - 1 - head));
    if (new Set(found).size === different) return found;
  }
  return names.map((name, k) => {
    const place = String(k + 1);
    return displayWidth(name) <= width ? name : `${taken(name, width - 1 - place.length)}…${place}`;
  });
}

const cut = (name: string, head: number, tail: number): string =>
  displayWidth(name) <= head + 1 + tail ? name : `${taken(name, head)}…${taken(name, tail, true)}`;

/** As many characters of a text, from its beginning or its end, as these columns of a terminal take. */
function taken(text: string, columns: number, fromEnd = false): string {
  const letters = Array.from(text);
  const found: string[] = [];
  while (letters.length > 0) {
    const next = (fromEnd ? letters.pop() : letters.shift())!;
    found[fromEnd ? 'unshift' : 'push'](next);
    if (displayWidth(found.join('')) <= columns) continue;
    found[fromEnd ? 'shift' : 'pop']();
    break;
  }
  return found.join('');
}
