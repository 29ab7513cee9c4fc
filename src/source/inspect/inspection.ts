import { isRowIndex } from '../design/design.ts';
import { BATCH_ROWS } from '../read/tableSamples.ts';
import type { Table } from '../table/table.ts';
import { type ColumnInspection, columnInspector } from './columnInspector.ts';
import { type DuplicateRows, duplicateRows } from './duplicateRows.ts';

/** A summary of a table, column by column: one pass over it, in memory that does not grow with its rows. */
export interface Inspection {
  readonly name: string;
  readonly format: Table['format'];
  readonly rows: number;
  readonly columns: readonly ColumnInspection[];
  /** Rows that equal another row in every column; null if there are few, or if rows of such values often coincide. */
  readonly duplicates: DuplicateRows | null;
  /** In plain English. */
  readonly warnings: readonly string[];
}

/** `onRows` is called with the number of rows inspected so far. */
export async function inspectTable(
  table: Table,
  { onRows }: { readonly onRows?: (rows: number) => void } = {},
): Promise<Inspection> {
  const inspectors = table.fields.flatMap((field, index) =>
    Array.from({ length: field.width }, (_, element) => ({
      field: index,
      ...columnInspector(field, element),
    })),
  );
  const readable = [...table.fields.keys()].filter(index => table.fields[index]!.kind !== 'unsupported');
  const duplicates = duplicateRows(inspectors.length, BATCH_ROWS);
  const compare = inspectors.map(({ field }, column) =>
    isRowIndex(table.fields[field]!)
      ? undefined
      : (values: Float64Array, missing: Uint8Array, count: number): void =>
          duplicates.add(column, values, missing, count),
  );
  const out = new Float64Array(BATCH_ROWS);
  const missing = new Uint8Array(BATCH_ROWS);
  let rows = 0;
  for await (const frame of table.frames(readable)) {
    for (let start = 0; start < frame.rows; start += BATCH_ROWS) {
      const count = Math.min(BATCH_ROWS, frame.rows - start);
      for (const [column, { field, read }] of inspectors.entries())
        await read(frame, { field, start, count, out, missing }, compare[column]);
      duplicates.end(count);
    }
    rows += frame.rows;
    onRows?.(rows);
  }
  const columns = Object.freeze(inspectors.map(({ result }) => result()));
  // If a column was not read to the end, or has more texts than are distinguished, rows may differ in it.
  const isCompared = columns.every(
    ({ problem, kind, texts }) =>
      problem === undefined && kind !== 'unsupported' && (texts === undefined || texts.distinct !== null),
  );
  const found = isCompared ? duplicates.found() : null;
  return Object.freeze({
    name: table.name,
    format: table.format,
    rows,
    columns,
    duplicates: found,
    warnings: warningsOf(columns, rows, found),
  });
}

/** What the owner of a table should know before fitting. */
function warningsOf(
  columns: readonly ColumnInspection[],
  rows: number,
  duplicates: DuplicateRows | null,
): readonly string[] {
  return Object.freeze([
    ...columns.flatMap(column => columnWarnings(column, rows)),
    ...(duplicates === null ? [] : [duplicateWarning(duplicates)]),
    RANGES,
  ]);
}

const duplicateWarning = ({ share, sampled }: DuplicateRows): string =>
  `${sampled === null ? '' : 'about '}${Number((100 * share).toPrecision(2))} % of the rows are exact duplicates of others${sampled === null ? '' : `, judged by a sample of ${sampled} distinct rows`}, as when a file was written twice: intervals treat each as a new row, and are too narrow if it is not; remove duplicates, for example with \`fromSql\` and SELECT DISTINCT`;

const RANGES =
  'the ranges and levels printed here come from the data: do not use them as `bounds` or `categorical` of a private fit';

function columnWarnings(column: ColumnInspection, rows: number): string[] {
  const { name, type, kind, nulls, nonFinite, numbers, times, texts, problem } = column;
  const quoted = JSON.stringify(name);
  if (kind === 'unsupported') return [`${quoted} is ${type}, which cannot be used`];
  if (problem !== undefined) return [`${quoted} could not be read to the end: ${problem}`];
  if (isRowIndex(column))
    return [`${quoted} is the row index written by pandas: fit leaves it out unless \`features\` names it`];
  const warnings: string[] = [];
  const warn = (condition: boolean | undefined, warning: string): void => {
    if (condition) warnings.push(`${quoted} ${warning}`);
  };
  const distinct = (numbers ?? times ?? texts)?.distinct;
  const order = (numbers ?? times)?.order;
  warn(nulls === rows && rows > 0, 'has no value in any row: leave it out');
  warn(
    nulls !== null && nulls > rows / 2 && nulls < rows,
    `has no value in ${percent(nulls! / rows)} of the rows: leave the column out, because \`nulls: 'skip'\` would drop all these rows`,
  );
  warn(
    nonFinite > 0,
    `is not a finite number in ${nonFinite} ${nonFinite === 1 ? 'row' : 'rows'}: \`nulls: 'skip'\` skips ${nonFinite === 1 ? 'it' : 'them'}`,
  );
  warn(distinct === 1 && rows > 1, 'is constant: leave it out, because the intercept already covers it');
  warn(
    order?.sorted !== undefined && order.sorted !== null,
    `is sorted (${order?.sorted}): keep the default shuffling, because with \`order: 'as-is'\` each step would see only similar rows`,
  );
  warn(
    numbers?.tail?.weight === 'heavy',
    `has heavy tails (index ${numbers?.tail?.index.toFixed(1)}, below 4): the default loss is robust to them, \`loss: 'squared'\` is not`,
  );
  warn(
    typeof numbers?.apart === 'number',
    `has a gap: about ${Number((100 * (numbers?.apart ?? 0)).toPrecision(1))} % of the values are more than ten times as far from the median as all others: check whether they are errors, other units or codes`,
  );
  warn(
    (kind === 'integer' || kind === 'exact') && looksLikeCodes(distinct, numbers?.values ?? 0),
    `has ${distinct} different whole numbers: if they are codes rather than quantities, declare its levels with \`categorical\``,
  );
  return warnings;
}

/** A few values that repeat many times; two values are a yes and a no, which need no levels. */
const looksLikeCodes = (distinct: number | null | undefined, values: number): boolean =>
  typeof distinct === 'number' && distinct >= 3 && distinct <= 50 && values >= 20 * distinct;

const percent = (share: number): string => `${Math.floor(100 * share)} %`;
