import { expect } from 'chai';
import { hashedRounds } from '../../src/engine/local/hashedRounds.ts';
import type { WholeQuestion } from '../../src/engine/roundEngine.ts';
import { HASHES } from '../../src/engine/sql/rowHash.ts';
import { sqlRounds } from '../../src/engine/sql/sqlRounds.ts';
import type { SqlSource } from '../../src/engine/sql/sqlSession.ts';
import { slopeOfSlope } from '../../src/method/loss/loss.ts';
import { scalingOf } from '../../src/sample/transform/scaling.ts';
import { momentCount, whiteningOf } from '../../src/sample/transform/whitening.ts';
import { ENGINE_LOSSES, idedRows } from './engineRows.ts';

type Columns = Readonly<Record<string, Float64Array>>;

/** An engine and this machine, over the same rows of the same features. */
export function bothEngines(source: SqlSource, columns: Columns, features: number, target: string, weights?: string) {
  const { quote } = source.session.dialect;
  return {
    there: sqlRounds({
      session: source.session,
      from: source.from,
      rows: columns.id!.length,
      id: `CAST(${quote('id')} AS BIGINT)`,
      features: Array.from({ length: features }, (_, j) => `CAST(${quote(`x${j}`)} AS DOUBLE)`),
      target: `CAST(${quote(target)} AS DOUBLE)`,
      ...(weights !== undefined && { weights: `CAST(${quote(weights)} AS DOUBLE)` }),
      isGuarded: false,
      seed: 'sluice',
    }),
    here: hashedRounds(idedRows(columns, features, target), 'sluice'),
  };
}

const pointOf = (features: number): Float64Array =>
  Float64Array.from({ length: features + 1 }, (_, j) => (((7 * j) % 11) - 5) / (20 * Math.sqrt(features)));

/** The largest difference between two block sums, as a share of the sum of absolute terms. */
export async function differenceOfSums(
  source: SqlSource,
  columns: Columns,
  features: number,
): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  const at = pointOf(features);
  for (const target of ['linear', 'class', 'count'] as const) {
    const losses = ENGINE_LOSSES.filter(each => each.target === target);
    const { there, here } = bothEngines(source, columns, features, target);
    const part = { from: Math.floor(0.1 * HASHES), to: Math.floor(0.9 * HASHES) };
    for (const { loss } of losses) {
      const question = { part, blocks: 7, intercept: true, asked: [{ loss, at }] };
      const [far, near] = [await there.sums(question), await here.sums(question)];
      expect([...far.counts]).to.deep.equal([...near.counts]);
      const terms = absoluteTerms(columns, features, loss, columns[target]!, at);
      found[loss.name] = Math.max(
        ...[...far.sums[0]!].map((sum, place) => Math.abs(sum - near.sums[0]![place]!) / terms[place % at.length]!),
      );
    }
  }
  return found;
}

function absoluteTerms(
  columns: Columns,
  features: number,
  loss: (typeof ENGINE_LOSSES)[number]['loss'],
  target: Float64Array,
  at: Float64Array,
): Float64Array {
  const terms = new Float64Array(features + 1);
  for (let i = 0; i < target.length; i++) {
    let score = at[features]!;
    for (let j = 0; j < features; j++) score += columns[`x${j}`]![i]! * at[j]!;
    const slope = Math.abs(loss.slope(score, target[i]!));
    for (let j = 0; j < features; j++) terms[j]! += slope * Math.abs(columns[`x${j}`]![i]!);
    terms[features]! += slope;
  }
  return terms;
}

/** Private questions of every kind about rows: with and without clip, whitened, moments and curvature. */
export function wholeQuestions(
  features: number,
  loss: (typeof ENGINE_LOSSES)[number]['loss'],
  most: number,
): WholeQuestion[] {
  const scaling = scalingOf({
    features,
    bounds: {
      intervals: Array.from({ length: features }, (_, j) =>
        j % 3 === 2 ? { least: -18, most: 20 } : { least: -2, most: 2.5 },
      ),
    },
    target: { least: loss.targets.least === 0 ? 0 : -most, most },
    intercept: true,
    scalesTarget: loss.targets.least !== 0,
  });
  const limited = { ...scaling, rowLength: Math.sqrt(features) / 2 };
  const at = pointOf(features);
  // So small a norm that many rows have to be shrunk.
  const quantization = { grid: 2e-4, squaredNorm: 2 ** 24 };
  const gradients = { kind: 'gradients', part: null, blocks: 3, intercept: true, loss, at, quantization } as const;
  const plain: WholeQuestion[] = [
    { ...gradients, change: { scaling, whitened: null } },
    { ...gradients, change: { scaling: limited, whitened: null }, quantization: { ...quantization, clip: 0.6 } },
  ];
  if (features > 20) return plain;
  const moments = new Float64Array(momentCount(features));
  let place = 0;
  for (let a = 0; a <= features; a++)
    for (let b = a; b <= features; b++)
      moments[place++] = a === b ? (a === features ? 1 : 0.3 + 0.01 * a) : 0.01 / (1 + a);
  const whitening = whiteningOf(moments, { features, intercept: true, sigma: 1e-4 });
  const whitened = { scaling, whitened: { whitening, rowLength: 1.5 * Math.sqrt(features) } };
  const along = Float64Array.from({ length: features }, () => 1 / Math.sqrt(features));
  const whole = { features, rows: 1, norm: 2, grid: 2e-4, squaredNorm: 2 ** 24 };
  return [
    ...plain,
    { ...gradients, change: whitened },
    { kind: 'moments', change: { scaling, whitened: null }, request: { ...whole, targetUnit: 0.5 } },
    {
      kind: 'curvature',
      change: whitened,
      request: {
        ...whole,
        loss,
        bend: { at: (score, target) => slopeOfSlope(loss, score, target), most: 1 },
        lipschitz: 1.5,
        at,
        along,
        intercept: true,
      },
    },
  ];
}

/** Compares the whole numbers of an engine with those of this machine; returns how many were compared. */
export async function compareWholeSums(
  source: SqlSource,
  columns: Columns,
  features: number,
  losses: readonly (typeof ENGINE_LOSSES)[number][] = ENGINE_LOSSES,
): Promise<number> {
  let compared = 0;
  for (const { loss, target } of losses) {
    const { there, here } = bothEngines(source, columns, features, target);
    for (const question of wholeQuestions(features, loss, target === 'linear' ? 8 : target === 'class' ? 1 : 20)) {
      const [far, near] = [await there.wholeSums(question), await here.wholeSums(question)];
      expect([...far.sums], `${loss.name} ${question.kind}`).to.deep.equal([...near.sums]);
      expect([...far.counts]).to.deep.equal([...near.counts]);
      expect(near.sums.some(sum => sum !== 0)).to.equal(true);
      compared += far.sums.length;
    }
  }
  return compared;
}
