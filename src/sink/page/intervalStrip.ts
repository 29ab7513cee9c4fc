/**
 * A coefficient as a dot with whiskers, on its own scale with zero in the middle: coefficients have different units, so
 * their sizes cannot be compared, but the distance of each from zero relative to its error can. Lengths are
 * percentages, so that a strip fits any column undistorted.
 */
import type { Effect } from './effects.ts';
import { numeral } from './numerals.ts';
import { html, type Markup } from './page.ts';

const HEIGHT = 26;
const MIDDLE = String(HEIGHT / 2);

export function intervalStrip({ name, estimate, known }: Effect): Markup | '' {
  if (known === null) return '';
  const { interval, joint, clear } = known;
  const furthest = Math.max(...[...interval, ...joint].map(Math.abs));
  const place = (value: number): string =>
    `${(50 + (furthest > 0 ? (44 * value) / furthest : 0)).toFixed(2)}%`;
  const whisker = ([low, high]: readonly [number, number], kind: string): Markup =>
    html`<line class="${kind}" x1="${place(low)}" x2="${place(high)}" y1="${MIDDLE}" y2="${MIDDLE}"/>`;
  const words = `${name}: ${numeral(estimate)}, from ${numeral(interval[0])} to ${numeral(interval[1])}; ${
    clear ? `clearly ${estimate > 0 ? 'above' : 'below'} zero` : 'not clearly different from zero'
  }`;
  return html`<svg class="strip ${clear ? 'clear' : 'unclear'}" role="img" aria-label="${words}" width="100%" height="${String(HEIGHT)}"><line class="grid" x1="0" x2="100%" y1="${MIDDLE}" y2="${MIDDLE}"/><line class="zero" x1="50%" x2="50%" y1="0" y2="${String(HEIGHT)}"/>${whisker(joint, 'joint')}${whisker(interval, 'interval')}<circle cx="${place(estimate)}" cy="${MIDDLE}" r="4.5"/></svg>`;
}
