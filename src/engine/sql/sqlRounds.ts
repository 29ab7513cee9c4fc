import { ArgumentError } from '../../errors.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Part, RoundAnswer, RoundEngine, RoundQuestion, WholeAnswer, WholeQuestion } from '../roundEngine.ts';
import { type Expression, type Layers, layersOver } from './layers.ts';
import { REDUCED_IDS, rowHash } from './rowHash.ts';
import { slopeOf } from './slopes.ts';
import type { SqlSession, SqlTable } from './sqlSession.ts';
import { valuesOf, wholeRow } from './wholeQuestion.ts';
import { type Row, scoreOf, wholeValues } from './wholeValues.ts';

/** Rows in an engine as a run sees them. */
export interface SqlRoundOptions {
  readonly session: SqlSession;
  /** What stands behind FROM. */
  readonly from: string;
  readonly rows: number;
  /** The expressions of the row's id, which is a whole number, and of its columns, which are doubles or NULL. */
  readonly id: string;
  readonly features: readonly string[];
  readonly target: string;
  readonly weights?: string | undefined;
  /** Of rows that count, such as the first few of a person; all unless given. */
  readonly counts?: string | undefined;
  /** Whether there may be rows that cannot be used: NULL, not finite, or outside what `accepts` says. */
  readonly isGuarded: boolean;
  /** A condition on the target that usable rows fulfil. */
  readonly accepts?: string | undefined;
  readonly seed: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** The rounds of a run as queries, one for each. Answers are a few numbers for every block. */
export function sqlRounds(options: SqlRoundOptions): RoundEngine {
  const { session, from, rows, features, seed, signal, onProgress } = options;
  const hash = rowHash(seed);
  const ask = (sql: string): Promise<SqlTable> => session.query(sql, { signal, onProgress });

  /** The rows of a part, with their hashes where the part or the blocks need them. */
  function rowsIn(layers: Layers, part: Part, needsHash: boolean, changing: Readonly<Record<string, number>>) {
    const { column, sql } = layers;
    const id = column(options.id);
    const h = part === null && !needsHash ? null : hash.in(layers, id);
    const limits = part === null ? {} : { lo: part.from, hi: part.to };
    const values = { ...changing, ...limits };
    const known = Object.keys(values).length === 0 ? {} : layers.changing(values, h);
    if (part !== null) layers.where(sql`${h!} >= ${known.lo!} AND ${h!} < ${known.hi!}`);
    return { id, h, known };
  }

  const rawRow = ({ column, sql }: Layers): Row<Expression> => {
    const weight = options.counts ?? options.weights;
    return {
      features: features.map(column),
      target: column(options.target),
      weight: weight === undefined ? sql`1e0` : column(weight),
    };
  };

  /** Rows that cannot be used as zeros of weight 0. */
  const guardedRow = (layers: Layers): Row<Expression> => {
    const row = rawRow(layers);
    if (!options.isGuarded) return row;
    const { arithmetic } = layers;
    const { ifFinite, ifAtMost, constant, named } = arithmetic;
    const [zero, one] = [constant(0), constant(1)];
    const accepted =
      options.accepts === undefined ? one : layers.column(`CASE WHEN ${options.accepts} THEN 1e0 ELSE 0e0 END`);
    const usable = named(ifFinite([...row.features, row.target, row.weight], accepted, zero));
    const orZero = (value: Expression): Expression => named(ifAtMost(one, usable, value, zero));
    return { features: row.features.map(orZero), target: orZero(row.target), weight: orZero(row.weight) };
  };

  const blockOf = ({ sql }: Layers, h: Expression | null, blocks: number): Expression =>
    blocks === 1 || h === null ? sql`0` : sql`(${h} % ${blocks})`;

  /** One row for each block that has rows, and one query; blocks that have none are missing. */
  async function grouped(
    layers: Layers,
    block: Expression,
    blocks: number,
    sums: readonly Expression[],
  ): Promise<{ readonly counts: Float64Array; readonly columns: readonly Float64Array[] }> {
    const { sql } = layers;
    const aggregates = Object.fromEntries(sums.map((value, j) => [`s${j}`, sql`sum(${value})`]));
    const table = await ask(layers.grouped({ blk: block }, { n: sql`CAST(count(*) AS DOUBLE)`, ...aggregates }));
    const [counts, places] = [new Float64Array(blocks), table.numbers('blk')];
    const columns = sums.map(() => new Float64Array(blocks));
    const found = sums.map((_, j) => table.numbers(`s${j}`));
    const n = table.numbers('n');
    for (let i = 0; i < table.rows; i++) {
      const place = places[i]!;
      counts[place] = n[i]!;
      columns.forEach((column, j) => {
        column[place] = requireSum(found[j]![i]!, session.dialect.name);
      });
    }
    return { counts, columns };
  }

  return {
    name: session.dialect.name,
    rows,
    features: features.length,

    async counts(parts, blocks) {
      const layers = layersOver(from);
      const { sql } = layers;
      const { h } = rowsIn(layers, null, true, {});
      const places = parts.map(
        ({ from: first, to }, k) => `WHEN ${h!.text} >= ${first} AND ${h!.text} < ${to} THEN ${k}`,
      );
      const part = layers.arithmetic.named({ ...h!, text: `CASE ${places.join(' ')} ELSE ${parts.length} END` });
      const table = await ask(
        layers.grouped({ prt: part, blk: blockOf(layers, h, blocks) }, { n: sql`CAST(count(*) AS DOUBLE)` }),
      );
      const found = parts.map(() => new Float64Array(blocks));
      const [prt, blk, n] = [table.numbers('prt'), table.numbers('blk'), table.numbers('n')];
      for (let i = 0; i < table.rows; i++) {
        const counts = found[prt[i]!];
        if (counts !== undefined) counts[blk[i]!] = n[i]!;
      }
      return found;
    },

    async rowsOf(part) {
      const layers = layersOver(from);
      const { id, h } = rowsIn(layers, part, true, {});
      const row = guardedRow(layers);
      const columns = Object.fromEntries(row.features.map((value, j) => [`x${j}`, value]));
      const table = await ask(layers.select({ h: h!, id, y: row.target, w: row.weight, ...columns }));
      const isWeighted = options.isGuarded || options.weights !== undefined || options.counts !== undefined;
      return inOrder(table, features.length, isWeighted);
    },

    async sums({ part, blocks, intercept, asked }: RoundQuestion): Promise<RoundAnswer> {
      const layers = layersOver(from);
      const { arithmetic } = layers;
      const points = Object.fromEntries(asked.flatMap(({ at }, k) => [...at].map((value, j) => [`t${k}_${j}`, value])));
      const { h, known } = rowsIn(layers, part, blocks > 1, points);
      const row = guardedRow(layers);
      const { constant, times, named } = arithmetic;
      const isPlain = !options.isGuarded && options.weights === undefined && options.counts === undefined;
      const sums = asked.flatMap(({ loss, at }, k) => {
        const theta = [...at].map((_, j) => known[`t${k}_${j}`]!);
        const slope = slopeOf(loss)(arithmetic, named(scoreOf(arithmetic, row.features, theta)), row.target);
        const g = named(isPlain ? slope : times(slope, row.weight));
        return [...row.features.map(x => times(g, x)), ...(intercept ? [times(g, constant(1))] : [])];
      });
      const { counts, columns } = await grouped(layers, blockOf(layers, h, blocks), blocks, sums);
      let first = 0;
      return {
        counts,
        sums: asked.map(({ at }) => {
          const mine = columns.slice(first, first + at.length);
          first += at.length;
          return byBlock(mine, blocks);
        }),
      };
    },

    async wholeSums(question: WholeQuestion): Promise<WholeAnswer> {
      const layers = layersOver(from);
      const { arithmetic, sql } = layers;
      const { part, blocks, at, squaredNorm } = wholeRow(question);
      const points = Object.fromEntries([...at].map((value, j) => [`t${j}`, value]));
      const { id, h, known } = rowsIn(layers, part, blocks > 1, points);
      const reducedId = arithmetic.named(sql`CAST(${id} % ${REDUCED_IDS} AS DOUBLE)`);
      const theta = [...at].map((_, j) => known[`t${j}`]!);
      const values = valuesOf(arithmetic, rawRow(layers), theta, question);
      const whole = wholeValues(arithmetic, values, { squaredNorm, reducedId });
      const { counts, columns } = await grouped(layers, blockOf(layers, h, blocks), blocks, whole);
      return { counts, sums: byBlock(columns, blocks) };
    },
  };
}

/** Sums that are no numbers come of rows that were not there, or were others, when the run began. */
function requireSum(sum: number, engine: string): number {
  if (Number.isFinite(sum)) return sum;
  throw new ArgumentError(
    `a sum that ${engine} returned is no finite number: values overflow, or the table has changed since the run began; look for extreme values by inspect, and run again`,
    'ERR_CHANGED',
    { engine },
  );
}

const byBlock = (columns: readonly Float64Array[], blocks: number): Float64Array => {
  const sums = new Float64Array(blocks * columns.length);
  columns.forEach((column, j) => {
    for (let k = 0; k < blocks; k++) sums[k * columns.length + j] = column[k]!;
  });
  return sums;
};

/** Rows that a query gave in any order, by their hashes and then their ids. */
function inOrder(table: SqlTable, features: number, isWeighted: boolean): SampleBatch {
  const [h, id] = [table.numbers('h'), table.numbers('id')];
  const places = Uint32Array.from({ length: table.rows }, (_, i) => i).sort((a, b) => h[a]! - h[b]! || id[a]! - id[b]!);
  const sorted = (name: string): Float64Array => {
    const values = table.numbers(name);
    return Float64Array.from(places, place => values[place]!);
  };
  return {
    rows: table.rows,
    columns: Array.from({ length: features }, (_, j) => sorted(`x${j}`)),
    target: sorted('y'),
    ...(isWeighted && { weights: sorted('w') }),
  };
}
