/** What an estimate was made by and what its data looked like, in plain words. Of the rows themselves it tells: it is not for private runs. */
import { FAR_OFF, type Pilot } from '../plan/pilot.ts';
import type { Estimate } from './estimate.ts';

export interface Explanation {
  /** What the run chose by itself, and why. */
  readonly choices: readonly string[];
  /** What a reader of the estimate should know about the data. */
  readonly notes: readonly string[];
}

export interface ExplainOptions {
  readonly names: readonly string[];
  readonly order: 'shuffle' | 'as-is';
  /** Whether the loss was left to the run. */
  readonly isLossOpen: boolean;
}

export const explainEstimate = (found: Estimate, options: ExplainOptions): Explanation => ({
  choices: [...lossChoice(found, options), ...layoutChoices(found)],
  notes: [
    ...apartNotes(found),
    ...manyNotes(found),
    ...leftOutNotes(found.pilot, options),
    ...rareNotes(found, options),
    ...farNotes(found, options),
    ...sortedNotes(found, options),
  ],
});

function lossChoice({ loss, pilot }: Estimate, { isLossOpen }: ExplainOptions): readonly string[] {
  if (!isLossOpen || pilot === null) return [];
  if (loss.name === 'logistic') return ['loss logistic: every target of the pilot is 0 or 1'];
  if (loss.name === 'squared')
    return [
      'loss squared: most rows near a robust fit have one and the same target, so that residuals have no scale to tell outliers by',
    ];
  const q = digits(loss.parameter!);
  return [
    `loss ${loss.name}(${q}): residuals have a scale of ${digits(pilot.residualScale)}, and rows ${loss.name === 'tukey' ? `beyond ${q} do not` : `far beyond ${q} hardly`} count; of the tunings tried this one promises the least error`,
  ];
}

function layoutChoices({ layout, pilot, plan, fit, noIntervals }: Estimate): readonly string[] {
  if (pilot === null) return [];
  const { mode, sharesPilot, steps, schedule, blocks } = layout;
  const counts = pilot.isEstimate ? ', and its own estimate counts as so many' : '';
  return [
    sharesPilot
      ? `a pilot of all ${pilot.rows} rows, which the steps see again: units, first estimate, curvature`
      : `a pilot of ${pilot.rows} rows, which no step uses again: units, first estimate, curvature${counts}`,
    mode === 'fresh'
      ? `${steps} steps (${plan.rule.name}) on fresh chunks of ${schedule!.chunks.join(', ')} rows${fit.rowsBehind === undefined ? '' : ', each iterate counting as its rows'}`
      : `${steps} steps (${plan.rule.name}) each over all ${sharesPilot ? '' : 'other '}rows`,
    noIntervals === null
      ? `${blocks} blocks a step, whose differences make the intervals`
      : `no intervals: ${noIntervals}`,
  ];
}

function apartNotes({ pilot }: Estimate): readonly string[] {
  return pilot?.isApart
    ? [
        'the classes of the pilot rows are told apart without error, or are all the same: there is no finite estimate, and these coefficients say no more than a direction; add --ridge',
      ]
    : [];
}

/** Where a fit can follow every target, residuals say nothing of the noise. */
function manyNotes({ pilot, fit }: Estimate): readonly string[] {
  const coefficients = fit.theta.length;
  return pilot !== null && pilot.rows <= coefficients
    ? [
        `${coefficients} coefficients for ${pilot.rows} rows: the fit goes through them, whatever their noise; use fewer features or more rows, or add --ridge`,
      ]
    : [];
}

function leftOutNotes(pilot: Pilot | null, { names }: ExplainOptions): readonly string[] {
  return (pilot?.leftOut ?? []).map(({ column, why }) => {
    const name = JSON.stringify(names[column] ?? column);
    return why === 'constant'
      ? `${name} has one value in all ${pilot!.rows} pilot rows: its coefficient is 0`
      : `${name} is a combination of other columns in the pilot rows: its coefficient is 0; leave it out, or add --ridge`;
  });
}

/** Steps that see all rows measure the curvature as they go; two or three on fresh ones rely on the pilot's. */
function rareNotes({ pilot, layout }: Estimate, { names }: ExplainOptions): readonly string[] {
  if (layout.mode === 'full') return [];
  return (pilot?.rare ?? []).map(
    ({ column, rows }) =>
      `${JSON.stringify(names[column] ?? column)} leaves its usual value in only ${rows} of ${pilot!.rows} pilot rows: its coefficient is rough, and its interval too narrow; --mode full does better`,
  );
}

function farNotes({ pilot, loss }: Estimate, { isLossOpen }: ExplainOptions): readonly string[] {
  if (pilot === null || pilot.farShare < LEAST_FAR) return [];
  const share = `${digits(100 * pilot.farShare)} % of the pilot rows are further than ${FAR_OFF} residual scales from the fit`;
  if (isLossOpen && loss.name !== 'squared') return [`${share}, and hardly count in it`];
  return loss.name === 'squared'
    ? [
        `${share}: under the squared loss they pull the estimate, and where they are in every block, as these are, no median of means undoes it; ${isLossOpen ? '--loss pseudo-huber would bound what they do' : '--loss auto leaves them out'}`,
      ]
    : [`${share}`];
}

const LEAST_FAR = 0.002;

/** Blocks of rows that come in a random order differ as single rows let expect. */
function sortedNotes({ pilot, spread }: Estimate, { order }: ExplainOptions): readonly string[] {
  if (order === 'shuffle' || pilot === null || spread === null) return [];
  if (!(spread.noise > SORTED * pilot.noise)) return [];
  return [
    `the rows look sorted: blocks of neighbouring rows differ ${digits(Math.sqrt(spread.noise / pilot.noise))} times as much as rows in a random order would, and neither the estimate nor its intervals hold; use --order shuffle`,
  ];
}

const SORTED = 4;

const digits = (value: number): string => String(Number(value.toPrecision(3)));
