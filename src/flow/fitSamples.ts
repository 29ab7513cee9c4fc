/**
 * One run from rows to an estimate: a pilot where the plan needs one, a plan, the pipeline, and its summary. The operators do the work; this is the
 * composition that most users want.
 */
import { from, lastValueFrom, map, type Observable, toArray } from 'rxjs';
import { mean } from '../aggregate/mean.ts';
import { medianIn } from '../aggregate/medianIn.ts';
import { medianVariance } from '../aggregate/medianVariance.ts';
import { allButLast } from '../constraint/allButLast.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { everywhere } from '../constraint/everywhere.ts';
import type { NamedLoss } from '../loss/lossByName.ts';
import { ridge } from '../loss/ridge.ts';
import { ArgumentError, refuse } from '../math/check.ts';
import { studentQuantile } from '../math/studentQuantile.ts';
import { subtract, type Vector, zeros } from '../math/vector.ts';
import { type Layout, widened } from '../plan/layout.ts';
import { type Neighbours, neighbours } from '../plan/neighbours.ts';
import { type Pilot, studyPilot, type Thin } from '../plan/pilot.ts';
import { type PilotOver, pilotOver } from '../plan/pilotOver.ts';
import { type Plan, rowsUsed } from '../plan/plan.ts';
import { type Aggregate, planFit } from '../plan/planFit.ts';
import { averaged } from '../rule/averaged.ts';
import { centred } from '../rule/centred.ts';
import { frankWolfe } from '../rule/frankWolfe.ts';
import { inCoordinates } from '../rule/inCoordinates.ts';
import { type Momentum, nesterov } from '../rule/nesterov.ts';
import { lengthIn, newton } from '../rule/newton.ts';
import { projectedGradient } from '../rule/projectedGradient.ts';
import type { UpdateRule } from '../rule/updateRule.ts';
import type { Chunk } from '../sample/chunk.ts';
import { gather } from '../sample/gather.ts';
import { rowRange } from '../sample/rowRange.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../sample/samples.ts';
import { blockSpread, type Spread } from './blockSpread.ts';
import type { Kernel } from './blockSums.ts';
import { runPlan, type Sums, usualSums } from './fitPlan.ts';
import type { Iterate } from './iterate.ts';
import { passes } from './passes.ts';
import { split } from './split.ts';
import type { Fit } from './summarize.ts';

export type Method = 'auto' | 'gradient' | 'nesterov' | 'frank-wolfe' | 'accelerated-frank-wolfe';

export interface FitSettings {
  readonly layout: Layout;
  /** Whether the layout stays as it is also where the pilot tells too little. */
  readonly keepsLayout?: boolean;
  /** `auto`: logistic where the pilot's targets are all 0 or 1, otherwise a redescending one, tuned to its residuals. */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly intercept: boolean;
  readonly method: Method;
  readonly constraint?: Constraint;
  /** Without it the step comes from the pilot's curvature. */
  readonly stepSize?: number;
  readonly momentum?: Momentum;
  readonly start?: Vector;
  /** `auto`: the mean of the blocks where a pilot chose loss and curvature, otherwise their geometric median. */
  readonly aggregate: Aggregate | 'auto';
  readonly failureProbability: number;
  readonly kernel?: Kernel;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
  /** Where in the file the first rows of the run were, `most` of them or fewer; unless given, nothing is found out about neighbouring rows. */
  readonly places?: (most: number) => Float64Array;
  /** Rows that no step and no pilot sees, the last ones, and what is to be done with them at the end. */
  readonly heldOut?: HeldOut;
  /** The pilot's rows are there; studying them takes one thread, and a while. */
  readonly onPilot?: () => void;
  readonly onPlan?: (plan: Plan, loss: NamedLoss) => void;
  readonly onIterate?: (iterate: Iterate) => void;
}

export interface HeldOut {
  readonly rows: number;
  use(samples: Samples, found: FittedSamples): Promise<void>;
}

export interface FittedSamples {
  /** As it was, with a wider pilot than was asked for where that told too little. */
  readonly layout: Layout;
  readonly fit: Fit;
  readonly plan: Plan;
  readonly loss: NamedLoss;
  readonly pilotRows: number;
  readonly pilot: Pilot | null;
  /** The pilot before this one, and why that was too small; null where the first one did. */
  readonly widened: { readonly rows: number; readonly thin: Thin } | null;
  /** The gradient's norm that the chance of sampling makes at the best point, in the coordinates of the steps; null where they have none. */
  readonly samplingNorm: number | null;
  /** How far the blocks were from each other; null where the estimate is not the average that it would be the error of. */
  readonly spread: Spread | null;
  /** How far neighbouring rows of the file go together; null where they do not, or where nobody looked. */
  readonly neighbours: Neighbours | null;
  /** Null where the run says nothing about its own error. */
  readonly uncertainty: FitUncertainty | null;
  /** Why it says nothing; null where it does. */
  readonly noIntervals: string | null;
}

/** Intervals for the coefficients, from how far the blocks of the run were from each other. */
export interface FitUncertainty {
  readonly level: number;
  /** Standard errors, of Student's t with so many degrees. */
  readonly errors: Vector;
  readonly degrees: number;
  readonly lower: Vector;
  readonly upper: Vector;
  /** So many standard errors cover all coefficients at once (Bonferroni). */
  readonly radius: number;
}

const LEVEL = 0.95;

/** Whether these settings leave something for a pilot to find out. */
export const needsPilot = ({
  loss,
  stepSize,
  method,
}: Pick<FitSettings, 'loss' | 'stepSize' | 'method'>): boolean =>
  loss === 'auto' || (stepSize === undefined && method !== 'frank-wolfe');

/** What a run begins with. */
export interface Start {
  readonly features: number;
  /** The pilot's rows in memory. */
  readonly pilotBatch: SampleBatch | null;
  readonly chunks: Observable<Chunk>;
  /** How block sums come of the chunks, where they come otherwise than from their rows. */
  readonly sums?: Sums;
  readonly heldOut?: Samples;
  /** The same with more rows in the pilot, where there are some to be had. */
  readonly wider?: () => Promise<Wider>;
}

export interface Wider {
  readonly start: Start;
  readonly layout: Layout;
}

export const fitSamples = async (samples: Samples, settings: FitSettings): Promise<FittedSamples> =>
  fitFrom(await startOf(samples, settings.layout, settings.heldOut?.rows ?? 0), settings);

export async function fitFrom(start: Start, settings: FitSettings): Promise<FittedSamples> {
  const { layout, intercept, failureProbability, kernel, onPilot, onPlan, onIterate } = settings;
  const { pilotRows, mode, schedule, steps } = layout;
  const { features, pilotBatch, chunks, sums = usualSums(kernel) } = start;
  if (pilotBatch !== null) onPilot?.();
  const first = pilotBatch === null || !needsPilot(settings) ? null : pilotOf(pilotBatch, settings);
  if (first?.thin && start.wider !== undefined && !settings.keepsLayout) {
    const wider = await start.wider();
    const widened = { rows: pilotRows, thin: first.thin };
    return { ...(await fitFrom(wider.start, { ...settings, layout: wider.layout })), widened };
  }
  const over = first === null ? null : overSet(pilotBatch!, first, settings);
  const pilot = over === null ? first : { ...first!, ...over, unbounded: [] };
  const loss = pilot?.loss ?? settings.loss;
  if (loss === 'auto') return refuse('loss', 'be named where no pilot is read', loss);
  const plan = planFit({
    rows: layout.rows,
    features,
    intercept,
    loss: settings.penalty ? ridge(loss.loss, settings.penalty) : loss.loss,
    rule: ruleOf(settings, pilot, over),
    mode,
    steps,
    aggregate: aggregateOf(settings, pilot),
    failureProbability,
    blocks: layout.blocks,
    ...(schedule === null ? {} : { schedule }),
    ...startOption(settings, pilot),
  });
  onPlan?.(plan, loss);
  const unsure = whyUnsure(settings, pilot);
  const watch = pilot && unsure === null ? blockSpread(plan, pilot.coordinates) : null;
  const weighed = pilot?.rowWeights ? chunks.pipe(map(weighing(pilot.rowWeights, mode))) : chunks;
  const own = pilot && stepsByCurvature(settings) ? pilot : null;
  const fit = await runPlan(weighed, plan, sums, onIterate, {
    onSums: watch ? [watch.stage] : [],
    ...(own && { coordinates: own.coordinates }),
  });
  const samplingNorm = own && Math.sqrt(own.noise / rowsUsed(plan.steps.at(-1)!));
  const spread = watch?.found() ?? null;
  const together = pilot && neighboursIn(pilotBatch!, pilot, fit, settings);
  const uncertainty =
    spread && pilot && hasEnd(pilot) && !pilot.isTooNarrow
      ? uncertaintyOf(fit, inflated(together ? widest(spread, together) : spread, settings, pilot), pilot)
      : null;
  const noIntervals = uncertainty ? null : (unsure ?? whyNone(pilot));
  const told = { samplingNorm, spread, neighbours: together, uncertainty, noIntervals };
  const found = { layout, fit, plan, loss, pilotRows, pilot, widened: null, ...told };
  if (start.heldOut) await settings.heldOut?.use(start.heldOut, found);
  return found;
}

/** The weights of so many rows take 64 MB. */
const MOST_KEPT = 2 ** 23;

/** The chunk's rows, counting by what `weigh` says of them. Steps over all rows meet the same batches again, and their weights are kept, as far as there is room. */
function weighing(weigh: NonNullable<Pilot['rowWeights']>, mode: Layout['mode']): (chunk: Chunk) => Chunk {
  const kept: Float64Array[] = [];
  let room = mode === 'full' ? MOST_KEPT : 0;
  const weightsOf = (batch: SampleBatch, place: number): Float64Array => {
    const known = kept[place];
    if (known?.length === batch.rows) return known;
    const weights = weigh(batch);
    const given = batch.weights;
    if (given !== undefined) for (let i = 0; i < batch.rows; i++) weights[i]! *= given[i]!;
    if (room >= batch.rows) {
      room -= batch.rows;
      kept[place] = weights;
    }
    return weights;
  };
  return chunk => ({
    ...chunk,
    batches: {
      async *[Symbol.asyncIterator]() {
        let place = 0;
        for await (const batch of chunk.batches) yield { ...batch, weights: weightsOf(batch, place++) };
      },
    },
  });
}

const pilotOf = (batch: SampleBatch, settings: FitSettings): Pilot =>
  studyPilot(batch, {
    loss: settings.loss,
    intercept: settings.intercept,
    runRows: settings.layout.sharesPilot ? batch.rows : settings.layout.rows + batch.rows,
    ...(settings.penalty !== undefined && { penalty: settings.penalty }),
    ...(settings.names !== undefined && { names: settings.names }),
  });

/** Why blocks would not say how far off the estimate may be; null where they do: of steps by the pilot's curvature, averaged over the run. */
function whyUnsure(
  { method, stepSize, constraint, aggregate }: FitSettings,
  pilot: Pilot | null,
): string | null {
  if (pilot === null) return 'without a pilot nothing is known of the curvature';
  if (constraint !== undefined)
    return 'a set bounds the estimate, and blocks do not tell what that does to it';
  if (stepSize !== undefined) return 'steps of a given size need not come to what the rows say';
  if (method === 'nesterov') return 'blocks do not tell what momentum makes of their differences';
  if (typeof aggregate === 'object') {
    return 'huber' in aggregate
      ? 'huber has no blocks to tell them by'
      : `nothing is known of what ${aggregate.name} makes of the differences of blocks`;
  }
  return null;
}

/** Whether there is a finite estimate. */
const hasEnd = ({ isApart, unbounded }: Pilot): boolean => !isApart && unbounded.length === 0;

const whyNone = (pilot: Pilot | null): string =>
  pilot?.isTooNarrow
    ? 'too few rows are within reach of the loss to tell how it curves'
    : pilot && !hasEnd(pilot)
      ? 'there is no finite estimate'
      : 'the rows do not fill the blocks that would tell them';

/** What the pilot's rows, in the order of the file, say of their neighbours. */
function neighboursIn(
  batch: SampleBatch,
  { coordinates, loss, rowWeights }: Pilot,
  { theta }: Fit,
  settings: FitSettings,
): Neighbours | null {
  const { intercept } = settings;
  const places = settings.places?.(Math.min(batch.rows, MOST_NEIGHBOURS));
  if (places === undefined) return null;
  const options = { places, loss: loss.loss, theta, intercept, rowWeights, coordinates };
  return neighbours(rowsBetween(batch, 0, places.length), options);
}

/** As many as the largest pilot has. */
const MOST_NEIGHBOURS = 100_000;

/** Blocks of rows in a random order do not tell how neighbours go together. */
const widest = (spread: Spread, { variances, degrees }: Neighbours): Spread => ({
  ...spread,
  variances: spread.variances.map((variance, j) => Math.max(variance, variances[j]!)),
  degrees: Math.min(spread.degrees, degrees),
});

/** By what a median costs beside a mean. */
function inflated(spread: Spread, { aggregate }: FitSettings, { coordinates }: Pilot): Spread {
  if (aggregate !== 'median-of-means') return spread;
  const factor = medianVariance(coordinates.rank);
  return { ...spread, variances: spread.variances.map(variance => factor * variance) };
}

/** Whether steps are taken in the pilot's coordinates, so that gradients may be compared in them too. */
const stepsByCurvature = ({ method, stepSize }: FitSettings): boolean =>
  stepSize === undefined && !isFrankWolfe(method);

function aggregateOf(settings: FitSettings, pilot: Pilot | null): Aggregate {
  const { aggregate } = settings;
  if (aggregate === 'auto') return pilot === null ? 'median-of-means' : mean();
  if (aggregate === 'mean') return mean();
  if (aggregate === 'median-of-means' && pilot !== null && stepsByCurvature(settings))
    return medianIn(pilot.coordinates);
  return aggregate;
}

function uncertaintyOf(
  { theta, rowsBehind }: Fit,
  { variances, degrees }: Spread,
  pilot: Pilot,
): FitUncertainty {
  // The estimate was made to suit the rows that its blocks are of, by as many of them as there are coefficients.
  const rows = Math.max(1, rowsBehind! - theta.length);
  const usual = usualVariances(pilot);
  // Few blocks have rows that tell of a rare column, and the fit has gone towards those few: it is at least as far off as it would be if noise were the same in all rows.
  // So it is with rows that have most of the curvature of counts, and with those of a reference that few have.
  const isRare = (j: number): boolean =>
    pilot.isBentByFew || [...pilot.rare, ...pilot.few].some(({ column }) => column === j);
  const errors = variances.map((variance, j) =>
    Math.sqrt((isRare(j) ? Math.max(variance, usual[j]!) : variance) / rows),
  );
  const quantile = (sides: number): number => studentQuantile(1 - (1 - LEVEL) / sides, degrees);
  const reach = quantile(2);
  return Object.freeze({
    level: LEVEL,
    errors,
    degrees,
    lower: theta.map((value, j) => value - reach * errors[j]!),
    upper: theta.map((value, j) => value + reach * errors[j]!),
    radius: quantile(2 * theta.length),
  });
}

/** Of each coefficient from one row, if noise has nothing to do with the features: noise of one coordinate times (A^-1)_jj. */
function usualVariances({ coordinates, noise }: Pilot): Vector {
  const { size, rank, toTheta } = coordinates;
  const variances = zeros(size);
  for (let k = 0; k < rank; k++) {
    const unit = zeros(rank);
    unit[k] = 1;
    toTheta(unit).forEach((value, j) => {
      variances[j]! += (noise / rank) * value ** 2;
    });
  }
  return variances;
}

/** The pilot's rows, the chunks that follow them, and the rows held out behind those. */
export async function startOf(samples: Samples, layout: Layout, held: number): Promise<Start> {
  const { pilotRows, sharesPilot, rows, schedule, steps } = layout;
  const { features } = samples;
  if (schedule === null) {
    const pilotBatch = pilotRows === 0 ? null : await gatherFirst(samples, pilotRows);
    const first = sharesPilot ? 0 : pilotRows;
    const end = first + rows;
    const start: Start = {
      features,
      pilotBatch,
      chunks: passes(rowRange(samples, first, end), steps),
      ...(held > 0 && { heldOut: rowRange(samples, end, end + held) }),
    };
    const larger = widened(layout, Math.floor(WIDEST_PILOT / (features + 1)));
    if (larger === null) return start;
    const wider = async (): Promise<Wider> => {
      const gathered = await gatherFirst(samples, larger.pilotRows);
      const chunks = passes(samplesOf(gathered), larger.steps);
      return { start: { ...start, pilotBatch: gathered, chunks }, layout: larger };
    };
    return { ...start, wider };
  }
  const { chunks, leftOver } = schedule;
  if (pilotRows === 0 && held === 0) return { features, pilotBatch: null, chunks: split(samples, schedule) };
  const handles = await lastValueFrom(
    split(samples, { chunks: [pilotRows, ...chunks, ...(held > 0 ? [leftOver, held] : [])] }).pipe(toArray()),
  );
  const [first] = handles;
  const pilotBatch = pilotRows === 0 ? null : await gather(first!.batches, pilotRows, features);
  const start: Start = {
    features,
    pilotBatch,
    chunks: from(handles.slice(1, 1 + chunks.length)),
    ...(held > 0 && { heldOut: { ...samples, rows: held, batches: () => handles.at(-1)!.batches } }),
  };
  const larger = widened(layout, Math.floor(WIDEST_PILOT / (features + 1)));
  if (pilotBatch === null || larger === null) return start;
  const wider = async (): Promise<Wider> => {
    const taken = larger.schedule === null ? chunks.length : chunks.length - larger.steps;
    const gathered = await gather(
      inTurn(pilotBatch, handles.slice(1, 1 + taken)),
      larger.pilotRows,
      features,
    );
    return {
      start: {
        ...start,
        pilotBatch: gathered,
        chunks: larger.sharesPilot
          ? passes(samplesOf(gathered), larger.steps)
          : from(handles.slice(1 + taken, 1 + chunks.length)),
      },
      layout: larger,
    };
  };
  return { ...start, wider };
}

/** Values in the memory of a pilot that was widened, 80 MB of them. */
const WIDEST_PILOT = 1e7;

async function* inTurn(first: SampleBatch, chunks: readonly Chunk[]): AsyncGenerator<SampleBatch> {
  yield first;
  for (const { batches } of chunks) yield* batches;
}

async function gatherFirst(samples: Samples, rows: number): Promise<SampleBatch> {
  const [chunk] = await lastValueFrom(split(samples, { chunks: [rows] }).pipe(toArray()));
  return gather(chunk!.batches, rows, samples.features);
}

function ruleOf(settings: FitSettings, pilot: Pilot | null, over: PilotOver | null): UpdateRule {
  const { method, constraint: given, intercept, momentum } = settings;
  if (momentum !== undefined && method !== 'nesterov')
    throw new ArgumentError(`momentum is a part of method nesterov, got method ${method}; use nesterov`);
  if (isFrankWolfe(method)) {
    if (given === undefined)
      throw new ArgumentError(`method ${method} needs a bounded constraint; use l2Ball, l1Ball or box`);
    if (intercept) throw new ArgumentError(`method ${method} has no free coordinate; set intercept to false`);
    if (method === 'frank-wolfe') return frankWolfe({ constraint: given });
    if (settings.stepSize === undefined) {
      throw new ArgumentError(
        'method accelerated-frank-wolfe needs its constant stepSize; theorems.accFwRob has one',
      );
    }
    return { ...frankWolfe({ constraint: given, stepSize: settings.stepSize }), name: method };
  }
  const constraint = given === undefined ? everywhere() : intercept ? allButLast(given) : given;
  if (settings.stepSize !== undefined) {
    const { stepSize } = settings;
    if (method !== 'nesterov') return projectedGradient({ stepSize, constraint });
    if (given !== undefined)
      throw new ArgumentError('method nesterov works over all of R^p; leave constraint out');
    return nesterov({ stepSize, momentum: momentum ?? 'increasing' });
  }
  if (pilot === null) return refuse('stepSize', 'be given where no pilot is read', undefined);
  const { coordinates, noise } = pilot;
  // From an estimate on so many rows to that of a chunk that is hardly smaller.
  const usual = settings.layout.schedule === null ? 0 : Math.sqrt((2 * noise) / pilot.rows);
  const aggregate = aggregateOf(settings, pilot);
  const countsRest =
    typeof aggregate === 'object' && 'countsRest' in aggregate && aggregate.countsRest === true;
  const rows = rowsThatCount(settings, pilot, countsRest);
  if (over !== null) {
    const { curvature, centres } = over;
    const steps = stepsBy({ curvature, constraint: over.constraint });
    const apart = (a: Vector, b: Vector): number => lengthIn(curvature, subtract(a, b));
    const rule = averaged(steps, { rows, noise, distance: apart });
    return intercept ? centred(rule, centres) : rule;
  }
  if (method === 'nesterov') {
    return inCoordinates(nesterov({ stepSize: 1, momentum: momentum ?? 0.1 }), coordinates);
  }
  const steps = stepsBy({ curvature: identity(coordinates.rank) });
  return inCoordinates(averaged(steps, { rows, noise }), coordinates);

  /** Of gradient descent the length that suits the curvature is 1; a Newton step is that one, and goes back where the curvature proves too small. */
  function stepsBy(known: {
    readonly curvature: Float64Array;
    readonly constraint?: Constraint;
  }): UpdateRule {
    return method === 'gradient'
      ? projectedGradient({ stepSize: 1, ...known })
      : newton({ noise: usual, ...known });
  }
}

/** What the pilot tells of a run over a set, where its curvature makes the steps. */
function overSet(batch: SampleBatch, pilot: Pilot, settings: FitSettings): PilotOver | null {
  const { constraint, method, stepSize, penalty, intercept, loss } = settings;
  if (constraint === undefined || stepSize !== undefined || isFrankWolfe(method)) return null;
  if (method === 'nesterov')
    throw new ArgumentError('method nesterov works over all of R^p; leave constraint out');
  refuseLeftOut(pilot, settings);
  return pilotOver(batch, pilot, {
    constraint,
    intercept,
    isLossOpen: loss === 'auto',
    ...(penalty !== undefined && { penalty }),
  });
}

const isFrankWolfe = (method: Method): boolean =>
  method === 'frank-wolfe' || method === 'accelerated-frank-wolfe';

function identity(size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) matrix[i * (size + 1)] = 1;
  return matrix;
}

/** How much the start and every step count in the estimate. Where all steps see all rows, the last one says what they say. */
function rowsThatCount(
  { layout, start }: FitSettings,
  { rows, isEstimate }: Pilot,
  countsRest: boolean,
): readonly number[] {
  const { schedule, sharesPilot, steps, blocks } = layout;
  const pilotRows = isEstimate && start === undefined && !sharesPilot ? rows : 0;
  const used = (size: number): number => blocks * Math.floor(size / blocks);
  if (schedule !== null) return [pilotRows, ...schedule.chunks.map(used)];
  const seen = countsRest ? layout.rows : used(layout.rows);
  return [pilotRows, ...Array.from({ length: steps }, (_, t) => (t === steps - 1 ? seen : 0))];
}

function refuseLeftOut({ leftOut }: Pilot, { names = [] }: FitSettings): void {
  if (leftOut.length === 0) return;
  const listed = leftOut.map(({ column }) => JSON.stringify(names[column] ?? column)).join(', ');
  throw new ArgumentError(
    `over a set every feature must say something of its own, but in the pilot rows ${listed} ${leftOut.length === 1 ? 'does' : 'do'} not; leave ${leftOut.length === 1 ? 'it' : 'them'} out of the features, or add a ridge penalty`,
  );
}

function startOption({ start }: FitSettings, pilot: Pilot | null): { start?: Vector } {
  if (start !== undefined) return { start };
  return pilot === null ? {} : { start: pilot.start };
}
