import { createRequire } from 'node:module';
import { missingPeer, peer } from '../../peers.ts';

export interface ChartPoint {
  readonly series: string;
  readonly x: number;
  readonly median: number;
  readonly q25: number;
  readonly q75: number;
}

export interface Panel {
  readonly title: string;
  readonly points: readonly ChartPoint[];
}

/**
 * Curves with quartile bands as SVG and PNG. A method has a colour and filled or hollow marks, a variant of it a dash
 * pattern and a shape, so that curves remain distinguishable in grey print and for colour-blind readers (the palette is
 * Okabe and Ito's).
 *
 * Drawing needs large packages, which the first chart loads.
 */
export interface Chart {
  readonly title: string;
  readonly subtitle?: string;
  readonly x: string;
  readonly y: string;
  /** Linear unless given. */
  readonly xScale?: 'log';
  /** One, or several that share the legend, and the x axis of the first unless they begin beyond it. */
  readonly panels: readonly Panel[];
}

/** The chart as the text of an SVG file. */
export async function chartSvg({ title, subtitle = '', x, y, xScale, panels }: Chart): Promise<string> {
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  // The compiler's types have no browser; Plot only creates elements in this document.
  const page = parseHTML('<html></html>') as unknown as { readonly document: never };
  const styles = stylesOf([...new Set(panels.flatMap(({ points }) => points.map(({ series }) => series)))]);
  const alone = panels.length === 1;
  const columns = Math.min(panels.length, 3);
  const size = alone ? { width: 640, height: 400 } : { width: 320, height: 230 };
  const entries = legendPlaces(styles, columns * size.width);
  const top = 58 + 18 * (entries.at(-1)!.row + 1);
  const domains = domainsOf(panels);

  const drawn = panels.map(({ title: name, points }, k) => {
    const svg = Plot.plot({
      document: page.document,
      ...size,
      marginLeft: 52,
      marginRight: xScale === 'log' ? 36 : 24,
      marginTop: alone ? 36 : 24,
      marginBottom: 40,
      x: {
        label: x,
        domain: domains[k]!,
        type: xScale ?? 'linear',
        nice: false,
        ticks: alone ? 8 : 4,
        tickFormat: xScale === 'log' ? logLabel(domains[k]!) : thousands,
      },
      y: { label: alone ? y : null, grid: true, nice: true, ticks: 6 },
      marks: styles.flatMap(({ series, colour, fill, dash, symbol }) => {
        const own = points.filter(point => point.series === series);
        return [
          Plot.areaY(own, { x: 'x', y1: 'q25', y2: 'q75', fill: colour, fillOpacity: 0.13 }),
          Plot.lineY(own, { x: 'x', y: 'median', stroke: colour, strokeWidth: 1.6, strokeDasharray: dash }),
          Plot.dot(own, {
            x: 'x',
            y: 'median',
            stroke: colour,
            fill,
            symbol,
            r: alone ? 3.2 : 2.4,
          }),
        ];
      }),
    });
    svg.setAttribute('x', String((k % columns) * size.width));
    svg.setAttribute('y', String(top + Math.floor(k / columns) * size.height));
    svg.removeAttribute('font-family');
    for (const style of svg.querySelectorAll('style')) style.remove();
    const heading = alone ? '' : name;
    return `${svg.outerHTML.replace(/<\/svg>$/, '')}${text(size.width / 2, 12, heading, 'font-weight="bold"')}</svg>`;
  });

  const width = columns * size.width;
  const height = top + Math.ceil(panels.length / columns) * size.height;
  const heads =
    text(16, 26, title, 'font-size="15" font-weight="bold" text-anchor="start"') +
    text(
      16,
      44,
      alone ? subtitle : `${y} against ${x}${subtitle && `. ${subtitle}`}`,
      'font-size="11" text-anchor="start"',
    );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="DejaVu Sans, Verdana, sans-serif" font-size="10" text-anchor="middle" fill="#222">` +
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="white"/>${heads}${entries.map(legendEntry).join('')}${drawn.join('')}</svg>\n`
  );
}

/** The SVG as the bytes of a PNG file, at twice its size. */
export async function chartPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await peer('@resvg/resvg-js', 'a chart as PNG');
  const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(fontFile);
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
  });
  return image.render().asPng();
}

/** Without its fonts the rasteriser would silently leave out all text. */
function fontFile(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);
  } catch {
    throw missingPeer('dejavu-fonts-ttf', 'a chart as PNG');
  }
}

interface Style {
  readonly series: string;
  readonly colour: string;
  readonly fill: string;
  readonly dash: string;
  readonly symbol: (typeof SYMBOLS)[number];
}

const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'];
const DASHES = ['none', '6 3', '2 2', '8 3 2 3'];
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond'] as const;

/** 'ACCFW eps=0.5' is the method ACCFW in its variant eps=0.5. */
function stylesOf(series: readonly string[]): Style[] {
  const [methods, variants] = [/^\S+/, /^\S+(.*)/].map(pattern => [
    ...new Set(series.map(name => pattern.exec(name)!.at(-1)!)),
  ]) as [string[], string[]];
  return series.map(name => {
    const method = methods.indexOf(/^\S+/.exec(name)![0]);
    const variant = variants.indexOf(/^\S+(.*)/.exec(name)![1]!);
    const colour = COLOURS[method % COLOURS.length]!;
    return {
      series: name,
      colour,
      fill: method % 2 === 0 ? colour : 'white',
      dash: DASHES[variant % DASHES.length]!,
      symbol: SYMBOLS[variant % SYMBOLS.length]!,
    };
  });
}

interface LegendPlace extends Style {
  readonly left: number;
  readonly row: number;
}

function legendPlaces(styles: readonly Style[], width: number): LegendPlace[] {
  let [left, row] = [16, 0];
  return styles.map(style => {
    const needed = 48 + 6.4 * style.series.length;
    if (left + needed > width && left > 16) [left, row] = [16, row + 1];
    const place = { ...style, left, row };
    left += needed + 10;
    return place;
  });
}

function legendEntry({ series, colour, fill, dash, symbol, left, row }: LegendPlace): string {
  const middle = 62 + 18 * row;
  const [cx, cy] = [left + 15, middle];
  const mark = {
    circle: `<circle cx="${cx}" cy="${cy}" r="3.2"/>`,
    square: `<rect x="${cx - 3}" y="${cy - 3}" width="6" height="6"/>`,
    triangle: `<path d="M${cx},${cy - 4}l4,7h-8z"/>`,
    diamond: `<path d="M${cx},${cy - 4.5}l3.4,4.5l-3.4,4.5l-3.4,-4.5z"/>`,
  }[symbol];
  return (
    `<g stroke="${colour}" stroke-width="1.6" fill="${fill}"><line x1="${left}" x2="${left + 30}" y1="${cy}" y2="${cy}" stroke-dasharray="${dash}"/>` +
    `${mark}</g>${text(left + 36, middle + 4, series, 'font-size="11" text-anchor="start"')}`
  );
}

const text = (x: number, y: number, words: string, attributes: string): string =>
  words === '' ? '' : `<text x="${x}" y="${y}" ${attributes}>${escaped(words)}</text>`;

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const thousands = (value: number): string => value.toLocaleString('en');

/** Only powers of ten are labelled, unless the axis spans less than one. */
const logLabel =
  ([from, to]: readonly [number, number]) =>
  (value: number): string => {
    const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
    return (to / from > 10 ? [1] : [1, 2, 5]).includes(digit) ? thousands(value) : '';
  };

/** The x axis of every panel. One that begins beyond the end of the first would compress all others. */
function domainsOf(panels: readonly Panel[]): (readonly [number, number])[] {
  const own = panels.map(({ points }) => extent(points.map(({ x }) => x)));
  const isApart = ([from]: readonly [number, number]): boolean => from > own[0]![1];
  const shared = extent(own.filter(domain => !isApart(domain)).flat());
  return own.map(domain => (isApart(domain) ? widened(domain) : shared));
}

const extent = (values: readonly number[]): readonly [number, number] => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
];

/** A domain of a single point has no width to draw in. */
const widened = ([from, to]: readonly [number, number]): readonly [number, number] =>
  from < to ? [from, to] : [0.9 * from, 1.1 * to];
