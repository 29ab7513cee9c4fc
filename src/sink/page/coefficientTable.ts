import { INTERCEPT, type Model, type Uncertainty } from '../../model/model.ts';
import { html, type Markup, nameMark } from './markup.ts';
import { decimal, decimalsFor, figure, numeral } from './numerals.ts';

/** Estimates, with their intervals in numbers and as pictures where the model has them. */
export function coefficientTable(model: Model): Markup {
  const { uncertainty } = model;
  const effects = effectsOf(model);
  return uncertainty === undefined ? bareTable(effects) : withIntervals(effects, uncertainty);
}

const bareTable = (effects: readonly Effect[]): Markup => html`<table class="coefficients bare">
<thead><tr><th scope="col">Feature</th><th scope="col" class="number">Estimate</th></tr></thead>
<tbody>
${effects.map(
  ({ name, estimate, isLeftOut }) =>
    html`<tr><th scope="row">${nameMark(name)}</th><td class="number">${isLeftOut ? leftOutMark() : figure(estimate, numeral(estimate, 6))}</td></tr>\n`,
)}</tbody>
</table>
<p class="note">This model has no intervals, so the uncertainty of the estimates is unknown.</p>
`;

function withIntervals(effects: readonly Effect[], { level, basis }: Uncertainty): Markup {
  const share = `${numeral(100 * level)} %`;
  // The roles repeat what the elements say, because on a phone a row is displayed as a grid, which browsers no longer
  // treat as a table row.
  return html`<table class="coefficients known" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Feature</th><th scope="col" role="columnheader" class="picture"><span>below 0</span> <span>above 0</span></th><th scope="col" role="columnheader" class="number">Estimate <small>${share} interval</small></th><th scope="col" role="columnheader" class="number wide">Standard error</th></tr></thead>
<tbody role="rowgroup">
${effects.map(effectRow)}</tbody>
</table>
<p class="legend">${[
    ['dot', 'estimate'],
    ['interval', `${share} interval, individually`],
    ['joint', `${share} for all jointly`],
    ['hollow', 'not clearly different from zero, judged jointly'],
  ].map(([kind, words]) => html`<span>${legendMark(kind!)} ${words!}</span> `)}</p>
<p class="note">Every row has its own scale around zero, because the units differ. ${sentence(basis)}</p>
`;
}

function effectRow(effect: Effect): Markup {
  const { name, known } = effect;
  const decimals = known === null ? undefined : decimalsFor(known.error);
  const shown = (value: number): Markup => figure(value, decimal(value, decimals));
  return html`<tr role="row"><th scope="row" role="rowheader">${nameMark(name)}</th><td role="cell" class="picture">${intervalStrip(effect)}</td><td role="cell" class="number">${numbersOf(effect, shown)}</td><td role="cell" class="number wide">${known === null ? '–' : figure(known.error, decimal(known.error, decimals, 2))}</td></tr>
`;
}

function numbersOf({ estimate, known, isLeftOut }: Effect, shown: (value: number) => Markup): Markup {
  if (isLeftOut) return leftOutMark();
  const interval = known === null ? 'unknown' : html`${shown(known.interval[0])} to ${shown(known.interval[1])}`;
  return html`<b>${shown(estimate)}</b> <small>${interval}</small>`;
}

/** In place of a coefficient of 0 that could not be determined. */
const leftOutMark = (): Markup => html`<data value="0">left out</data>`;

const legendMark = (kind: string): Markup => {
  const mark =
    kind === 'dot' || kind === 'hollow'
      ? html`<circle cx="12" cy="6" r="4.5"/>`
      : html`<line class="${kind}" x1="1" x2="23" y1="6" y2="6"/>`;
  return html`<svg class="${kind === 'hollow' ? 'unclear' : 'clear'}" width="24" height="12" aria-hidden="true">${mark}</svg>`;
};

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) || begun === '' ? begun : `${begun}.`;
};

const HEIGHT = 26;
const MIDDLE = String(HEIGHT / 2);

/**
 * A coefficient as a dot with whiskers, on its own scale with zero in the middle: coefficients have different units, so
 * their sizes cannot be compared, but the distance of each from zero relative to its error can. Lengths are
 * percentages, so that a strip fits any column undistorted.
 */
function intervalStrip({ name, estimate, known }: Effect): Markup | '' {
  if (known === null) return '';
  const { interval, joint, clear } = known;
  const furthest = Math.max(...[...interval, ...joint].map(Math.abs));
  const place = (value: number): string => `${(50 + (furthest > 0 ? (44 * value) / furthest : 0)).toFixed(2)}%`;
  const whisker = ([low, high]: readonly [number, number], kind: string): Markup =>
    html`<line class="${kind}" x1="${place(low)}" x2="${place(high)}" y1="${MIDDLE}" y2="${MIDDLE}"/>`;
  const words = `${name}: ${numeral(estimate)}, from ${numeral(interval[0])} to ${numeral(interval[1])}; ${
    clear ? `clearly ${estimate > 0 ? 'above' : 'below'} zero` : 'not clearly different from zero'
  }`;
  return html`<svg class="strip ${clear ? 'clear' : 'unclear'}" role="img" aria-label="${words}" width="100%" height="${String(HEIGHT)}"><line class="grid" x1="0" x2="100%" y1="${MIDDLE}" y2="${MIDDLE}"/><line class="zero" x1="50%" x2="50%" y1="0" y2="${String(HEIGHT)}"/>${whisker(joint, 'joint')}${whisker(interval, 'interval')}<circle cx="${place(estimate)}" cy="${MIDDLE}" r="4.5"/></svg>`;
}

/** A coefficient and what is known about it. */
export interface Effect {
  readonly name: string;
  readonly estimate: number;
  /** Whether it was not estimated, because its column is collinear with others or constant. */
  readonly isLeftOut: boolean;
  readonly known: {
    readonly error: number;
    readonly interval: readonly [low: number, high: number];
    /** At the same level for all coefficients jointly, so wider. */
    readonly joint: readonly [low: number, high: number];
    /** Whether its sign is clear even when all coefficients are judged jointly. */
    readonly clear: boolean;
  } | null;
}

/** The coefficients in the model's order, an intercept last. */
export function effectsOf({ features, coefficients, intercept, uncertainty, leftOut = [] }: Model): readonly Effect[] {
  const entries: (readonly [string, number])[] = features.map(name => [name, coefficients[name]!]);
  if (intercept !== null) entries.push([INTERCEPT, intercept]);
  return entries.map(([name, estimate]) => {
    const isLeftOut = leftOut.includes(name);
    // A column may have the name of something that every object has, such as constructor.
    const isKnown = uncertainty !== undefined && Object.hasOwn(uncertainty.errors, name);
    const error = isKnown ? uncertainty.errors[name] : undefined;
    const interval = isKnown ? uncertainty.intervals[name] : undefined;
    // A model file has null where a number was infinite.
    if (!Number.isFinite(error) || !interval?.every(Number.isFinite)) return { name, estimate, isLeftOut, known: null };
    const reach = uncertainty!.radii[name]! * error!;
    const joint = [estimate - reach, estimate + reach] as const;
    const clear = Math.abs(estimate) > reach;
    return { name, estimate, isLeftOut, known: { error: error!, interval, joint, clear } };
  });
}
