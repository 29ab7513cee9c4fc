import { countOf, numeral } from '../../page/numerals.ts';
import type { Ends } from '../liveState.ts';
import { draw, make, put, reveal, say, show } from './dom.ts';

/** A quantity by chunk. */
export interface Course {
  readonly name: string;
  readonly chunks: readonly number[];
  readonly values: readonly number[];
  /** Bands around the values, the wider first. */
  readonly bands: readonly (readonly (Ends | null)[])[];
  /** A second line, drawn thin. */
  readonly thin?: readonly number[];
  /** The chunk of the latest alarm. */
  readonly mark: number | null;
}

/** A picture whose elements are made once: an update changes their lengths. */
export interface Trend {
  readonly element: HTMLElement;
  update(course: Course): void;
}

const WIDTH = 1000;
const MOST_TICKS = 5;
/** The longest label, in characters, that fits beside a plot that is not wide. */
const SHORT = 8;

/** A picture of a course, of a height in pixels; it is as wide as its place. */
export function trend(height: number): Trend {
  const at = (y: number): string => y.toFixed(1);
  const bands = ['broad', 'narrow'].map(kind => draw('path', { class: kind }));
  const thin = draw('path', { class: 'thin' });
  const line = draw('path', { class: 'path' });
  const mark = draw('line', { class: 'floor', y1: '0', y2: String(height) });
  const inner = draw(
    'svg',
    {
      class: 'inner',
      width: '100%',
      height: String(height),
      viewBox: `0 0 ${WIDTH} ${height}`,
      preserveAspectRatio: 'none',
    },
    ...bands,
    thin,
    mark,
    line,
  );
  const ticks = Array.from({ length: MOST_TICKS }, () => ({
    grid: draw('line', { class: 'grid', x1: '0', x2: '100%' }),
    label: draw('text', { class: 'y', x: '-10', dy: '0.33em' }),
  }));
  const [first, last] = [
    draw('text', { class: 'x first', x: '0', y: String(height + 18) }),
    draw('text', { class: 'x last', x: '100%', y: String(height + 18) }),
  ];
  const picture = draw(
    'svg',
    { role: 'img', width: '100%', height: String(height + 24) },
    ...ticks.flatMap(({ grid, label }) => [grid, label]),
    inner,
    first,
    last,
  );
  const name = make('bdi');
  const latest = make('data');
  const plot = make('div', { class: 'plot' }, picture);
  const element = make('figure', { class: 'trend' }, make('figcaption', {}, name, latest), plot);

  const update = (course: Course): void => {
    const { chunks, values } = course;
    const [from, to] = [chunks[0]!, chunks.at(-1)!];
    const [bottom, top] = rangeOf(course);
    const x = (k: number): string => at(to === from ? WIDTH : (WIDTH * (chunks[k]! - from)) / (to - from));
    const y = (value: number): string =>
      at(Math.max(-9 * height, Math.min(10 * height, (height * (top - value)) / (top - bottom))));
    const path = (heights: readonly number[]): string =>
      heights.map((value, k) => `${k === 0 ? 'M' : 'L'}${x(k)} ${y(value)}`).join('') +
      (heights.length === 1 ? 'h-9' : '');
    put(line, { d: path(values) });
    put(thin, { d: path(course.thin ?? []) });
    bands.forEach((band, b) => {
      const known = (course.bands[b] ?? []).flatMap((ends, k) => (ends === null ? [] : [[k, ends] as const]));
      const edge = (side: 0 | 1): string[] => known.map(([k, ends]) => `${x(k)} ${y(ends[side])}`);
      put(band, { d: known.length < 2 ? '' : `M${[...edge(1), ...edge(0).reverse()].join('L')}Z` });
    });
    const isMarked = course.mark !== null && course.mark > from && course.mark <= to;
    reveal(mark, isMarked);
    if (isMarked) {
      const place = at((WIDTH * (course.mark! - from)) / (to - from));
      put(mark, { x1: place, x2: place });
    }
    const found = ticksIn(bottom, top);
    const labels = found.map(value => numeral(value, 5));
    put(plot, { class: labels.some(label => label.length > SHORT) ? 'plot wide' : 'plot' });
    ticks.forEach(({ grid, label }, k) => {
      const value = found[k];
      reveal(grid, value !== undefined);
      reveal(label, value !== undefined);
      if (value === undefined) return;
      put(grid, { y1: y(value), y2: y(value), class: value === 0 ? 'zero' : 'grid' });
      put(label, { y: y(value) });
      say(label, labels[k]!);
    });
    say(first, from === to ? '' : countOf(from));
    say(last, countOf(to));
    say(name, course.name);
    show(latest, values.at(-1)!, numeral(values.at(-1)!));
    put(picture, {
      'aria-label': `${course.name} by chunk: ${numeral(values[0]!)} at chunk ${from}, ${numeral(values.at(-1)!)} at chunk ${to}`,
    });
  };
  return { element, update };
}

/** The later two thirds decide, because the first estimates may be far from all others. */
function rangeOf({ values, bands, thin = [] }: Course): readonly [bottom: number, top: number] {
  const start = Math.floor(values.length / 3);
  const heights = [values, thin, ...bands.map(band => band.map(ends => ends ?? []))]
    .flatMap((list, k) => (k < 2 ? list.slice(start) : list.slice(Math.floor((2 * list.length) / 3))).flat())
    .filter(Number.isFinite);
  const [least, most] = [Math.min(...heights), Math.max(...heights)];
  const margin = 0.06 * (most - least) || 0.5 * Math.abs(most) || 1;
  return [least - margin, most + margin];
}

/** Round numbers between the ends. */
function ticksIn(bottom: number, top: number): readonly number[] {
  const rough = (top - bottom) / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const stride = power * [1, 2, 5, 10].find(factor => factor * power >= rough)!;
  const count = Math.floor(top / stride) - Math.ceil(bottom / stride) + 1;
  return Array.from({ length: Math.max(0, Math.min(MOST_TICKS, count)) }, (_, k) => {
    const value = stride * (Math.ceil(bottom / stride) + k);
    return Number(value.toPrecision(12));
  });
}
