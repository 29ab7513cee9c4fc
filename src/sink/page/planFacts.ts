import type { Model } from '../../model/model.ts';
import { type Content, factList, html, type Markup, nameMark } from './markup.ts';
import { countFigure, countOf, numeral } from './numerals.ts';

const TERMS: Readonly<Record<string, string>> = {
  rule: 'Method',
  mode: 'Rows per step',
  steps: 'Steps',
  tail: 'Last iterates averaged',
  chunks: 'Chunk sizes',
  blocks: 'Blocks per step',
  aggregate: 'Aggregation of blocks',
  pilotRows: 'Rows of the pilot',
  samplingNorm: 'Gradient norm from sampling error alone',
  order: 'Order of rows',
  calibration: 'Noise calibration',
  lipschitz: "Bound on a row's gradient",
  moments: 'Released first',
  bounds: 'Declared bounds',
  maxPerUnit: 'Most rows per unit',
};

const WORDS: Readonly<Record<string, string>> = {
  fresh: 'new rows in every step',
  full: 'all rows in every step',
  'as-is': 'as in the data',
  shuffle: 'shuffled',
  'median-of-means': 'median of means',
};

const COUNTS = new Set(['steps', 'tail', 'chunks', 'blocks', 'maxPerUnit']);

/** The plan of a run: known fields are described in words, others are shown by their names. */
export function planFacts(model: Model): Markup {
  const { plan, loss, target, intercept } = model;
  const { theorem: _, set: _set, radius: _radius, weights, sharesPilot, ...fields } = plan;
  const set = setText(model);
  return factList([
    ['Target', nameMark(target)],
    ['Loss', lossWords(loss)],
    ['Intercept', intercept === null ? 'none' : 'yes'],
    ...(set === undefined ? [] : [['Constraint on coefficients', set] as const]),
    ...(typeof weights === 'string' ? [['Row weights', nameMark(weights)] as const] : []),
    ...Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => {
        const words = key === 'pilotRows' ? pilotWords(Number(value), sharesPilot) : valueWords(key, value);
        return [TERMS[key] ?? spelled(key), words] as const;
      }),
  ]);
}

function pilotWords(rows: number, sharesPilot: unknown): string {
  if (rows === 0) return 'none';
  if (sharesPilot === undefined) return countOf(rows);
  return `${countOf(rows)}, which ${sharesPilot ? 'the steps use again' : 'no step uses again'}`;
}

/** 'clipRadius' as 'Clip radius'. */
export const spelled = (key: string): string => {
  const words = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const MOST_LISTED = 8;

function valueWords(key: string, value: unknown): Content {
  if (key === 'samplingNorm' && typeof value === 'number') return numeral(value);
  if (typeof value === 'number') return COUNTS.has(key) ? countOf(value) : numeral(value, 6);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return WORDS[value] ?? value;
  if (Array.isArray(value)) {
    const ends = value.length > MOST_LISTED ? [...value.slice(0, 3), '…', ...value.slice(-3)] : value;
    return ends.map((item, k) => [k === 0 ? '' : ', ', valueWords(key, item)]);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (isRelease(value)) {
    return `second moments of all rows, with noise of ${numeral(value.sigma, 6)}; the steps are taken in the coordinates they whiten, where rows of norm above ${numeral(value.rowLength, 6)} are down-weighted`;
  }
  if (isRange(value)) return `${numeral(value.least)} to ${numeral(value.most)}`;
  return Object.entries(value).map(
    ([name, item]) => html`<span class="pair">${nameMark(name)} ${valueWords(name, item)}</span> `,
  );
}

const isRelease = (value: object): value is { readonly sigma: number; readonly rowLength: number } =>
  'sigma' in value && 'rowLength' in value && typeof value.sigma === 'number' && typeof value.rowLength === 'number';

const isRange = (value: object): value is { readonly least: number; readonly most: number } =>
  'least' in value && 'most' in value && typeof value.least === 'number' && typeof value.most === 'number';

/** The constraint set in words; undefined where there is none, and in files written before plans recorded it. */
export function setText({ plan, ledger }: Pick<Model, 'plan' | 'ledger'>): string | undefined {
  const { set, radius } = plan;
  if (typeof set !== 'string' || typeof radius !== 'number') return undefined;
  // Private steps are in the units of the bounds, except those of a theorem, whose rows are not scaled.
  const scaled = ledger.unit === undefined || plan.theorem !== undefined ? '' : 'scaled ';
  const size = Number(radius.toPrecision(6));
  return set === 'box'
    ? `every ${scaled}coefficient from -${size} to ${size}`
    : `${set} norm of ${scaled}coefficients at most ${size}`;
}

const NAMES: Readonly<Record<string, string>> = {
  'pseudo-huber': 'pseudo-Huber',
  'geman-mcclure': 'Geman-McClure',
  tukey: 'Tukey',
  poisson: 'Poisson',
};

export const lossName = ({ name }: Model['loss']): string => NAMES[name] ?? name;

/** By the letters that `sluice help fit` uses for them. */
export const lossParameters = ({ name, parameter, ridge }: Model['loss']): string =>
  [
    ...(parameter === undefined ? [] : [`${name === 'tukey' ? 'c' : 'q'}\u00a0=\u00a0${numeral(parameter)}`]),
    ...(ridge === undefined ? [] : [`ridge ${numeral(ridge)}`]),
  ].join(', ');

export const lossWords = (loss: Model['loss']): string =>
  [lossName(loss), lossParameters(loss)].filter(words => words !== '').join(', ');

/** Where the rows went. */
export const rowAccount = ({ data, rows, ledger, plan }: Pick<Model, 'data' | 'rows' | 'ledger' | 'plan'>): Markup => {
  const pilot = typeof plan.pilotRows === 'number' ? plan.pilotRows : 0;
  const held = typeof plan.heldOut === 'number' ? plan.heldOut : 0;
  return factList([
    ...(data === undefined ? [] : [sourceOf(data)]),
    ['Read', countFigure(rows.read)],
    ['Used by steps', countFigure(rows.used)],
    ...(pilot > 0 ? [['Used by the pilot', countFigure(pilot)] as const] : []),
    ...(held > 0 ? [['Held out', countFigure(held)] as const] : []),
    ['Left over', countFigure(rows.leftOver)],
    [
      'Invalid',
      rows.invalid === null
        ? ledger.unit === undefined
          ? 'not counted'
          : 'not shown: their number is private'
        : countFigure(rows.invalid),
    ],
    ...(rows.invalid ? [['Usable', countFigure(rows.read - rows.invalid)] as const] : []),
  ]);
};

const sourceOf = (data: NonNullable<Model['data']>): readonly [Content, Content] =>
  'sql' in data
    ? ['From the query', html`<code>${data.sql}</code>`]
    : ['From', data.files.map(file => (file === '-' ? 'standard input' : file)).join(', ')];
