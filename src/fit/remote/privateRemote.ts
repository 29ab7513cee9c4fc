import { concatMap, from } from 'rxjs';
import { type Quantization, requireExact } from '../../engine/kernel/integerSummer.ts';
import type { PrivateRowChange, RoundEngine, WholeAnswer } from '../../engine/roundEngine.ts';
import type { SqlRows, SqlSession, SqlSource } from '../../engine/sql/sqlSession.ts';
import { ArgumentError } from '../../errors.ts';
import { chunkOf } from '../../flow/chunkPass.ts';
import { type Step, trusted } from '../../flow/stage.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
import { asLimitedTo } from '../../sample/transform/perUnit.ts';
import type { PrivateEstimateOptions } from '../private/estimatePrivately.ts';
import { declaredFeatures } from '../private/privateRequest.ts';
import type { RowsElsewhere } from '../private/releases.ts';
import { openRemote, type RemoteSamples } from './openRemote.ts';
import { partsOf, requireRows } from './remoteInput.ts';
import { refuseForRemote } from './remoteSource.ts';

/**
 * Opens rows of an engine for a private run: no query but those of its releases depends on what rows hold, and no message
 * of the engine is shown.
 */
export async function openPrivateRemote(rows: SqlRows, options: PrivateEstimateOptions): Promise<RemoteSamples> {
  refuseForRemote(options, true);
  const { target, unit, maxPerUnit, intercept = true, categorical = {}, orderSeed, signal } = options;
  const features = [...new Set(declaredFeatures(options))];
  const guarded: SqlRows = { ...rows, connect: async () => silent(await rows.connect()) };
  const opened = await openRemote(
    guarded,
    { target, intercept, categorical, features, namedByResult: true },
    {
      isPrivate: true,
      orderSeed,
      signal,
      ...(unit !== undefined && maxPerUnit !== undefined && { unit: { column: unit, most: maxPerUnit } }),
    },
  );
  return maxPerUnit === undefined ? opened : asLimitedTo(opened, maxPerUnit);
}

/** A source whose queries fail without a word about rows: an engine's message may quote a value. */
function silent(source: SqlSource): SqlSource {
  const { session } = source;
  const query: SqlSession['query'] = async (sql, options = {}) => {
    try {
      return await session.query(sql, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof ArgumentError && error.code === 'ERR_PEER_MISSING') throw error;
      throw new ArgumentError(
        `${session.dialect.name} could not answer a query of the private run; what it says is not shown here, because it may quote rows: look at its own log`,
        'ERR_FILE',
        { engine: session.dialect.name },
      );
    }
  };
  return { ...source, session: { ...session, query } };
}

/**
 * Beyond so many features whitening and second moments, which grow with their square, would be more than an engine
 * compiles well: runs over more take the plan without them.
 */
const MOST_WHITENED = 20;

/** The options as far as an engine can follow them. */
export function withinReach(options: PrivateEstimateOptions, features: number): PrivateEstimateOptions {
  if (features <= MOST_WHITENED) return options;
  if (options.moments === 'yes')
    throw new ArgumentError(
      `\`moments: 'yes'\` is for at most ${MOST_WHITENED} features where rows stay in an engine, got ${features}; leave it out, or read the rows here`,
      'ERR_TOO_LARGE',
      { features, limit: MOST_WHITENED },
    );
  return { ...options, moments: 'no' };
}

/**
 * The rows of a private plan, which answer with whole sums where they are.
 *
 * Guarantee. Which rows a chunk and a block have depends on their ids alone, each row is in one block of one chunk, and
 * what a row adds is bounded by a comparison of whole numbers (engine/sql/wholeValues.ts). Sums of as many rows as a block
 * has are exact, or the run is refused before its first release. Divisors are the planned numbers of rows.
 */
export async function rowsElsewhere(
  samples: RemoteSamples,
  { plan, scaling, noise, moments, curvatureRelease }: PrivatePlan,
  requireSame: (name: string, fact: unknown) => void = () => {},
): Promise<RowsElsewhere> {
  const { engine } = samples;
  const isFull = plan.mode === 'full';
  const { blocks } = plan.steps[0]!;
  const used = plan.steps.map(step => step.rows);
  const left = isFull ? 0 : plan.rows - used.reduce((sum, rows) => sum + rows, 0);
  const shape = { pilotRows: 0, rows: plan.rows, schedule: isFull ? null : { chunks: used } };
  const { chunks: ranges } = partsOf(shape, left);
  const needsCounts = blocks > 1 || !isFull;
  const counts = needsCounts ? await engine.counts(ranges, blocks) : [Float64Array.of(plan.rows)];
  requireSame(
    'rows by part and block',
    counts.map(each => [...each]),
  );
  const most = counts.reduce((largest, each) => Math.max(largest, ...each), 0);
  requireExact({ ...noise, rowsPerBlock: most });
  for (const release of [moments, curvatureRelease])
    if (release !== null) requireExact({ ...release.noise, rowsPerBlock: plan.rows });
  return changedRows({ samples, ranges: needsCounts ? ranges : [null], counts, change: { scaling, whitened: null } });
}

interface Asked {
  readonly samples: RemoteSamples;
  readonly ranges: readonly Parameters<RoundEngine['rowsOf']>[0][];
  readonly counts: readonly Float64Array[];
  readonly change: PrivateRowChange;
}

function changedRows({ samples, ranges, counts, change }: Asked): RowsElsewhere {
  const { engine } = samples;
  const whole = async (answer: Promise<WholeAnswer>, quantization: Quantization): Promise<BlockSums<'raw'>> => {
    const { counts: found, sums } = await answer;
    requireRows(engine, found[0]!, engine.rows);
    const { grid, squaredNorm } = quantization;
    return { sums, blocks: 1, rowsPerBlock: engine.rows, privacy: 'raw', grid, squaredNorm };
  };
  return {
    rows: engine.rows,
    features: engine.features,
    moments: request => whole(engine.wholeSums({ kind: 'moments', change, request }), request),
    curvature: request =>
      whole(
        engine.wholeSums({ kind: 'curvature', change, request: request as typeof request & { loss: Plan['loss'] } }),
        request,
      ),
    whitened: (whitening, rowLength) =>
      changedRows({ samples, ranges, counts, change: { ...change, whitened: { whitening, rowLength } } }),
    steps: ({ steps, mode, loss, intercept }, quantization) => {
      const pass = {};
      const handles = steps.map(({ rows }, index) =>
        chunkOf(
          mode === 'full' ? 'all rows' : pass,
          { index, rows, batches: { async *[Symbol.asyncIterator]() {} }, release: async () => {} },
          samples,
        ),
      );
      const sums = trusted({
        name: 'wholeSums',
        kind: 'estimate' as const,
        from: 'step' as const,
        to: 'sums' as const,
        run: concatMap(async ({ index, at }: Step): Promise<BlockSums<'raw'>> => {
          const { blocks, rowsPerBlock } = steps[index]!;
          const place = mode === 'full' ? 0 : index;
          const question = { part: ranges[place]!, blocks, intercept, loss, at, quantization, change };
          const answer = await engine.wholeSums({ kind: 'gradients', ...question });
          answer.counts.forEach((count, k) => {
            requireRows(engine, count, counts[place]![k]!);
          });
          const { grid, squaredNorm } = quantization;
          return { sums: answer.sums, blocks, rowsPerBlock, privacy: 'raw', grid, squaredNorm };
        }),
      });
      return { chunks: from(handles), sums };
    },
  };
}
