import { decimal, decimalsFor, numeral } from '../../page/numerals.ts';
import type { Ends, LiveCoefficient, LiveEstimate } from '../liveState.ts';
import { byId, draw, make, put, reveal, say, show } from './dom.ts';

/** The rows of the table of coefficients. They are made when names change, and otherwise changed in place. */
export function coefficientRows(): (estimate: LiveEstimate) => void {
  const body = byId('rows-of-coefficients');
  let names = '';
  let rows: ((coefficient: LiveCoefficient) => void)[] = [];
  return ({ coefficients, level }) => {
    const found = JSON.stringify(coefficients.map(({ name }) => name));
    if (found !== names) {
      names = found;
      const made = coefficients.map(rowOf);
      body.replaceChildren(...made.map(({ element }) => element));
      rows = made.map(({ update }) => update);
    }
    for (const place of document.querySelectorAll('.level')) say(place, `${numeral(100 * level)} %`);
    coefficients.forEach((coefficient, k) => {
      rows[k]!(coefficient);
    });
  };
}

const HEIGHT = 26;
const MIDDLE = String(HEIGHT / 2);

function rowOf({ name }: LiveCoefficient): { element: HTMLElement; update: (coefficient: LiveCoefficient) => void } {
  const number = (): HTMLElement => make('data');
  const [estimate, lower, upper, least, most, error] = [number(), number(), number(), number(), number(), number()];
  const across = { y1: MIDDLE, y2: MIDDLE };
  const [joint, interval] = [
    draw('line', { class: 'joint', ...across }),
    draw('line', { class: 'interval', ...across }),
  ];
  const dot = draw('circle', { cy: MIDDLE, r: '4.5' });
  const strip = draw(
    'svg',
    { class: 'strip', role: 'img', width: '100%', height: String(HEIGHT) },
    draw('line', { class: 'grid', x1: '0', x2: '100%', ...across }),
    draw('line', { class: 'zero', x1: '50%', x2: '50%', y1: '0', y2: String(HEIGHT) }),
    joint,
    interval,
    dot,
  );
  const cell = (kind: string, ...children: (Node | string)[]): HTMLElement =>
    make('td', { role: 'cell', class: kind }, ...children);
  const between = (from: HTMLElement, to: HTMLElement) => {
    const ends = make('span', {}, from, ' to ', to);
    const none = make('span', {}, 'no interval');
    return {
      parts: [ends, none],
      update: (isKnown: boolean): void => {
        reveal(ends, isKnown);
        reveal(none, !isKnown);
      },
    };
  };
  const [now, ever] = [between(lower, upper), between(least, most)];
  const element = make(
    'tr',
    { role: 'row' },
    make('th', { scope: 'row', role: 'rowheader' }, make('bdi', {}, name)),
    cell('picture', strip),
    cell('number', make('b', {}, estimate), ' ', make('small', {}, ...now.parts)),
    cell('number any', make('small', {}, make('span', { class: 'phone' }, 'at any time '), ...ever.parts)),
    cell('number wide', error),
  );
  const update = (found: LiveCoefficient): void => {
    const decimals = found.error === null ? undefined : decimalsFor(found.error);
    const shown = (place: HTMLElement, value: number | null | undefined): void =>
      show(place, value ?? null, decimal(value ?? 0, decimals));
    shown(estimate, found.estimate);
    shown(lower, found.now?.[0]);
    shown(upper, found.now?.[1]);
    shown(least, found.anyTime?.[0]);
    shown(most, found.anyTime?.[1]);
    now.update(found.now !== null);
    ever.update(found.anyTime !== null);
    show(error, found.error, decimal(found.error ?? 0, decimals, 2));
    const reach = [found.estimate, ...(found.now ?? []), ...(found.anyTime ?? [])].map(Math.abs);
    const furthest = Math.max(...reach.filter(Number.isFinite));
    const place = (value: number): string => `${(50 + (furthest > 0 ? (44 * value) / furthest : 0)).toFixed(2)}%`;
    const stretch = (line: SVGElement, ends: Ends | null): void =>
      put(line, { x1: place(ends?.[0] ?? found.estimate), x2: place(ends?.[1] ?? found.estimate) });
    stretch(interval, found.now);
    stretch(joint, found.anyTime ?? found.now);
    put(dot, { cx: place(found.estimate) });
    const clear = isClear(found);
    const reached = found.now === null ? '' : `, from ${numeral(found.now[0])} to ${numeral(found.now[1])}`;
    const sure = clear ? `clearly ${found.estimate > 0 ? 'above' : 'below'} zero` : 'not clearly different from zero';
    const words = `${name}: ${numeral(found.estimate)}${reached}; ${found.now === null ? 'no interval' : sure}`;
    put(strip, { class: `strip ${clear ? 'clear' : 'unclear'}`, 'aria-label': words });
  };
  return { element, update };
}

/** Whether the interval for those who keep watching is on one side of zero; without one, none is clear. */
const isClear = ({ anyTime }: LiveCoefficient): boolean => anyTime !== null && (anyTime[0] > 0 || anyTime[1] < 0);
