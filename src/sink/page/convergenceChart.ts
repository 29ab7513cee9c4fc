import type { Model } from '../../model/model.ts';
import { html, type Markup } from './markup.ts';
import { countOf, numeral, powerOfTen } from './numerals.ts';

const HEIGHT = 190;
/** More marks would touch each other on a phone. */
const MOST_MARKS = 40;
const MOST_TICKS = 5;
/** The longest label, in characters, that fits beside the plot; 2 × 10⁻¹⁷ does not. */
const SHORT = 6;

interface Place {
  readonly step: number;
  readonly x: number;
  readonly y: number;
}

/**
 * The norm of the gradient after every step, on a logarithmic scale. Lengths along the steps are percentages, so that
 * text keeps its size on every screen.
 *
 * Empty where there are fewer than two positive norms, as a logarithm needs, or where all are rounding errors or equal.
 */
export function convergenceChart(model: Model): Markup | '' {
  const steps = model.steps.filter(({ gradientNorm }) => gradientNorm > 0 && Number.isFinite(gradientNorm));
  if (steps.length < 2 || hasConverged(model) || isAtRest(model)) return '';
  const noise = noiseNorms(model);
  const shown = [...steps.map(({ gradientNorm }) => gradientNorm), ...noise.map(({ norm }) => norm)];
  const [bottom, top] = logRange(shown);
  const [first, last] = [steps[0]!.step, steps.at(-1)!.step];
  const placeOf = (step: number, norm: number): Place => ({
    step,
    x: (100 * (step - first)) / (last - first),
    y: (HEIGHT * (top - Math.log10(norm))) / (top - bottom),
  });
  const norms = steps.map(({ step, gradientNorm }) => placeOf(step, gradientNorm));
  const floor = noise.filter(({ step }) => step >= first).map(({ step, norm }) => placeOf(step, norm));
  const [from, to] = [steps[0]!.gradientNorm, steps.at(-1)!.gradientNorm];
  const words = `Norm of the gradient by step: from ${numeral(from, 3)} at step ${first} to ${numeral(to, 3)} at step ${last}`;
  const ticks = yTicks(bottom, top);
  const room = ticks.some(({ label }) => label.length > SHORT) ? 'plot wide' : 'plot';
  return html`<figure>
<figcaption>Norm of the gradient, by step${floor.length > 0 ? html` <span class="key"><svg width="24" height="12" aria-hidden="true"><line class="floor" x1="1" x2="23" y1="6" y2="6"/></svg> the noise alone</span>` : ''}</figcaption>
<div class="${room}"><svg role="img" aria-label="${words}" width="100%" height="${String(HEIGHT + 28)}">${ticks.map(
    ({ label, exponent }) => {
      const y = px((HEIGHT * (top - exponent)) / (top - bottom));
      return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="y" x="-10" y="${y}" dy="0.33em">${label}</text>`;
    },
  )}${xTicks(first, last).map(step => {
    const x = `${placeOf(step, from).x.toFixed(2)}%`;
    return html`<text class="x" x="${x}" y="${String(HEIGHT + 22)}">${countOf(step)}</text>`;
  })}${joined(floor, 'floor')}${joined(norms, 'path')}${
    norms.length > MOST_MARKS ? '' : norms.map(({ x, y }) => html`<circle cx="${x.toFixed(2)}%" cy="${px(y)}" r="4"/>`)
  }</svg></div>
</figure>
`;
}

const joined = (places: readonly Place[], kind: string): readonly Markup[] =>
  places
    .slice(1)
    .map(
      (place, k) =>
        html`<line class="${kind}" x1="${places[k]!.x.toFixed(2)}%" y1="${px(places[k]!.y)}" x2="${place.x.toFixed(2)}%" y2="${px(place.y)}"/>`,
    );

/**
 * The root mean square norm of the noise on a step's gradient, sigma sqrt(p). It is public; the formula holds where the
 * gradient is one mean, not the median of several.
 */
function noiseNorms({ steps, plan, features, intercept }: Model): readonly { step: number; norm: number }[] {
  if (plan.blocks !== 1) return [];
  const size = features.length + (intercept === null ? 0 : 1);
  return steps.flatMap(({ step, sigma }) =>
    sigma !== null && sigma > 0 ? [{ step, norm: sigma * Math.sqrt(size) }] : [],
  );
}

/** Powers of ten that enclose the norms, with a margin. */
function logRange(norms: readonly number[]): readonly [bottom: number, top: number] {
  const exponents = norms.map(Math.log10);
  const [least, most] = [exponents.reduce((a, b) => Math.min(a, b)), exponents.reduce((a, b) => Math.max(a, b))];
  const margin = Math.max(0.08, 0.08 * (most - least));
  return [least - margin, most + margin];
}

/** Powers of ten where there are enough of them, otherwise 1, 2 and 5 of each, otherwise the ends. */
function yTicks(bottom: number, top: number): readonly { label: string; exponent: number }[] {
  const powers = wholeBetween(bottom, top);
  if (powers.length > 2) {
    const stride = Math.ceil(powers.length / MOST_TICKS);
    return powers.filter((_, k) => k % stride === 0).map(exponent => ({ label: powerOfTen(exponent), exponent }));
  }
  const round = wholeBetween(Math.floor(bottom), top)
    .flatMap(power => [1, 2, 5].map(factor => factor * 10 ** power))
    .map(value => ({ label: numeral(value, 1), exponent: Math.log10(value) }))
    .filter(({ exponent }) => exponent >= bottom && exponent <= top);
  if (round.length > 1) return round;
  return [bottom, top].map(exponent => ({ label: numeral(10 ** exponent, 3), exponent }));
}

/** Both ends, and round step numbers between them at some distance. */
function xTicks(first: number, last: number): readonly number[] {
  const stride = roundStride((last - first) / MOST_TICKS);
  const round = wholeBetween(first / stride, last / stride).map(multiple => multiple * stride);
  return [first, ...round.filter(step => step - first >= stride / 2 && last - step >= stride / 2), last];
}

/** The least of 1, 2, 5, 10, 20, … that is at least this. */
function roundStride(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * [1, 2, 5, 10].find(factor => factor * power >= least)!;
}

const wholeBetween = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor(to) - Math.ceil(from) + 1) }, (_, k) => Math.ceil(from) + k);

const px = (length: number): string => length.toFixed(1);

/** This many times the sampling error is not chance: in one coordinate, norms exceed it once in a million steps. */
const BY_CHANCE = 5;

/** What the norms of a run's gradients imply, in terms of the numbers that the chart shows. */
export function convergenceWords(model: Model): string {
  if (hasConverged(model))
    return 'The steps had nothing left to do: the pilot had already reached the estimate, and the gradient had vanished before the first step, up to rounding. Its norms are below a millionth of the sampling error.';
  if (model.ledger.unit !== undefined)
    return 'The norms are those of the noised gradients, as released: where noise makes up most of a gradient, its norm says little about the fit.';
  if (isOverSet(model)) return overSetWords(model);
  return [
    'The norm of the gradient measures how far a step was from the minimum, where it vanishes.',
    model.plan.mode === 'fresh' ? freshWords(model) : courseWords(model),
  ].join(' ');
}

/** Where a set constrains the estimate, the gradient there points inwards and grows with how tight the set is. */
function overSetWords(model: Model): string {
  const why =
    'The estimate is constrained to a set: where it ends on the boundary, the gradient does not vanish, and its norm measures how strongly the data pull beyond the boundary, not how far the steps still had to go.';
  const [from, to] = ends(model);
  if (from === undefined || to === undefined) return why;
  return isAtRest(model)
    ? `${why} It was ${numeral(to)} from the first step to the last: the steps had converged.`
    : `${why} It went from ${numeral(from)} at the first step to ${numeral(to)} at the last.`;
}

function freshWords(model: Model): string {
  const { samplingNorm } = model.plan;
  const [from, to] = ends(model);
  const known = typeof samplingNorm === 'number' && samplingNorm > 0 ? samplingNorm : undefined;
  const floor = `Every step sees new rows, so the norm does not fall below their sampling error${known === undefined ? '' : `, about ${numeral(known)} in the last step`}.`;
  if (from === undefined || to === undefined) return floor;
  if (known !== undefined && to > BY_CHANCE * known)
    return `${floor} It ${to > from ? 'rose' : 'went'} from ${numeral(from)} at the first step to ${numeral(to)} at the last, ${numeral(to / known, 2)} times that error: the steps did not converge, or their rows come from different distributions.`;
  return known === undefined && to > from ? `${floor} ${roseWords(from, to)}` : floor;
}

function courseWords(model: Model): string {
  const [from, to] = ends(model);
  if (from === undefined || to === undefined) return '';
  return to > from
    ? roseWords(from, to)
    : `It fell from ${numeral(from)} at the first step to ${numeral(to)} at the last.`;
}

const roseWords = (from: number, to: number): string =>
  `It rose from ${numeral(from)} at the first step to ${numeral(to)} at the last: the steps did not converge.`;

/** Empty for fewer than two steps. */
const ends = ({ steps }: Model): readonly [number?, number?] =>
  steps.length < 2 ? [] : [steps[0]!.gradientNorm, steps.at(-1)!.gradientNorm];

/** A share of the sampling error so small that it is rounding: a chart of it would show only noise. */
const NOTHING = 1e-6;

/**
 * Whether the gradient had vanished before the first step, for example where a pilot of the same rows found the
 * estimate already.
 */
function hasConverged({ steps, plan }: Pick<Model, 'steps' | 'plan'>): boolean {
  const { samplingNorm } = plan;
  return typeof samplingNorm === 'number' && steps.every(({ gradientNorm }) => gradientNorm <= NOTHING * samplingNorm);
}

/** Whether the estimate was constrained to a set, as it always is with Frank-Wolfe methods. */
const isOverSet = ({ plan }: Pick<Model, 'plan'>): boolean =>
  plan.set !== undefined || /frank-wolfe/.test(String(plan.rule));

/** Whether the gradient, which need not vanish over a set, was the same in all steps: they had converged. */
const isAtRest = (model: Pick<Model, 'plan' | 'steps'>): boolean =>
  isOverSet(model) &&
  model.steps.every(({ gradientNorm }) => Math.abs(gradientNorm - model.steps[0]!.gradientNorm) <= SAME * gradientNorm);

const SAME = 1e-3;
