/**
 * The library's messages name options in backticks, as a caller writes them. This replaces them with the flags of the
 * command line: `nulls: 'skip'` becomes --nulls skip, `penalty` becomes --ridge; other text is left alone.
 */
import type { OnlineOptions } from '../../fit/online/index.ts';
import type { EstimateOptions, PrivateEstimateOptions } from '../../index.ts';
import type { PrivateOptions } from '../../plan/index.ts';
import type { LedgerOptions } from '../../privacy/index.ts';

type Option =
  | keyof (EstimateOptions & PrivateEstimateOptions & OnlineOptions & PrivateOptions & LedgerOptions)
  | keyof NonNullable<PrivateOptions['set']>;

const OPTIONS = {
  acceptLargeDelta: '--accept-large-delta',
  aggregate: '--aggregate',
  blocks: '--blocks',
  bounds: '--bounds',
  budget: '--budget',
  calibration: '--calibration',
  categorical: '--categorical',
  checkpoint: '--checkpoint',
  chunk: '--chunk',
  clip: '--clip',
  dataset: '--dataset',
  deadLetters: '--dead-letters',
  delta: '--delta',
  epsilon: '--epsilon',
  every: '--every',
  failureProbability: '--failure',
  features: '--features',
  forget: '--forget',
  history: '--history',
  holdout: '--holdout',
  ledger: '--ledger',
  loss: '--loss',
  maxPerUnit: '--max-per-unit',
  method: '--method',
  mode: '--mode',
  mostBad: '--most-bad',
  moments: '--moments',
  momentum: '--momentum',
  normBound: '--norm-bound',
  nulls: '--nulls',
  onAlarm: '--on-alarm',
  order: '--order',
  orderSeed: '--order-seed',
  penalty: '--ridge',
  perChunk: '--per-chunk',
  radius: '--radius',
  rowLength: '--row-length',
  rows: '--rows',
  schedule: '--schedule',
  scratch: '--scratch',
  seed: '--seed',
  set: '--set',
  start: '--start',
  stepSize: '--step',
  steps: '--steps',
  tail: '--tail',
  target: '--target',
  threads: '--threads',
  unit: '--unit',
  unitRows: '--max-per-unit',
  untilRows: '--until-rows',
  weights: '--weights',
} as const satisfies Partial<Record<Option, string>>;

/** Also code that is not an option. */
const NAMES: Readonly<Record<string, string>> = {
  ...OPTIONS,
  'intercept: false': '--no-intercept',
  'ledger: { file, dataset }': '--ledger FILE --dataset NAME',
  fromSql: '--sql',
  keep: '--keep',
  sql: '--sql',
  inspect: 'sluice inspect',
  openLedgerFile: 'sluice fit --ledger',
  listen: '--listen',
  'JSON.stringify(model)': 'sluice fit --out',
};

const LOSSES: Readonly<Record<string, string>> = {
  pseudoHuber: 'pseudo-huber',
  gemanMcClure: 'geman-mcclure',
};

/** Quoted column names and DuckDB's messages about a query may contain backticks, which must stay. */
const CODE = /"(?:\\.|[^"\\])*"|: DuckDB .*|`((?:\\.|[^`\\])+)`/gs;

export const inFlags = (message: string): string =>
  message.replace(CODE, (whole, code?: string) => (code === undefined ? whole : (flagsFor(code) ?? whole)));

function flagsFor(code: string): string | undefined {
  if (code.endsWith('| …')) return `"${code.slice(0, -1)}sluice fit - --rows N …"`;
  const [, bounds] = /^bounds: \{ (.*) \}$/.exec(code) ?? [];
  if (bounds !== undefined)
    return `--bounds '${bounds.replaceAll(/: \[([^,]+), ([^\]]+)\]/g, ':$1..$2').replaceAll(', ', ',')}'`;
  const flags = code.split(/, (?=\w+: )/).map(flagFor);
  return flags.includes(undefined) ? undefined : flags.join(' ');
}

function flagFor(code: string): string | undefined {
  if (Object.hasOwn(NAMES, code)) return NAMES[code];
  const [, name = '', value = ''] = /^(\w+): (.+)$/s.exec(code) ?? [];
  return Object.hasOwn(NAMES, name) ? `${NAMES[name]} ${valueFor(value)}` : undefined;
}

/** Levels of a column, a loss with its parameter, one or several texts, or a number. */
function valueFor(value: string): string {
  const [, column, levels] = /^\{ (.+): \[(.*)\] \}$/s.exec(value) ?? [];
  if (column !== undefined) {
    const name = textsIn(column)[0] ?? column;
    const named = textsIn(levels!);
    return named.length === 0 ? `${name}=${levels}` : asWord(`${name}=${named.join('|')}`);
  }
  const [, loss, parameter] = /^(\w+)\((.+)\)$/.exec(value) ?? [];
  if (loss !== undefined) return `${LOSSES[loss] ?? loss}:${parameter}`;
  return /^['[]/.test(value) ? asWord(textsIn(value).join(',')) : value;
}

const textsIn = (code: string): readonly string[] =>
  Array.from(code.matchAll(/'((?:\\.|[^'\\])*)'/gs), ([, text]) => text!.replaceAll(/\\(.)/gs, '$1'));

/** Quoted where a shell needs it. */
const asWord = (text: string): string => (/^[\w.,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
