import { median, weightedMedian } from '../../math/median.ts';
import type { Vector } from '../../math/vector.ts';
import type { Glm } from '../../method/loss/glm.ts';
import { type Loss, slopeOfSlope } from '../../method/loss/loss.ts';
import { answerSize, COLUMNS, type InformationQuestion, SUMS } from '../../method/rule/informationQuestion.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import { compiledLoss, type RiskTile, TILE_ROWS } from './riskTile.ts';

/** Sums what the online estimator asks about the rows of a chunk. */
export interface InformationSummer {
  add(batch: SampleBatch): void;
  finish(): Vector;
}

interface Request {
  readonly question: Pick<InformationQuestion, 'asks' | 'at' | 'from' | 'loss' | 'coordinates'>;
  /** Rows of the chunk. */
  readonly rows: number;
  /** Of the features, whose memory and sums are used. */
  readonly tile: RiskTile;
  /** Whether medians of residuals are asked for, which takes as long as some columns. */
  readonly withDeviation: boolean;
}

/**
 * What the rule `information` asks about a chunk, by tiles of 1,024 rows counted from the chunk's first, whose z are
 * written once and then read from the cache: sums do not depend on how rows came in batches. Second derivatives of a
 * loss that is not convex count as 0 where they are negative, since information only grows. Rows of weight 0 are
 * passed over.
 */
export function informationSummer(request: Request): InformationSummer {
  const { question, rows, tile } = request;
  return question.asks === 'columns' ? columnsSummer(rows, tile.columns.length) : tileSummer(request);
}

function tileSummer({ question, rows, tile, withDeviation }: Request): InformationSummer {
  const { asks, at, from, loss, coordinates } = question;
  const { centre, scale } = coordinates;
  const features = tile.columns.length;
  const size = at.length;
  const answer = new Float64Array(answerSize(asks, features, size));
  const most = answer.subarray(SUMS.length, SUMS.length + features);
  const squares = answer.subarray(SUMS.length + features + size, SUMS.length + features + 2 * size);
  const derive = asks === 'information' ? derivatives(loss, tile) : null;
  const residuals = new Float64Array(withDeviation && derive !== null ? rows : 0);
  const rowWeights = new Float64Array(residuals.length);
  let [seen, held, weighted] = [0, 0, false];

  const fill = ({ columns, target, weights }: SampleBatch, start: number, count: number): void => {
    for (let j = 0; j < features; j++) {
      const largest = place(columns[j]!, weights, start, count, centre[j]!, scale[j]!, tile.columns[j]!, held);
      if (derive !== null && largest > most[j]!) most[j] = largest;
    }
    for (let i = 0; i < count; i++) {
      tile.targets[held + i] = target[start + i]!;
      tile.weights[held + i] = weights === undefined ? 1 : weights[start + i]!;
    }
  };
  const sum = (): void => {
    const { weights, targets, scores, slopes, bends } = tile;
    for (let i = 0; i < held; i++) {
      answer[SUMS.weight]! += weights[i]!;
      if (weights[i]! > 0) answer[SUMS.rows]!++;
    }
    tile.score(at, 0, held);
    for (let i = 0; residuals.length > 0 && i < held; i++) {
      residuals[seen + i] = Math.abs(targets[i]! - scores[i]!);
      rowWeights[seen + i] = weights[i]!;
    }
    answer[SUMS.loss]! += derive!(held);
    let [slopeSquares, allBends] = [0, 0];
    for (let i = 0; i < held; i++) {
      if (bends[i]! < 0) bends[i] = 0;
      allBends += bends[i]!;
      slopeSquares += slopes[i]! * slopes[i]!;
    }
    answer[SUMS.bends]! += allBends;
    answer[SUMS.squares]! += slopeSquares;
    for (let j = 0; j < features; j++) squares[j]! += sumOfSquares(slopes, tile.columns[j]!, held);
    if (size > features) squares[features]! += slopeSquares;
    tile.addDerivatives(0, held);
  };
  const attempt = (): void => {
    tile.score(
      at.map((value, j) => value - from[j]!),
      0,
      held,
    );
    const { weights, targets, scores } = tile;
    for (let i = 0; i < held; i++)
      if (weights[i]! > 0 && Math.abs(scores[i]!) > answer[0]!) answer[0] = Math.abs(scores[i]!);
    tile.score(at, 0, held);
    const compiled = compiledLoss(loss.kernel);
    if (compiled !== undefined) answer[1]! += tile.derive(compiled, false, held);
    else for (let i = 0; i < held; i++) answer[1]! += weights[i]! * loss.value(scores[i]!, targets[i]!);
  };
  const flush = (): void => {
    if (held === 0) return;
    // Rows go two at a time, and what lies behind an odd number of them must be finite, and weigh nothing.
    for (const room of [...tile.columns, tile.targets, tile.weights]) room[held] = 0;
    if (derive === null) attempt();
    else sum();
    seen += held;
    held = 0;
  };
  tile.clear();
  return {
    add(given) {
      const batch = requireBatch(given, features);
      weighted ||= batch.weights !== undefined;
      for (let start = 0; start < batch.rows; ) {
        const count = Math.min(TILE_ROWS - held, batch.rows - start);
        fill(batch, start, count);
        start += count;
        held += count;
        if (held === TILE_ROWS) flush();
      }
    },
    finish() {
      flush();
      if (derive === null) return answer;
      const places = SUMS.length + features;
      for (let j = 0; j < size; j++) answer[places + j] = tile.sumOf(j);
      let place = places + 2 * size;
      for (let j = 0; j < size; j++) for (let k = 0; k <= j; k++) answer[place++] = tile.momentOf(j, k);
      if (residuals.length > 0) answer[SUMS.deviation] = middleOf(residuals, rowWeights, seen, weighted);
      return answer;
    },
  };
}

/** Writes z = (x - centre)/scale, 0 for rows of weight 0, and returns the largest |z|. */
function place(
  column: Float64Array,
  weights: Float64Array | undefined,
  start: number,
  count: number,
  centre: number,
  scale: number,
  into: Float64Array,
  at: number,
): number {
  let largest = 0;
  for (let i = 0; i < count; i++) {
    const z = weights === undefined || weights[start + i]! > 0 ? (column[start + i]! - centre) / scale : 0;
    into[at + i] = z;
    // A value that is not a number must be told, too.
    if (!(Math.abs(z) <= largest)) largest = Math.abs(z);
  }
  return largest;
}

function sumOfSquares(slopes: Float64Array, column: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const pull = slopes[i]! * column[i]!;
    sum += pull * pull;
  }
  return sum;
}

/** Slopes and bends of the tile's rows, which have scores, and the sum of their losses. */
function derivatives(loss: Loss, tile: RiskTile): (count: number) => number {
  const { weights, targets, scores, slopes, bends } = tile;
  const compiled = compiledLoss(loss.kernel);
  if (compiled !== undefined) return count => tile.derive(compiled, false, count);
  const bendOf =
    'variance' in loss ? (loss as Glm).variance : (score: number, y: number) => slopeOfSlope(loss, score, y);
  return count => {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const [weight, score, y] = [weights[i]!, scores[i]!, targets[i]!];
      slopes[i] = weight > 0 ? weight * loss.slope(score, y) : 0;
      bends[i] = weight > 0 ? weight * bendOf(score, y) : 0;
      if (weight > 0) sum += weight * loss.value(score, y);
    }
    slopes[count] = 0;
    bends[count] = 0;
    return sum;
  };
}

/** The median of the first values, by their weights if they have different ones; what has no weight does not count. */
function middleOf(values: Float64Array, weights: Float64Array, count: number, weighted: boolean): number {
  const own = values.subarray(0, count);
  if (!weighted) return count === 0 ? 0 : median(own);
  return weights.subarray(0, count).some(weight => weight > 0) ? weightedMedian(own, weights.subarray(0, count)) : 0;
}

/** Where columns and targets lie: sums of differences from the first row, so that digits are not lost far from 0. */
function columnsSummer(rows: number, features: number): InformationSummer {
  const answer = new Float64Array(answerSize('columns', features, 0));
  const first = new Float64Array(features);
  const sums = new Float64Array(features);
  const squares = new Float64Array(features);
  const furthest = new Float64Array(features);
  const targets = new Float64Array(rows);
  let [count, weight, sum] = [0, 0, 0];
  return {
    add(given) {
      const batch = requireBatch(given, features);
      const { columns, target, weights } = batch;
      for (let i = 0; i < batch.rows; i++) {
        const w = weights === undefined ? 1 : weights[i]!;
        if (!(w > 0)) continue;
        for (let j = 0; j < features; j++) {
          const x = columns[j]![i]!;
          if (count === 0) first[j] = x;
          const away = x - first[j]!;
          sums[j]! += w * away;
          squares[j]! += w * away * away;
          if (Math.abs(away) > furthest[j]!) furthest[j] = Math.abs(away);
        }
        weight += w;
        sum += w * target[i]!;
        targets[count++] = target[i]!;
      }
    },
    finish() {
      answer[COLUMNS.rows] = count;
      if (count === 0) return answer;
      const own = targets.subarray(0, count);
      answer[COLUMNS.weight] = weight;
      answer[COLUMNS.mean] = sum / weight;
      const middle = median(own);
      answer[COLUMNS.median] = middle;
      answer[COLUMNS.deviation] = median(own.map(y => Math.abs(y - middle)));
      for (let j = 0; j < features; j++) {
        const mean = sums[j]! / weight;
        const variance = squares[j]! / weight - mean * mean;
        answer[COLUMNS.length + 2 * j] = first[j]! + mean;
        answer[COLUMNS.length + 2 * j + 1] = variance > 0 ? Math.sqrt(variance) : furthest[j]!;
      }
      return answer;
    },
  };
}
