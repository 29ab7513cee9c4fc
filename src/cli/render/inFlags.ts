/**
 * The library's messages name options in backticks, as a caller writes them. This replaces them with the flags of the
 * command line: `nulls: 'skip'` becomes --nulls skip, `penalty` becomes --ridge; other text is left alone.
 */
import type { OnlineOptions } from '../../fit/online/index.ts';
import type { EstimateOptions, PrivateEstimateOptions } from '../../index.ts';
import type { PrivateOptions } from '../../plan/index.ts';
import type { LedgerOptions } from '../../privacy/index.ts';
import { wordsOf } from '../../words.ts';
import { flagOf } from '../flags/fitFlags.ts';

type Option =
  | keyof (EstimateOptions & PrivateEstimateOptions & OnlineOptions & PrivateOptions & LedgerOptions)
  | keyof NonNullable<PrivateOptions['set']>;

/** Options whose flags have the same name. */
const sameNames = () =>
  wordsOf(
    'acceptLargeDelta aggregate blocks bounds budget calibration categorical checkpoint chunk clip dataset deadLetters',
    'delta epsilon every features forget history holdout ledger loss maxPerUnit method mode mostBad moments momentum',
    'normBound nulls onAlarm order orderSeed perChunk radius rowLength rows schedule scratch seed set start steps tail',
    'target threads unit untilRows weights',
  ) satisfies readonly Option[];

const OTHERS = {
  failureProbability: '--failure',
  penalty: '--ridge',
  stepSize: '--step',
  unitRows: '--max-per-unit',
} as const satisfies Partial<Record<Option, string>>;

/** Also code that is not an option. */
const NAMES: Readonly<Record<string, string>> = {
  ...OTHERS,
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
  const named = nameOf(code);
  if (named !== undefined) return named;
  const [, name = '', value = ''] = /^(\w+): (.+)$/s.exec(code) ?? [];
  const flag = nameOf(name);
  return flag && `${flag} ${valueFor(value)}`;
}

function nameOf(code: string): string | undefined {
  if (Object.hasOwn(NAMES, code)) return NAMES[code];
  return sameNames().some(name => name === code) ? flagOf(code) : undefined;
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
